import { MARK_FIELD } from './gate.ts'
import { fieldValues, headerSection } from './header-section.ts'

export interface ForwardFacts {
  /** As `Marks.mark` makes it. */
  mark: string
  /** Where the mail goes, and the address of this service that it came to. */
  destination: string
  address: string
  /** The page that ends the forwarding, http or https. */
  stopUrl: string
}

/** RFC 5322 2.1.1, without the CRLF. */
const LINE_MAX_OCTETS = 998
const LINE_OCTETS = 78
const MARK = /^[\w.-]+$/
/** What may stand in a field without quotes (RFC 5322 3.4.1, RFC 6532), and no character that is not to be seen. */
const MAILBOX = /^[^\s\p{C}\p{Z}@<>()[\]",:;\\]+@[a-z0-9.-]+$/iu

/** The name of the field with the link that ends the forwarding; unlike List-Unsubscribe it is always there. */
export const STOP_FIELD = 'X-Mayfly-Stop'
/** RFC 8058 3.1. */
export const ONE_CLICK = 'List-Unsubscribe=One-Click'
const LIST_FIELDS = ['List-Unsubscribe', 'List-Unsubscribe-Post']
/** The list of signed fields (RFC 6376 3.5). */
const SIGNED = /(?:^|;)\s*h\s*=([^;]*)/i

/** `value` has no line breaks. Where the line gets long the value stands on the next one. */
function field(name: string, value: string): string {
  const folded = Buffer.byteLength(value) + name.length + 2 > LINE_OCTETS
  if (Buffer.byteLength(value) + 1 > LINE_MAX_OCTETS) throw new RangeError(`${name} is too long`)
  return `${name}:${folded ? '\r\n' : ''} ${value}\r\n`
}

function mailbox(text: string): string {
  if (!MAILBOX.test(text)) throw new TypeError('Not an address')
  return text
}

function link(text: string): string {
  const { href, protocol } = new URL(text)
  if (!/^https?:$/.test(protocol)) throw new TypeError('Not a link')
  return `<${href}>`
}

/**
 * Whether a List-Unsubscribe of ours would be a second one (RFC 2369 3: one at most), or would break a signature: one may
 * cover a field that is not there, so that nobody adds it (RFC 6376 5.4.2).
 */
function hasOwnList(raw: Uint8Array): boolean {
  const head = headerSection(raw) ?? ''
  if (fieldValues(head, LIST_FIELDS).length > 0) return true
  return fieldValues(head, ['DKIM-Signature', 'ARC-Message-Signature']).some((signature) => {
    const signed = (SIGNED.exec(signature)?.[1] ?? '').toLowerCase().replace(/\s/g, '').split(':')
    return LIST_FIELDS.some((name) => signed.includes(name.toLowerCase()))
  })
}

/**
 * The fields of a forwarded mail that say where it comes from and how to end it, each with its CRLF; UTF-8 where the
 * destination's local part is (RFC 6532). Throws for a value that is not what it should be. `raw`: the mail.
 */
export function forwardFields({ mark, destination, address, stopUrl }: ForwardFacts, raw: Uint8Array): string {
  if (!MARK.test(mark)) throw new TypeError('Not a mark')
  const stop = link(stopUrl)
  const fields = [
    field(MARK_FIELD, mark),
    field('X-Forwarded-To', mailbox(destination)),
    field('X-Forwarded-For', mailbox(address)),
    field(STOP_FIELD, stop),
  ]
  if (!hasOwnList(raw)) fields.push(field('List-Unsubscribe', stop), field('List-Unsubscribe-Post', ONE_CLICK))
  return fields.join('')
}
