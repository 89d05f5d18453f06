import { normalizeEncoding } from '@exodus/bytes/encoding-lite.js'
import { CR, LF, toLatin1 } from '../bytes.ts'
import { decodeUtf7, isUtf7 } from './utf7.ts'

/** What may tell the charset of bytes. */
interface Clues {
  /** The charset that is declared for these bytes. */
  declared?: string | undefined
  /** Charsets that something else suggests, the most probable first. They are asked for only if nothing better is known. */
  hints?: () => (string | undefined)[]
  /** Whether the bytes are the beginning of a text, which may end within a character. */
  cut?: boolean
}

interface Decoded {
  text: string
  /** Whether all bytes are valid. */
  clean: boolean
  /** Whether enough characters over 127 are valid. */
  fits: boolean
}

const UTF8 = 'utf-8'
const WESTERN = 'windows-1252'
/** Labels that mailers write by default. Bytes over 127 contradict them. */
const ASCII = /^(?:us-?)?ascii$|^ansi_x3\.4/
const KOREAN = /^(?:cs)?iso-?2022-?kr$/
const CHINESE = /^hz(?:-gb-?2312)?$/
/** Charsets that bytes over 127 can't suggest: those of 7 bits, and UTF-16. */
const UNLIKE_ASCII = /^(?:utf-(?:7|16)|iso-2022|hz)/
const WIDE = /^utf-16/

/** Labels that the Encoding Standard does not know, without prefix and separators. */
const ALIASES: Record<string, string> = {
  iso88598e: 'iso-8859-8',
  iso88598i: 'iso-8859-8',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  uhc: 'euc-kr',
  junet: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  iso2022jpms: 'iso-2022-jp',
  tis620: 'windows-874',
}
/** Code pages of Windows, by number. */
const PAGES: Record<string, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: UTF8,
}

/** Returns the encoding that a label names. Undefined for ASCII and for a label that is missing or unknown. */
function encodingOf(label = ''): string | undefined {
  const name = label.toLowerCase().replace(/^\s*charset\s*=|["'\s]/g, '')
  if (name === '' || ASCII.test(name)) return undefined
  if (isUtf7(name)) return 'utf-7'
  if (KOREAN.test(name)) return 'iso-2022-kr'
  if (CHINESE.test(name)) return 'hz'
  const short = name.replace(/^(?:x-ms-|x-|cs)/, '').replace(/[._-]/g, '')
  const page = /^(?:cp|windows|ms|ibm)(\d+)$/.exec(short)?.[1] ?? ''
  const known =
    normalizeEncoding(name) ??
    ALIASES[short] ??
    PAGES[page] ??
    normalizeEncoding(short) ??
    normalizeEncoding(`cs${short}`) ??
    normalizeEncoding(`windows-${page}`)
  return known === null || known === 'replacement' || known === 'x-user-defined' ? undefined : known
}

const decoders = new Map<string, TextDecoder>()

/** Decodes bytes. A byte order mark is kept. */
function decode(encoding: string, bytes: Uint8Array, cut: boolean): string {
  if (encoding === 'utf-7') return decodeUtf7(toLatin1(bytes))
  if (encoding === 'iso-2022-kr') return decode('euc-kr', unshiftKorean(bytes), cut)
  if (encoding === 'hz') return decode('gbk', unshiftChinese(bytes), cut)
  // A decoder that waits for the rest of a character can't be used again.
  if (cut) return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes, { stream: true })
  let decoder = decoders.get(encoding)
  if (!decoder) decoders.set(encoding, (decoder = new TextDecoder(encoding, { ignoreBOM: true })))
  return decoder.decode(bytes)
}

const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const ESCAPE = 0x1b
const TILDE = 0x7e

/** Whether `bytes` continue with this text in ASCII at `at`. */
function hasAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

const isPrintable = (byte: number | undefined): byte is number => byte !== undefined && byte > 0x20 && byte < 0x7f

/** Converts ISO-2022-KR (RFC 1557) to EUC-KR. */
function unshiftKorean(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === ESCAPE && hasAt(bytes, at + 1, '$)C')) at += 3
    else if (byte === SHIFT_OUT) isShifted = true
    else if (byte === SHIFT_IN) isShifted = false
    else {
      if (byte === CR || byte === LF) isShifted = false
      out[length++] = isShifted && isPrintable(byte) ? byte | 0x80 : byte
    }
  }
  return out.subarray(0, length)
}

