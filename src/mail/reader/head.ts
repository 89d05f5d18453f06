import { CR, fromLatin1, fromUtf8, LF, strictUtf8, toLatin1, toUtf8 } from '../bytes.ts'
import { decodeText } from './charset.ts'
import { readableWords } from './encoded-words.ts'

const CHARSET = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/gim
const TEXT_CHARSET =
  /^content-type:\s*text\/(?:plain|html)\b[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/gim
/** Bytes of a message that are searched for the charset of its text. */
const SEARCHED_BYTES = 64 * 1024
/** Lines of a header section that may each have a charset of their own. Further ones are read as UTF-8. */
const MAX_LINES = 1000
/** Charsets of a message that are tried. */
const MAX_HINTS = 3
// oxlint-disable-next-line no-control-regex
const UNCLEAR = /[\u0080-\u00FF\u001B]/

/** Returns the bytes of the header section, including the empty line that ends it. */
export function headLength(raw: Uint8Array): number {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at + 1] === LF) return at + 2
    if (raw[at - 1] === CR && raw[at + 1] === CR && raw[at + 2] === LF) return at + 3
  }
  return raw.length
}

const FIELD = /^[!-9;-~]+[ \t]*:(?!\/\/)/
/** A header of a MIME part. Other lines with a colon may be text, such as `Code: 482913`. */
const FIELD_OF_PART = /^(?:content|mime|x)-[!-9;-~]*[ \t]*:/i
/** Bytes of a line in which its colon is searched. */
const MAX_NAME = 200

/**
 * Returns the length of the fields at the beginning of a part without an empty line. What follows is its body: the lines
 * after the first one that is no field, if no field of a part follows. A damaged line does not end the fields.
 */
export function fieldsLength(part: Uint8Array): number {
  let length = 0
  for (let at = 0; at < part.length;) {
    const found = part.indexOf(LF, at)
    const end = found === -1 ? part.length : found + 1
    const line = toLatin1(part.subarray(at, Math.min(end, at + MAX_NAME)))
    if (/^\r*\n/.test(line)) return part.length
    if (FIELD_OF_PART.test(line) || (length === at && (FIELD.test(line) || /^[ \t]/.test(line)))) length = end
    at = end
  }
  return length
}

/** Returns a function that returns the charsets that a text declares. It is searched at the first call. */
function charsetsIn(bytes: Uint8Array, pattern: RegExp): () => string[] {
  let known: string[] | undefined
  return () =>
    (known ??= [...new Set(Array.from(toLatin1(bytes).matchAll(pattern), ([, charset = '']) => charset))].slice(
      0,
      MAX_HINTS,
    ))
}

/** Returns a function that returns the charsets that the texts of a message declare. */
export const textCharsets = (message: Uint8Array): (() => string[]) =>
  charsetsIn(message.subarray(0, SEARCHED_BYTES), TEXT_CHARSET)

/**
 * Returns a function that returns a header section in UTF-8 whose encoded words are complete. It returns its argument if
 * nothing changes, or if it is longer than `maxBytes`. Each line that is not UTF-8 (RFC 6532) is decoded with the charset
 * of its body, or of the text of the message (`charsets`), or else as Latin 1.
 */
export function headReader(charsets: () => string[], maxBytes: number): (original: Uint8Array) => Uint8Array {
  return (original) => {
    if (original.length > maxBytes) return original
    const head = toLatin1(original)
    const readable = readableWords(head)
    if (readable === head && !head.includes('\u001B') && strictUtf8(original) !== undefined) return original
    const own = charsetsIn(original, CHARSET)
    return fromUtf8(decodeLines(readable, () => [...own(), ...charsets()]))
  }
}

/**
 * Decodes a header section given as Latin 1, one character for each byte. Never changes line breaks or the names of
 * headers: programs that check the sender must find the same headers.
 */
function decodeLines(head: string, hints: () => string[]): string {
  let left = MAX_LINES
  return head
    .split('\n')
    .map((line) => {
      if (!UNCLEAR.test(line)) return line
      const start = /^[ \t]/.test(line) ? 0 : line.indexOf(':')
      if (start === -1 || left-- <= 0) return toUtf8(fromLatin1(line))
      // The colon is no part of a byte order mark.
      return toUtf8(fromLatin1(line.slice(0, start))) + decodeText(fromLatin1(line.slice(start)), { hints })
    })
    .join('\n')
}
