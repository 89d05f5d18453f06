/** The headers of a MIME part that tell what it is, as postal-mime parses them. */
export interface TypedPart {
  parentNode?: TypedPart
  contentType: { value: string; parsed: { value: string; params: Record<string, string> }; multipart: string | false }
  contentDisposition: { parsed: { value: string; params: Record<string, string> } }
}

/** A valid type (RFC 2045 5.1) of a known group. `binary` is not registered but common. */
const KNOWN =
  /^(?:application|audio|binary|chemical|font|image|message|model|multipart|text|video|x-[^/\s]+)\/[^\s/;,"()<>@:\\?=[\]]+$/i
/** Syntax of a type of any group. */
const VALID = /^[^\s/;,"()<>@:\\?=[\]]+\/[^\s/;,"()<>@:\\?=[\]]+$/
/** Text that people read as it is. */
const MARKUP = /^text\/(?:enriched|markdown|richtext|x-markdown|x-web-markdown)$/i
/** Text for programs. As a whole message, other unknown kinds of text are shown (RFC 2046 4.1.4). */
const FOR_PROGRAMS = /^text\/(?:calendar|csv|directory|html|plain|rtf|x-amp-html|(?:x-)?vcard)$/i

export const isCalendar = (mimeType: string): boolean => /^(?:text\/calendar|application\/ics)$/.test(mimeType)

export const isMarkup = ({ contentType }: TypedPart): boolean =>
  MARKUP.test(contentType.value.split(';', 1)[0]?.trim() ?? '')

/**
 * Corrects the type of a part that would otherwise be a file without a name, although it is text: an invalid type means
 * plain text (RFC 2045 5.2). `encoding` is its Content-Transfer-Encoding.
 */
export function correctContentType(part: TypedPart, encoding: string): void {
  const { contentType, contentDisposition, parentNode } = part
  const { parsed } = contentType
  const { value, params } = contentDisposition.parsed
  if (value === 'attachment' || params['filename'] || parsed.params['name']) return
  const type = parsed.value
  const isText = KNOWN.test(type)
    ? MARKUP.test(type) || (!parentNode && type.startsWith('text/') && !FOR_PROGRAMS.test(type))
    : // A file of an unknown group is usually encoded, text rarely.
      !VALID.test(type) || !/base64/i.test(encoding)
  if (isText) parsed.value = /^text\/html\b/i.test(type) ? 'text/html' : 'text/plain'
}
