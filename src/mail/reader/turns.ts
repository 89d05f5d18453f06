import ipaddr from 'ipaddr.js'
import type { Envelope } from '#core/mailbox/message.ts'
import type { FairKeys } from './fair-queue.ts'

/** Octets of an IP address that identify a network: an IPv4 /24 or an IPv6 /48, the usual allocation to one site. */
const NETWORK_OCTETS = { 4: 3, 16: 6 } as const

/** Returns the network of a client. A text that is not an IP address is returned unchanged. */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const octets = ipaddr.process(clientAddress).toByteArray()
  return octets.slice(0, NETWORK_OCTETS[octets.length as 4 | 16]).join('.')
}

/** Normalizes a recipient. `login+anything` belongs to the mailbox `login`. */
const mailboxOf = (recipient: string): string => recipient.toLowerCase().replace(/\+[^@]*/, '')

/** Returns the round robin keys of a message: the sending network, and within it the recipient. */
export const fairKeysOf = ({ clientAddress, recipient }: Envelope): FairKeys => ({
  outer: networkOf(clientAddress),
  inner: mailboxOf(recipient),
})
