import { HTML_MAX_CHARACTERS, type MessageContent, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { fromUtf8 } from '../bytes.ts'
import type { RemoteUrl } from '../html/css.ts'
import { htmlFrame, textFrame } from '../html/frame.ts'
import { sanitizeMailHtml } from '../html/sanitize.ts'
import { inlineImages } from './attachments.ts'
import { dateOf } from './date.ts'
import { plainHeaders } from './fallback.ts'
import { headerText } from './header-text.ts'
import type { Email } from './parse.ts'
import { readableText } from './summarize.ts'

/** Returns the parts of a message to show. `remote` rewrites remote URLs so that the frame may load them. */
export function contentOf(mail: Email, remote?: RemoteUrl): MessageContent {
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: headerText(value) }))
  const text = readableText(mail)
  const html = mail.html ?? null
  const truncated = (text?.length ?? 0) > TEXT_MAX_CHARACTERS || (html?.length ?? 0) > HTML_MAX_CHARACTERS
  const content = { text: text && truncate(text, TEXT_MAX_CHARACTERS), headers, date: dateOf(headers), truncated }
  if (!html) return { ...content, html: null, hasRemoteContent: false }
  const shown = truncate(html, HTML_MAX_CHARACTERS)
  return { ...content, ...sanitizeMailHtml(shown, { inline: inlineImages(mail), remote }) }
}

const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed()

const PAGE_TEXT = 200

/**
 * Reduces the content to what the page around the frame needs: whether there are text and HTML, which the frame shows.
 */
export const outlineOf = ({ text, html, ...content }: MessageContent): MessageContent => ({
  ...content,
  text: text && text.trimStart().slice(0, PAGE_TEXT),
  html: html && '',
})

/** Returns the document that shows a message in its frame, in UTF-8. */
export function frameOf({ text, html }: MessageContent, view: 'html' | 'text'): Uint8Array {
  return fromUtf8(view === 'html' && html !== null ? htmlFrame(html) : textFrame(text ?? ''))
}

/** Returns the headers of a message that cannot be parsed. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  const headers = plainHeaders(raw)
  return { text: null, html: null, headers, date: dateOf(headers), hasRemoteContent: false, truncated: false }
}
