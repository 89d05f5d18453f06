import { headLength } from '../reader/head.ts'

/** No mailer writes so much; what is longer is not forwarded. */
const HEADER_MAX_BYTES = 1024 * 1024

/** White space that may be folded (RFC 5322 3.2.2), bare line feeds too. */
const FWS = String.raw`(?:[ \t]|\r?\n[ \t])*`

/** The header section (RFC 5322 2.1) as Latin 1, a character for each byte; undefined where it is over `HEADER_MAX_BYTES`. */
export function headerSection(raw: Uint8Array): string | undefined {
  const length = headLength(raw.subarray(0, HEADER_MAX_BYTES + 1))
  return length > HEADER_MAX_BYTES ? undefined : Buffer.from(raw.buffer, raw.byteOffset, length).toString('latin1')
}

/** How many fields of this name there are, however they are written; stops at `limit`. */
export function countFields(head: string, name: string, limit = Infinity): number {
  let count = 0
  for (const _ of head.matchAll(new RegExp(`^${name}${FWS}:`, 'gim'))) if (++count >= limit) break
  return count
}

/** The values of the fields of these names, folded as they are. */
export function fieldValues(head: string, names: readonly string[]): string[] {
  const fields = new RegExp(String.raw`^(?:${names.join('|')})${FWS}:(.*(?:\r?\n[ \t].*)*)`, 'gim')
  return Array.from(head.matchAll(fields), ([, value = '']) => value)
}