/** Converts HZ (RFC 1843) to GBK. */
function unshiftChinese(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] as number
    const next = bytes[at + 1]
    if (isShifted && byte !== TILDE && isPrintable(byte) && isPrintable(next)) {
      out[length++] = byte | 0x80
      out[length++] = next | 0x80
      at += 2
    } else if (isShifted) {
      isShifted = false
      if (hasAt(bytes, at, '~}')) at += 2
    } else if (hasAt(bytes, at, '~{')) {
      isShifted = true
      at += 2
    } else if (hasAt(bytes, at, '~\n')) at += 2
    else if (hasAt(bytes, at, '~\r\n')) at += 3
    else {
      out[length++] = byte
      at += hasAt(bytes, at, '~~') ? 2 : 1
    }
  }
  return out.subarray(0, length)
}

const REPLACEMENT = 0xfffd

/** Counts the characters over 127. */
function countsOf(text: string): { valid: number; invalid: number } {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === REPLACEMENT) invalid++
    else if (unit > 127) valid++
  }
  return { valid, invalid }
}

function isMostlyValid(text: string): boolean {
  const { valid, invalid } = countsOf(text)
  return valid >= 2 * invalid
}

/**
 * Whether a text was meant to be UTF-8. Text in another charset hardly ever has one valid sequence. The last one may be
 * cut, as in titles of limited length.
 */
function isPartlyUtf8(text: string): boolean {
  const { valid, invalid } = countsOf(text)
  return valid > 0 && valid >= invalid - (text.trimEnd().endsWith('\uFFFD') ? 1 : 0)
}

function isUtf8(bytes: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder(UTF8, { fatal: true }).decode(bytes, { stream: cut })
    return true
  } catch {
    return false
  }
}

/** `isGuess`: nothing suggests this encoding. */
function read(encoding: string, bytes: Uint8Array, cut: boolean, isGuess = false): Decoded {
  const text = decode(encoding, bytes, cut)
  // UTF-8 can contain the replacement character itself.
  const clean = !text.includes('\uFFFD') || (encoding === UTF8 && isUtf8(bytes, cut))
  const isWrong = WIDE.test(encoding) && !bytes.includes(0) && read(UTF8, bytes, cut, true).fits
  const fits = clean || (encoding === UTF8 && !isGuess ? isPartlyUtf8(text) : isMostlyValid(text))
  return { text, clean, fits: fits && !isWrong }
}

/** Returns the byte order of UTF-16 that a byte order mark declares, as a label. */
function marked(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

// oxlint-disable no-control-regex
/** Escape sequences of ISO-2022-JP (RFC 1468). Text for terminals, which has escape sequences too, has none of these. */
const JAPANESE = /\u001B\$[@B]/
/** The escape sequence of ISO-2022-KR (RFC 1557). No other 7-bit charset can be recognized without a declaration. */
const KOREAN_SHIFT = /\u001B\$\)C/
// oxlint-enable no-control-regex

/** Returns ASCII without the escape sequences of a 7-bit charset. */
function unescaped(text: string, bytes: Uint8Array, cut: boolean): string {
  if (!text.includes('\u001B') || text.length !== bytes.length) return text
  if (JAPANESE.test(text)) return decode('iso-2022-jp', bytes, cut)
  return KOREAN_SHIFT.test(text) ? decode('iso-2022-kr', bytes, cut) : text
}

/**
 * Decodes a text in the first of these charsets that fits: the declared one, UTF-8 without an error, those that something
 * else suggests, UTF-8 with a few errors, and Windows 1252, where all bytes are valid. A label that is unknown counts as
 * missing, and so does a common default of mailers if the text is UTF-8. A byte order mark is kept.
 */
export function decodeText(bytes: Uint8Array, { declared, hints, cut = false }: Clues = {}): string {
  const label = encodingOf(declared)
  const encoding = label === undefined || WIDE.test(label) ? (marked(bytes) ?? label) : label
  if (encoding !== undefined && encoding !== WESTERN) {
    const { text, fits } = read(encoding, bytes, cut)
    if (fits) return text
  }
  const utf8 = read(UTF8, bytes, cut, true)
  if (utf8.clean) return unescaped(utf8.text, bytes, cut)
  for (const hint of encoding === WESTERN ? [] : (hints?.() ?? [])) {
    const suggested = encodingOf(hint)
    if (suggested === undefined || suggested === WESTERN || UNLIKE_ASCII.test(suggested)) continue
    const { text, fits } = read(suggested, bytes, cut)
    if (fits) return text
  }
  return utf8.fits ? utf8.text : decode(WESTERN, bytes, cut)
}

const META = /<meta[^>]{0,200}charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i
const META_WITHIN_BYTES = 4096

/** Returns the charset that the `meta` of HTML declares. */
export const metaCharset = (bytes: Uint8Array): string | undefined =>
  META.exec(toLatin1(bytes.subarray(0, META_WITHIN_BYTES)))?.[1]
