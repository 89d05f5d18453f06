import { CR, fromBase64, LF, strictUtf8, toLatin1 } from '../bytes.ts'

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

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000E-\u001F]/

/** Whether a line is text in Base64, rather than words. */
function encodesText(line: Uint8Array): boolean {
  const text = strictUtf8(fromBase64(toLatin1(line)))
  return text !== undefined && !CONTROL.test(text)
}

/**
 * Returns the index after which a text in Base64 continues with text that is not encoded: after padding or an empty line,
 * there is a line with other characters, or with words.
 */
export function endOfBase64(lines: Uint8Array): number {
  let begun = false
  let end = -1
  /** Whether lines of Base64 have spaces. */
  let isSpaced = false
  for (let at = 0; at < lines.length;) {
    const next = lines.indexOf(LF, at) + 1 || lines.length
    const { data, padding, spaced, foreign } = kindOf(lines, at, next)
    if (end !== -1) {
      if (spaced) isSpaced ||= encodesText(lines.subarray(at, next))
      if (foreign || (spaced && !isSpaced)) return end
    }
    if (padding > 0) end = next
    else if (data >= MIN_BASE64_LINE) end = -1
    else if (data === 0 && begun && end === -1) end = next
    begun ||= data > 0
    at = next
  }
  return lines.length
}

interface Kind {
  /** Characters of Base64. */
  data: number
  padding: number
  /** Whether there are spaces between characters. */
  spaced: boolean
  /** Whether there are other characters. */
  foreign: boolean
}

const EMPTY: Kind = { data: 0, padding: 0, spaced: false, foreign: false }

function kindOf(lines: Uint8Array, start: number, end: number): Kind {
  if (lines[start] === LF || (lines[start] === CR && start + 2 === end)) return EMPTY
  let data = 0
  let padding = 0
  let spaced = false
  let foreign = false
  for (let at = start; at < end; at++) {
    const byte = lines[at] as number
    if (byte === EQUALS) padding++
    else if (base64Values[byte] !== NO_DIGIT) {
      data++
      spaced ||= data > 1 && isBlank(lines[at - 1])
    } else foreign ||= !isBlank(byte) && byte !== CR && byte !== LF
  }
  return { data, padding, spaced, foreign: foreign || padding > data + 2 }
}
