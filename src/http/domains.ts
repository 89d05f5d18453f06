import type { DomainListJson } from '#contract/domains.ts'
import type { SignedIn } from '#features/account/index.ts'
import type { HttpDeps } from './options.ts'

/** The mail domains of the service. */
export const domainsOf = ({ domains }: HttpDeps): DomainListJson['domains'] =>
  domains.map(({ name, tier }) => ({ name, tier }))

/** The own domains under which a visitor can create addresses. */
export const ownDomainsOf = async (
  { keptAddresses }: HttpDeps,
  signedIn: SignedIn | undefined,
): Promise<readonly string[]> => (signedIn?.active ? keptAddresses.ownDomains(signedIn.subscription) : [])
