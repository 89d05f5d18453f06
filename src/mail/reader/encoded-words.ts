import { concat, fromBase64, fromLatin1, fromUtf8, isAscii, strictUtf8, toBase64, toLatin1 } from '../bytes.ts'
import { decodeUtf7, isUtf7 } from './utf7.ts'

/** Adjacent encoded words (RFC 2047) of one charset in Base64. */
const RUN = /=\?([^?\s]{1,60})\?b\?[^?\s]*\?=(?:\s*=\?\1\?b\?[^?\s]*\?=)+/gi
const PAYLOAD = /\?b\?([^?\s]*)\?=/gi
const NO_CHARSET = /=\?\?([bq])\?/gi
const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=/gi
const RAW_BYTES = /[\u0080-\u00FF]+/g

const toQuoted = (bytes: string): string =>
  bytes.replace(RAW_BYTES, (run) =>
    Array.from(run, (byte) => `=${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  )

/** Decodes the payload of an encoded word with encoding Q to one character per byte. */
const fromQuoted = (payload: string): string =>
  payload
    .replace(/[_\s]/g, ' ')
    .replace(/=([0-9A-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/**
 * Returns the header section without encoded words that contain bytes over 127, which RFC 2047 forbids. Such bytes are
 * quoted in the charset of the word. If they are valid UTF-8 and the word declares another charset, they are moved out
 * of the word as text.
 */
export function withoutRawWords(head: Uint8Array): Uint8Array {
  if (isAscii(head)) return head
  const text = toLatin1(head)
  const plain = text.replace(WORD, (word, charset: string, encoding: string, payload: string) => {
    if (encoding.toLowerCase() === 'b' || !/[\u0080-\u00FF]/.test(payload)) return word
    const isText = !/^utf-?8(?:\*|$)/i.test(charset) && strictUtf8(fromLatin1(payload)) !== undefined
    if (!isText) return `=?${charset}?q?${toQuoted(payload)}?=`
    return payload
      .split(/([\u0080-\u00FF]+)/)
      .map((part, index) => (index % 2 === 1 || part === '' ? part : `=?${charset}?q?${part}?=`))
      .join('')
  })
  return plain === text ? head : fromLatin1(plain)
}

/**
 * Joins adjacent encoded words, because some senders split a character between two words (against RFC 2047 5), and
 * converts words in UTF-7 to UTF-8.
 */
export function readableWords(text: string): string {
  return text
    .replace(NO_CHARSET, '=?utf-8?$1?')
    .replace(RUN, (run, charset: string) => {
      const bytes = Array.from(run.matchAll(PAYLOAD), ([, payload = '']) => fromBase64(payload))
      return `=?${charset}?b?${toBase64(concat(...bytes))}?=`
    })
    .replace(WORD, (word, charset: string, encoding: string, payload: string) => {
      if (!isUtf7(charset.split('*', 1)[0])) return word
      const bytes = encoding.toLowerCase() === 'b' ? toLatin1(fromBase64(payload)) : fromQuoted(payload)
      return `=?utf-8?b?${toBase64(fromUtf8(decodeUtf7(bytes)))}?=`
    })
}
