import { type Address, addressParser, type Email } from 'postal-mime'
import type { Envelope, Mailbox } from '#core/mailbox/message.ts'
import { clean } from './header-text.ts'

/** The longest name or address that is kept: the longest line of RFC 5322. */
const MAX_TEXT = 998

const mailboxesOf = (entry: Address): readonly Address[] => entry.group ?? [entry]

/**
 * Returns the author that a From or Sender header names: the first mailbox that has an address, also in a group
 * (RFC 6854), because DMARC checks the domains of these mailboxes only. A name alone has an empty address. Undefined if
 * there is neither.
 */
export function authorIn(header: string): Mailbox | undefined {
  const named = addressParser(header)
    .flatMap(mailboxesOf)
    .map(({ name, address }) => ({
      name: clean(name).slice(0, MAX_TEXT),
      address: clean(address ?? '').slice(0, MAX_TEXT),
    }))
    .filter(({ name, address }) => name !== '' || address !== '')
  return named.find(({ address }) => address !== '') ?? named[0]
}

/** Returns the value of the first header with this name in lower case, or else an empty text. */
export const headerOf = (mail: Email, name: string): string => mail.headers.find(({ key }) => key === name)?.value ?? ''

/** Returns the author in the headers, or else the envelope sender. */
export const senderOf = (mail: Email, envelope: Pick<Envelope, 'mailFrom'>): Mailbox =>
  authorIn(headerOf(mail, 'from') || headerOf(mail, 'sender')) ?? { name: '', address: envelope.mailFrom }
