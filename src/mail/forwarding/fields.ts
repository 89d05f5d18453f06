import { MARK_FIELD } from './gate.ts'
import { fieldValues, headerSection } from './header-section.ts'

export interface ForwardFacts {
  /** Created by `Marks.mark`. */
  mark: string
  /** The destination, and the address of this service that received the message. */
  destination: string
  address: string
  /** The URL of the page that ends the forwarding, http or https. */
  stopUrl: string
}

/** RFC 5322 2.1.1. Excludes the CRLF. */
const LINE_MAX_OCTETS = 998
const LINE_OCTETS = 78
const MARK = /^[\w.-]+$/
/** An email address that needs no quotes in a field (RFC 5322 3.4.1, RFC 6532) and has no invisible characters. */
const MAILBOX = /^[^\s\p{C}\p{Z}@<>()[\]",:;\\]+@[a-z0-9.-]+$/iu

/** The name of the field with the link that ends the forwarding. Unlike List-Unsubscribe, it is always present. */
export const STOP_FIELD = 'X-Mayfly-Stop'
/** RFC 8058 3.1. */
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const LIST_FIELDS = ['List-Unsubscribe', 'List-Unsubscribe-Post']
/** The list of signed fields (RFC 6376 3.5). */
const SIGNED = /(?:^|;)\s*h\s*=([^;]*)/i

/** Formats a field. `value` must have no line breaks. It starts on a new line if the first line would be too long. */
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
 * Whether Mayfly must not add List-Unsubscribe: the message has one (RFC 2369 3 allows only one), or a signature covers
 * the missing field so that adding it would break the signature (RFC 6376 5.4.2).
 */
function mustNotAddList(raw: Uint8Array): boolean {
  const head = headerSection(raw) ?? ''
  if (fieldValues(head, LIST_FIELDS).length > 0) return true
  return fieldValues(head, ['DKIM-Signature', 'ARC-Message-Signature']).some((signature) => {
    const signed = (SIGNED.exec(signature)?.[1] ?? '').toLowerCase().replace(/\s/g, '').split(':')
    return LIST_FIELDS.some((name) => signed.includes(name.toLowerCase()))
  })
}

/**
 * Returns the fields that say where a forwarded message comes from and how to end the forwarding, each with its CRLF.
 * They are UTF-8 if the local part of the destination is (RFC 6532). Throws if a value is invalid. `raw` is the
 * message.
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
  if (!mustNotAddList(raw)) fields.push(field('List-Unsubscribe', stop), field('List-Unsubscribe-Post', ONE_CLICK))
  return fields.join('')
}
