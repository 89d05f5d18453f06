import { domainToASCII } from 'node:url'
import { LF } from '../bytes.ts'
import { headLength } from '../reader/head.ts'

/** Messages with a longer header section are not forwarded. No mailer writes as much. */
const HEADER_MAX_BYTES = 1024 * 1024

/** Folding white space (RFC 5322 3.2.2), also with bare line feeds. */
const FWS = String.raw`(?:[ \t]|\r?\n[ \t])*`

/**
 * Returns the header section (RFC 5322 2.1) as Latin 1, one character per byte. Undefined if it exceeds
 * `HEADER_MAX_BYTES`.
 */
export function headerSection(raw: Uint8Array): string | undefined {
  const length = headLength(raw.subarray(0, HEADER_MAX_BYTES + 1))
  return length > HEADER_MAX_BYTES ? undefined : Buffer.from(raw.buffer, raw.byteOffset, length).toString('latin1')
}

/** Counts the fields with a name, regardless of case and white space. Stops at `limit`. */
export function countFields(head: string, name: string, limit = Infinity): number {
  let count = 0
  for (const _ of head.matchAll(new RegExp(`^${name}${FWS}:`, 'gim'))) if (++count >= limit) break
  return count
}

/** Returns the values of the fields with the given names, without unfolding them. */
export function fieldValues(head: string, names: readonly string[]): string[] {
  const fields = new RegExp(String.raw`^(?:${names.join('|')})${FWS}:(.*(?:\r?\n[ \t].*)*)`, 'gim')
  return Array.from(head.matchAll(fields), ([, value = '']) => value)
}

const RETURN_PATH = /^return-path:/i

/**
 * Returns the message without the Return-Path (RFC 5321 4.4) that was added when it was stored. Shares the memory of
 * `raw`.
 */
export function withoutReturnPath(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 'return-path:'.length)).toString('latin1')
  return RETURN_PATH.test(start) ? raw.subarray(raw.indexOf(LF) + 1 || raw.length) : raw
}

/** Returns the authserv-id (RFC 8601 2.2) of the value of an Authentication-Results field, in lower case and ASCII. */
function authservId(value: string): string {
  let [id, comments, quoted] = ['', 0, false]
  for (let i = 0; i < value.length; i++) {
    let char = value[i] ?? ''
    if (char === '\\' && (quoted || comments > 0)) char = value[++i] ?? ''
    else if (char === '"' && comments === 0) {
      quoted = !quoted
      continue
    } else if (!quoted && char === '(') {
      if (id !== '') break
      comments++
      continue
    } else if (comments > 0) {
      if (char === ')') comments--
      continue
    } else if (!quoted && /[\s;]/.test(char)) {
      if (id !== '' || char === ';') break
      continue
    }
    if (comments === 0) id += char
  }
  // Folding may split a quoted id. An internationalized one is in UTF-8 (RFC 6532).
  const text = Buffer.from(id.replace(/[ \t\r\n]+/g, ''), 'latin1').toString()
  return (domainToASCII(text) || text).toLowerCase().replace(/\.$/, '')
}

const RESULTS = new RegExp(String.raw`^Authentication-Results${FWS}:(.*(?:\r?\n[ \t].*)*)(?:\r?\n|$)`, 'gim')

/**
 * Returns the message without the Authentication-Results that claim to be from `domain` or a subdomain. Only this
 * service may write those, and readers would trust them (RFC 8601 5). Shares the memory of `raw` if there are none.
 */
export function withoutForgedResults(raw: Uint8Array, domain: string): Uint8Array {
  const kept: Uint8Array[] = []
  let end = 0
  for (const { index, 0: field, 1: value = '' } of (headerSection(raw) ?? '').matchAll(RESULTS)) {
    const id = authservId(value)
    if (id !== domain && !id.endsWith(`.${domain}`)) continue
    kept.push(raw.subarray(end, index))
    end = index + field.length
  }
  return end === 0 ? raw : Buffer.concat([...kept, raw.subarray(end)])
}
