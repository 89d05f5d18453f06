import { accountOf } from './account.ts'
import type { State } from './state.ts'

interface Domain {
  name: string
  tier: 'free' | 'premium'
}

/** The mail domains of a service. Rejects if there is no Mayfly service at the URL. */
export async function loadDomains(service: string): Promise<Domain[]> {
  const response = await fetch(`${service}/api/v1/domains`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The service answered ${response.status}`)
  const { domains } = (await response.json()) as { domains?: unknown }
  if (!Array.isArray(domains)) throw new Error('Not a Mayfly service')
  return domains as Domain[]
}

/** The domain that new addresses get: the service may no longer offer the one of the settings. */
export const chosenDomain = (domain: string, usable: string[]): string | undefined =>
  usable.includes(domain) ? domain : usable[0]

/** The domains for new addresses: for subscribers also the premium ones and their own. */
export async function usableDomains(state: State): Promise<string[]> {
  const account = accountOf(state)
  const domains = await loadDomains(state.settings.service)
  const usable = domains.filter(({ tier }) => tier === 'free' || account !== null).map(({ name }) => name)
  return [...usable, ...(account?.domains ?? [])]
}
