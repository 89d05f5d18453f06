import { concat, fromUtf8, strictUtf8 } from '../bytes.ts'
import { readableWords, withoutRawWords } from './encoded-words.ts'

const CHARSET = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/gim
const TEXT_CHARSET =
  /^content-type:\s*text\/(?:plain|html)\b[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/gim
/** Bytes of a message that are searched for the charset of its text. */
const SEARCHED_BYTES = 64 * 1024
/** Ignored, because bytes that are not UTF-8 are not ASCII either. Mailers declare it by default. */
const ASCII = /^(?:us-)?ascii$/i

const latin1 = new TextDecoder('windows-1252')

const charsetIn = (text: string, pattern: RegExp): string | undefined =>
  Array.from(text.matchAll(pattern), ([, charset = '']) => charset).find((charset) => !ASCII.test(charset))

/** Decodes headers. Returns undefined if they are not valid in the charset, or if it is UTF-16, where ASCII is not valid. */
function decodeAs(head: Uint8Array, charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined
  try {
    const decoder = new TextDecoder(charset, { fatal: true })
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder.decode(head)
  } catch {
    return undefined
  }
}

const CR = 13
const LF = 10

/** Returns the bytes of the header section, including the empty line that ends it. */
export function headLength(raw: Uint8Array): number {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at + 1] === LF) return at + 2
    if (raw[at - 1] === CR && raw[at + 1] === CR && raw[at + 2] === LF) return at + 3
  }
  return raw.length
}

/**
 * Returns a function that returns a message, or the beginning of a part of it, with a header section in UTF-8 whose
 * encoded words are complete. It returns its argument if nothing changes. Headers that are not UTF-8 (RFC 6532) are
 * decoded with the charset of their body, or of the text of the message, or else as Latin 1.
 */
export function headReader(message: Uint8Array, maxBytes: number): (raw: Uint8Array) => Uint8Array {
  let known: { charset: string | undefined } | undefined
  const messageCharset = (): string | undefined =>
    (known ??= { charset: charsetIn(latin1.decode(message.subarray(0, SEARCHED_BYTES)), TEXT_CHARSET) }).charset
  function decode(head: Uint8Array): string {
    const text = latin1.decode(head)
    return decodeAs(head, charsetIn(text, CHARSET)) ?? decodeAs(head, messageCharset()) ?? text
  }
  return (raw) => {
    const length = headLength(raw)
    if (length > maxBytes) return raw
    const original = raw.subarray(0, length)
    const head = withoutRawWords(original)
    const text = strictUtf8(head)
    const readable = readableWords(text ?? decode(head))
    return head === original && readable === text ? raw : concat(fromUtf8(readable), raw.subarray(length))
  }
}
