import { isUtf8 } from 'node:buffer'

/** Adjacent encoded words (RFC 2047) of one charset, in base64. */
const RUN = /=\?([^?\s]{1,60})\?b\?[^?\s]*\?=(?:\s*=\?\1\?b\?[^?\s]*\?=)+/gi
const PAYLOAD = /\?b\?([^?\s]*)\?=/gi
const NO_CHARSET = /=\?\?([bq])\?/gi
const CHARSET = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([\w.:-]{1,40})/im

/** Some senders cut a character in two over encoded words (against RFC 2047 5): their bytes are joined before decoding. */
function joinWords(text: string): string {
  return text.replace(NO_CHARSET, '=?utf-8?$1?').replace(RUN, (run, charset: string) => {
    const bytes = Array.from(run.matchAll(PAYLOAD), ([, payload = '']) => Buffer.from(payload, 'base64'))
    return `=?${charset}?b?${Buffer.concat(bytes).toString('base64')}?=`
  })
}

/** Raw bytes over 127 in headers: UTF-8 (RFC 6532), else the charset of the body, else Latin 1. */
function decode(head: Uint8Array): string {
  if (isUtf8(head)) return Buffer.from(head.buffer, head.byteOffset, head.length).toString('utf8')
  const latin1 = new TextDecoder('windows-1252').decode(head)
  const charset = CHARSET.exec(latin1)?.[1] ?? 'windows-1252'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(head)
  } catch {
    return latin1
  }
}

/** Bytes of the header section, with the empty line that ends it. */
function headLength(raw: Buffer): number {
  const end = raw.indexOf('\r\n\r\n')
  const bare = raw.subarray(0, end === -1 ? raw.length : end).indexOf('\n\n')
  return bare !== -1 ? bare + 2 : end === -1 ? raw.length : end + 4
}

/** The mail with a header section that any parser can read: UTF-8, encoded words whole. The same bytes where it is so already. */
export function withReadableHead(mail: Uint8Array, maxBytes: number): Uint8Array {
  const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
  const length = headLength(raw)
  if (length > maxBytes) return mail
  const head = raw.subarray(0, length)
  if (isUtf8(head) && !head.includes('=?')) return mail
  const readable = Buffer.from(joinWords(decode(head)))
  return readable.equals(head) ? mail : Buffer.concat([readable, raw.subarray(length)])
}
