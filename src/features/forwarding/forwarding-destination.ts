import type { DestinationKey, ForwardingId, ForwardingRow } from '#core/forwarding/forwarding.ts'
import type { DomainRecipients } from '#features/own-domains/index.ts'
import { canonicalEmail, domainOf } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** What a forwarding keeps under the wrap. */
export interface ForwardingRoute {
  /** The address whose mail goes on: its name is sealed to its owner, and the destination must learn it. */
  address: string
  destination: string
}

const TAG = /(?<=.)\+.*(?=@)/
const GOOGLE = /@(?:gmail|googlemail)\.com$/

/** Google passes over the dots of a local part (support.google.com/mail/answer/7436150): one reader has thousands of addresses. */
const withoutDots = (email: string): string => `${email.replace(GOOGLE, '').replaceAll('.', '')}@gmail.com`

/**
 * The key of a destination, for limits and for "never": however it is written, and whatever stands behind a `+`, it is one
 * mailbox. `destination` is one that `emailAddress` answered.
 */
export function destinationKey(wrap: Pick<Wrap, 'hash'>, destination: string): DestinationKey {
  const mailbox = (canonicalEmail(destination) ?? destination).normalize('NFC').replace(TAG, '')
  return wrap.hash('forwarding destination', GOOGLE.test(mailbox) ? withoutDots(mailbox) : mailbox)
}

/** Under which key questions to a domain are counted, or to all of them (''). No mailbox has such a name. */
export const questionsTo = (wrap: Pick<Wrap, 'hash'>, domain: string): DestinationKey =>
  wrap.hash('forwarding destination', `@${domain.toLowerCase()}`)

/** `id`: of the forwarding. */
export const sealRoute = (
  wrap: Pick<Wrap, 'wrap'>,
  id: ForwardingId,
  { address, destination }: ForwardingRoute,
): Uint8Array => wrap.wrap('forwarding destination', JSON.stringify([address, destination]), id)

/** Like `openRoute`, but returns undefined for a damaged value. */
export function openRouteIfIntact(
  wrap: Pick<Wrap, 'unwrapOrEmpty'>,
  { id, sealedDestination }: Pick<ForwardingRow, 'id' | 'sealedDestination'>,
): ForwardingRoute | undefined {
  const route = wrap.unwrapOrEmpty('forwarding destination', sealedDestination, id)
  return route === '' ? undefined : routeOf(route)
}

/** Throws `SealError` for what was not wrapped with this service's key for this forwarding. */
export function openRoute(
  wrap: Pick<Wrap, 'unwrap'>,
  { id, sealedDestination }: Pick<ForwardingRow, 'id' | 'sealedDestination'>,
): ForwardingRoute {
  return routeOf(wrap.unwrap('forwarding destination', sealedDestination, id))
}

/** Returns the destination for lists, or an empty text if it is damaged. */
export const shownDestination = (...route: Parameters<typeof openRouteIfIntact>): string =>
  openRouteIfIntact(...route)?.destination ?? ''

function routeOf(json: string): ForwardingRoute {
  const [address, destination] = JSON.parse(json) as [string, string]
  return { address, destination }
}

/** Whether an address is one of this service's, or under a domain that a subscriber brought: nothing is forwarded in circles. */
export type IsOurs = (destination: string) => Promise<boolean>

/** `domains`: names of the service's own, mail domains and hosts; what is under them is ours as well. */
export const createIsOurs =
  (domains: readonly string[], ownDomains: Pick<DomainRecipients, 'recipient'>): IsOurs =>
  async (destination) => {
    const domain = domainOf(destination).toLowerCase()
    if (domains.some((ours) => domain === ours || domain.endsWith(`.${ours}`))) return true
    return (await ownDomains.recipient(domain)) !== undefined
  }
