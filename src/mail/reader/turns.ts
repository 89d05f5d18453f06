import ipaddr from 'ipaddr.js'
import type { Envelope } from '#core/mailbox/message.ts'
import type { Turn } from './fair-queue.ts'

/** Octets of an address that name a network: an IPv4 /24, an IPv6 /48, as they are given to one site. */
const NETWORK_OCTETS = { 4: 3, 16: 6 } as const

/** The network that a client belongs to; what is no address is its own. */
export function networkOf(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress
  const octets = ipaddr.process(clientAddress).toByteArray()
  return octets.slice(0, NETWORK_OCTETS[octets.length as 4 | 16]).join('.')
}

/** One mailbox has many names: `login+anything` is `login`. */
const mailboxOf = (recipient: string): string => recipient.toLowerCase().replace(/\+[^@]*/, '')

/** Turns go round by the network that sent a mail, and within it by the recipient. */
export const turnOf = ({ clientAddress, recipient }: Envelope): Turn => ({
  outer: networkOf(clientAddress),
  inner: mailboxOf(recipient),
})
