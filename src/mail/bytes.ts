// Functions for bytes that also work in browsers, which have no Buffer.

export const LF = 0x0a
export const CR = 0x0d

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

export const fromUtf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** Decodes UTF-8. Invalid bytes become U+FFFD. A byte order mark is kept. */
export const toUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Decodes UTF-8. Undefined if the bytes are invalid. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Concatenates texts in UTF-8, each after one byte with its length. Throws if one is longer than 255 bytes. */
export function lengthPrefixed(...texts: string[]): Uint8Array<ArrayBuffer> {
  // A UTF-16 unit takes up to three bytes.
  const whole = new Uint8Array(texts.reduce((sum, { length }) => sum + 1 + 3 * length, 0))
  let at = 0
  for (const text of texts) {
    const { written } = encoder.encodeInto(text, whole.subarray(at + 1))
    if (written > 255) throw new RangeError('A text is longer than 255 bytes')
    whole[at] = written
    at += 1 + written
  }
  return whole.slice(0, at)
}

/** Bytes per call of `String.fromCharCode`. The number of arguments of one call is limited. */
const CHUNK_BYTES = 8192

/** Returns one character per byte. */
export function toLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  return text
}

/** Returns one byte per character. */
export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  // An iterator would make an array of all characters.
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** RFC 4648 4. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as { toBase64?: () => string }).toBase64
  if (native) return native.call(bytes)
  return btoa(toLatin1(bytes))
}

/**
 * Decodes Base64 as mailers write it: with other characters between, with or without padding, which may be anywhere, also
 * in the URL alphabet.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const units = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/=]/g, '')
    .split(/=+/)
  // A single remaining character does not form a byte.
  return fromLatin1(units.map((unit) => atob(unit.length % 4 === 1 ? unit.slice(0, -1) : unit)).join(''))
}

/** RFC 4648 5, without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
