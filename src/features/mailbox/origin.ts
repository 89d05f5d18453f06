import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Envelope, Origin } from '#core/mailbox/message.ts'
import { widestNetwork } from '#core/networks.ts'

/** Longer names are cut. A domain name has at most 253 characters (RFC 1035), but few have more than this. */
const MAX_CHARACTERS = 100

/** A host or domain name in ASCII, in lower case. Null if it is not a name, for example an address literal. */
function nameOf(text: string): string | null {
  const name = domainToASCII(text).slice(0, MAX_CHARACTERS)
  return name === '' || isIP(name) !== 0 || !/^[\w.-]+$/.test(name) ? null : name
}

/** Returns the part of an envelope that the list of deliveries shows: no IP address and no local part. */
export function originOf({
  mailFrom,
  helo,
  clientAddress,
}: Pick<Envelope, 'mailFrom' | 'helo' | 'clientAddress'>): Origin {
  return {
    server: { name: nameOf(helo), network: widestNetwork(clientAddress) },
    senderDomain: nameOf(domainOf(mailFrom)),
  }
}
