import { decodeHTML } from 'entities/decode'
import { HTML_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { textToHtml } from '../html/text.ts'
import { textOfHtml } from '../html/to-text.ts'
import { isMarkup, type TypedPart } from './content-type.ts'
import { uncutSize } from './part-decoders.ts'

/** What this file needs of a part of postal-mime. */
interface BodyPart<Part> extends TypedPart {
  childNodes: Part[]
  content: ArrayBuffer | null
}

export type TextType = 'plain' | 'html'
export interface Text {
  value: string
  /** Whether only its beginning was kept, which may be nothing. */
  cut: boolean
}
/** The texts of a part, or of an alternative, as postal-mime collects them. */
export type Texts = Partial<Record<TextType, Text[]>>

/** Returns a text beside HTML with the look of a message of plain text. Its style is its own, whatever HTML it is in. */
export const htmlOfText = (text: string): string =>
  `<pre dir="auto" style="font:inherit;white-space:pre-wrap;overflow-wrap:anywhere">${textToHtml(text)}</pre>`

const hasText = (texts: Texts['html']): boolean => texts?.some(({ value, cut }) => cut || value.trim() !== '') ?? false

/**
 * Returns the body in one type: the texts of this type, and converted ones where a part has only the other one. postal-mime
 * would convert them with what HTML hides, and without the links of a text. Blank if no part has text of this type.
 */
export function bodyOf(parts: readonly Texts[], type: TextType): string {
  const other = type === 'html' ? 'plain' : 'html'
  const isThere = parts.some((texts) => hasText(texts[type]))
  /** Characters of text to convert to HTML. What follows is never shown. */
  let left = HTML_MAX_CHARACTERS
  const convert = (value: string): string => {
    if (type === 'plain') return textOf(value)
    const shown = value.slice(0, left)
    left -= shown.length
    return htmlOfText(shown)
  }
  return parts
    .flatMap((texts) => {
      const own = texts[type]?.map(({ value }) => value) ?? []
      return !isThere || hasText(texts[type]) || !hasText(texts[other])
        ? own
        : texts[other]?.map(({ value }) => convert(value))
    })
    .join('\n')
}

const BREAK = /<\/?(?:br|div|h\d|li|p|t[dhr]|table)\b[^<>]*>/gi
const UNSHOWN = /<(?:script|style|title)\b[^<>]*>[^<]*/gi
const TAG = /<[^<>]*>/g

/** Returns the text of HTML. If that is nested too deep, returns it without its tags. */
const textOf = (html: string): string =>
  textOfHtml(html) ??
  decodeHTML(html.replace(UNSHOWN, '').replace(BREAK, '\n').replace(TAG, '')).replace(/\n\s+/g, '\n')

const SPACE = 0x20

/** Whether a part has more than spaces and line breaks. */
const hasContent = ({ content }: { content: ArrayBuffer | null }): boolean =>
  content !== null && (uncutSize(content) > content.byteLength || new Uint8Array(content).some((byte) => byte > SPACE))

/** Versions for clients that run AMP, and for watches. */
const FOR_OTHER_CLIENTS = /^text\/(?:x-amp-html|(?:x-)?watch-html)$/

/**
 * Returns the parts of an alternative without versions of the same content (RFC 2046 5.1.4) that are not for readers of
 * the text: those for other clients, and markup beside plain text. Two texts of one type may have different content.
 */
export function withoutVersions<Part extends BodyPart<Part>>(parts: Part[], isText: (part: Part) => boolean): Part[] {
  const texts = parts.filter((part) => isText(part) && hasContent(part))
  const hasPlain = texts.some((part) => part.contentType.parsed.value === 'text/plain' && !isMarkup(part))
  const isReadable = texts.length > 0 || parts.some(({ contentType }) => contentType.multipart)
  return parts.filter((part) =>
    isText(part) ? !hasPlain || !isMarkup(part) : !isReadable || !FOR_OTHER_CLIENTS.test(part.contentType.parsed.value),
  )
}

/** Returns the first text, even if it is marked as a file. In a message without another text, it is what there is to read. */
export function firstText<Part extends BodyPart<Part>>(part: Part): Part | undefined {
  if (/^text\/(?:plain|html)$/.test(part.contentType.parsed.value) && hasContent(part)) return part
  for (const child of part.childNodes) {
    const found = firstText(child)
    if (found) return found
  }
  return undefined
}
