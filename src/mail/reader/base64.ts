const LF = 0x0a
const CR = 0x0d
const TAB = 0x09
const SPACE = 0x20
const EQUALS = 0x3d
/** The value of a byte that is no character of Base64. */
export const NO_DIGIT = 0xff

/** The values of the characters of Base64 (RFC 4648 4). */
export const base64Values = new Uint8Array(256).fill(NO_DIGIT)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  base64Values[character.charCodeAt(0)] = value
}

export const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

/** A shorter line without padding may be a word. */
const MIN_BASE64_LINE = 40

/**
 * Returns the index after which a text in Base64 continues with text that is not encoded: after padding or an empty line,
 * there is a line with other characters, or with spaces between characters.
 */
export function endOfBase64(lines: Uint8Array): number {
  let begun = false
  let end = -1
  for (let at = 0; at < lines.length;) {
    const next = lines.indexOf(LF, at) + 1 || lines.length
    const { data, padding, isForeign } = kindOf(lines, at, next)
    if (isForeign && end !== -1) return end
    if (padding > 0) end = next
    else if (data >= MIN_BASE64_LINE) end = -1
    else if (data === 0 && begun && end === -1) end = next
    begun ||= data > 0
    at = next
  }
  return lines.length
}

/** Counts the characters of Base64 in a line. */
function kindOf(lines: Uint8Array, start: number, end: number): { data: number; padding: number; isForeign: boolean } {
  let data = 0
  let padding = 0
  let isForeign = false
  for (let at = start; at < end; at++) {
    const byte = lines[at] as number
    if (byte === EQUALS) padding++
    else if (base64Values[byte] !== NO_DIGIT) {
      data++
      isForeign ||= data > 1 && isBlank(lines[at - 1])
    } else isForeign ||= !isBlank(byte) && byte !== CR && byte !== LF
  }
  return { data, padding, isForeign: isForeign || padding > data + 2 }
}
