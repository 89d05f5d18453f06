import { type Address, addressParser, type Email } from 'postal-mime'
import type { Envelope, Mailbox } from '#core/mailbox/message.ts'
import { clean } from './header-text.ts'

/** The longest name or address that is kept: the longest line of RFC 5322. */
const MAX_TEXT = 998

/** The source route before an address (RFC 5322 4.4): `@relay.example:` in `@relay.example:ann@a.example`. Ignored. */
const ROUTE = /^(?:@[^@:,\s]+,?)+:(?=[^@\s]+@)/
/** What the parser leaves of brackets around an address. */
const EMPTY_BRACKETS = /\[\s*\]|\(\s*\)/g

/**
 * Returns the mailboxes of an address list, those of groups (RFC 5322 3.4) included, at most `max`, with names and
 * addresses of at most `maxText` characters. A name with a comma and without quotes is one name: `Doe, John <a@b.example>`.
 */
export function mailboxesIn(entries: readonly Address[], maxText: number, max = Infinity): Mailbox[] {
  const found: { name: string; address: string }[] = []
  /** Names without an address that come before one. */
  let names: string[] = []
  for (const { name, address = '' } of entries.flatMap((entry) => entry.group ?? [entry])) {
    const isName = address === '' && name !== ''
    if (!isName && name !== '' && names.length > 0) {
      found.splice(-names.length)
      found.push({ name: [...names, name].join(', '), address })
    } else found.push({ name, address })
    if (isName) names.push(name)
    else names = []
  }
  const short = (text: string): string => clean(text).slice(0, maxText)
  return found.slice(0, max).map(({ name, address }) => ({
    name: short(name.replace(EMPTY_BRACKETS, ' ')),
    address: short(address).replace(ROUTE, ''),
  }))
}

/**
 * Returns the author that a From or Sender header names: the first mailbox that has an address, also in a group
 * (RFC 6854), because DMARC checks the domains of these mailboxes only. A name alone has an empty address. Undefined if
 * there is neither.
 */
export function authorIn(header: string): Mailbox | undefined {
  const named = mailboxesIn(addressParser(header), MAX_TEXT).filter(
    ({ name, address }) => name !== '' || address !== '',
  )
  return named.find(({ address }) => address !== '') ?? named[0]
}

/** Returns the value of the first header with this name in lower case, or else an empty text. */
export const headerOf = (mail: Email, name: string): string => mail.headers.find(({ key }) => key === name)?.value ?? ''

/** Returns the author in the headers, or else the envelope sender. */
export const senderOf = (mail: Email, envelope: Pick<Envelope, 'mailFrom'>): Mailbox =>
  authorIn(headerOf(mail, 'from') || headerOf(mail, 'sender')) ?? { name: '', address: envelope.mailFrom }
