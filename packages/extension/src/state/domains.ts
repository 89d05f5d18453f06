export interface Domain {
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
