import { concat, fromUtf8, strictUtf8 } from '../bytes.ts'
import { readableWords, withoutRawWords } from './encoded-words.ts'

const CHARSET = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/im

/** Raw bytes over 127 in headers that are no UTF-8 (RFC 6532): the charset of the body, else Latin 1. */
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

/** Bytes of the header section, with the empty line that ends it. */
export function headLength(raw: Uint8Array): number {
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at + 1] === LF) return at + 2
    if (raw[at - 1] === CR && raw[at + 1] === CR && raw[at + 2] === LF) return at + 3
  }
  return raw.length
}

/** The mail with a header section that any parser can read: UTF-8, encoded words whole. The same bytes where it is so already. */
export function withReadableHead(raw: Uint8Array, maxBytes: number): Uint8Array {
  const length = headLength(raw)
  if (length > maxBytes) return raw
  const given = raw.subarray(0, length)
  const head = withoutRawWords(given)
  const text = strictUtf8(head)
  const readable = readableWords(text ?? decode(head))
  return head === given && readable === text ? raw : concat(fromUtf8(readable), raw.subarray(length))
}
