import type { PrivateData } from '#contract/pages.ts'
import { MayflyError } from '#core/errors.ts'
import type { SignedIn } from '#features/account/index.ts'
import type { RouteContext } from '../context.ts'
import { domainsOf, ownDomainsOf } from '../domains.ts'

/** A fully private address of a subscriber, or the form to create one. Throws `not_found` for other addresses. */
export async function privateData(
  { deps }: RouteContext,
  signedIn: SignedIn | undefined,
  id: string | undefined,
): Promise<PrivateData> {
  if (!signedIn) return { address: null, domains: [], own: [] }
  const { subscription } = signedIn
  const [domains, own] = [domainsOf(deps), await ownDomainsOf(deps, signedIn)]
  if (id === undefined) return { address: null, domains, own }
  const { address, label, alive, ...view } = await deps.keptAddresses.find(subscription, id)
  if (!view.private) throw new MayflyError('not_found')
  const revision = alive ? (await deps.privateAddresses.open(subscription, id)).revision : 0
  return { address: { id, address, label, alive, revision }, domains, own }
}
