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
/** The texts of a part, or of an alternative, as postal-mime collects them. */
export type Texts = Partial<Record<TextType, { value: string }[]>>

export const htmlOfText = (text: string): string => `<pre>${textToHtml(text)}</pre>`

const hasText = (texts: Texts['html']): boolean => texts?.some(({ value }) => value.trim() !== '') ?? false

/**
 * Returns the body in one type: the texts of this type, and converted ones where a part has only the other one. postal-mime
 * would convert them with what HTML hides, and without the links of a text. Blank if no part has text of this type.
 */
export function bodyOf(parts: readonly Texts[], type: TextType): string {
  const [other, convert] = type === 'html' ? (['plain', htmlOfText] as const) : (['html', textOf] as const)
  const isThere = parts.some((texts) => hasText(texts[type]))
  return parts
    .flatMap((texts) => {
      const own = texts[type]?.map(({ value }) => value) ?? []
      return !isThere || hasText(texts[type]) || !hasText(texts[other])
        ? own
        : texts[other]?.map(({ value }) => convert(value))
    })
    .join('\n')
}

const textOf = (html: string): string => textOfHtml(html) ?? ''

/** A part that has more than a line break. */
const hasContent = ({ content }: { content: ArrayBuffer | null }): boolean => content !== null && uncutSize(content) > 2

/**
 * Returns the parts of an alternative without further versions of the same content (RFC 2046 5.1.4): the last text of each
 * type, but plain text rather than markup. Other texts without a name are for clients that run AMP, or for watches.
 */
export function withoutVersions<Part extends BodyPart<Part>>(parts: Part[], isText: (part: Part) => boolean): Part[] {
  const texts = parts.filter((part) => isText(part) && hasContent(part))
  const typeOf = ({ contentType }: Part): string => contentType.parsed.value
  const last = (type: string): Part | undefined => {
    const ofType = texts.filter((part) => typeOf(part) === type)
    return ofType.findLast((part) => !isMarkup(part)) ?? ofType.at(-1)
  }
  const shown = new Set([last('text/plain'), last('text/html')])
  const isReadable = texts.length > 0 || parts.some(({ contentType }) => contentType.multipart)
  return parts.filter((part) => {
    if (texts.includes(part)) return shown.has(part)
    const { contentType, contentDisposition } = part
    const isNamed = contentType.parsed.params['name'] ?? contentDisposition.parsed.params['filename']
    const isFile = isNamed || contentDisposition.parsed.value === 'attachment'
    return !isReadable || isFile || !/^text\/(?!calendar$|plain$|html$)/.test(typeOf(part))
  })
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
