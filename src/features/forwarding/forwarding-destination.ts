import type { DestinationKey, ForwardingId, ForwardingRow } from '#core/forwarding/forwarding.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { DnsLookup } from '#core/own-domains/own-domain.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** The content of a forwarding's wrapped value. */
export interface ForwardingRoute {
  /**
   * The forwarding address. Stored here because the name in its row is sealed to its owner and forwarded messages show
   * it.
   */
  address: string
  destination: string
}

const TAG = /(?<=.)\+.*(?=@)/
const GOOGLE = /@(?:gmail|googlemail)\.com$/

/**
 * Google ignores dots in a local part (support.google.com/mail/answer/7436150), so one mailbox has thousands of email
 * addresses.
 */
const withoutDots = (email: string): string => `${email.replace(GOOGLE, '').replaceAll('.', '')}@gmail.com`

/**
 * Returns the key of a destination, for limits and for refusals. All spellings of a mailbox, and all tags after a `+`,
 * have the same key. `destination` is a result of `emailAddress`.
 */
export function destinationKey(wrap: Pick<Wrap, 'hash'>, destination: string): DestinationKey {
  const mailbox = (canonicalEmail(destination) ?? destination).normalize('NFC').replace(TAG, '')
  return wrap.hash('forwarding destination', GOOGLE.test(mailbox) ? withoutDots(mailbox) : mailbox)
}

/**
 * Returns the key under which the confirmation emails to the domain of a destination are counted; for '', the key for
 * all domains. No mailbox has such a key.
 */
export const confirmationsKey = (wrap: Pick<Wrap, 'hash'>, destination: string): DestinationKey =>
  wrap.hash('forwarding destination', `@${domainOf(destination).toLowerCase()}`)

/** Returns the key under which the requests to a destination are counted. No mailbox and no domain has such a key. */
export const requestsKey = (wrap: Pick<Wrap, 'hash'>, destination: string): DestinationKey =>
  wrap.hash('forwarding destination', `@ ${destinationKey(wrap, destination)}`)

/** Wraps a route and binds it to the forwarding with the given id. */
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

/**
 * Unwraps the route of a forwarding. Throws `SealError` if it was wrapped with another service key or for another
 * forwarding.
 */
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

/** Returns whether the MX records are a "null MX", which declares that the domain accepts no mail (RFC 7505). */
const isNullMx = (hosts: readonly string[]): boolean => hosts.length === 1 && hosts[0] === ''

/**
 * Returns false if the domain declares that it accepts no mail. Without an answer from the DNS it returns true: the
 * relay decides.
 */
export async function takesMail(dns: Pick<DnsLookup, 'mx'>, domain: string): Promise<boolean> {
  return !isNullMx(await dns.mx(domain).catch(() => []))
}
