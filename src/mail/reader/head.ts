import { concat, fromUtf8, strictUtf8 } from '../bytes.ts'
import { readableWords, withoutRawWords } from './encoded-words.ts'

const CHARSET = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/im

/** Decodes headers that are not UTF-8 (RFC 6532), with the charset of the body or else as Latin 1. */
function decode(head: Uint8Array): string {
  const latin1 = new TextDecoder('windows-1252').decode(head)
  const charset = CHARSET.exec(latin1)?.[1] ?? 'windows-1252'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(head)
  } catch {
    return latin1
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
 * Returns the message with a header section in UTF-8 whose encoded words are complete. Returns `raw` itself if nothing
 * changes.
 */
export function withReadableHead(raw: Uint8Array, maxBytes: number): Uint8Array {
  const length = headLength(raw)
  if (length > maxBytes) return raw
  const original = raw.subarray(0, length)
  const head = withoutRawWords(original)
  const text = strictUtf8(head)
  const readable = readableWords(text ?? decode(head))
  return head === original && readable === text ? raw : concat(fromUtf8(readable), raw.subarray(length))
}
