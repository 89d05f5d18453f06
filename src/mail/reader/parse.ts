import PostalMime, { type Attachment as Part, decodeWords, type Email } from 'postal-mime'
import { countLines, countParts, type ParseLimits } from './limits.ts'

export type { Email, Part }

/** The mail is over a limit of the parser. */
export class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError'
}

/** RFC 5322 and MIME by postal-mime. Throws for what is over the limits. */
export async function parseMail(raw: Uint8Array, limits: ParseLimits): Promise<Email> {
  if (countLines(raw) > limits.maxLines) throw new ParseLimitError(`Over ${limits.maxLines} lines`)
  if (countParts(raw) > limits.maxParts) throw new ParseLimitError(`Over ${limits.maxParts} parts`)
  return PostalMime.parse(raw, {
    maxNestingDepth: limits.maxDepth,
    maxHeadersSize: limits.maxHeaderBytes,
    attachmentEncoding: 'arraybuffer',
  })
}

const SPLIT_WORDS = /(=\?([^?\s]+)\?b\?)([a-z0-9+/]*=*)\?=\s+=\?\2\?b\?([a-z0-9+/]*=*)\?=/gi

/** Some senders cut a character in two over encoded words (against RFC 2047 5): such words are joined before decoding. */
function joinWords(value: string): string {
  const joined = value.replace(SPLIT_WORDS, (_all, head: string, _charset, one: string, other: string) => {
    const bytes = Buffer.concat([Buffer.from(one, 'base64'), Buffer.from(other, 'base64')])
    return `${head}${bytes.toString('base64')}?=`
  })
  return joined
}

/** A header's text: encoded words decoded, raw 8-bit bytes read as UTF-8 where they are UTF-8. */
export function headerText(value: string): string {
  return clean(decodeWords(joinWords(value)))
}

/** One line without control, zero-width and direction-changing characters, which serve to deceive only. */
export function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u00AD\u034F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** The bytes of a part. */
export function bytesOf(part: Part): Uint8Array {
  const { content } = part
  if (typeof content === 'string') return Buffer.from(content, part.encoding === 'base64' ? 'base64' : 'utf8')
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}
