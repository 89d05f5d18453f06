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

/** The parts of a mail for its detail view. `remote` turns a remote URL into one that the frame may load. */
export function contentOf(mail: Email, remote?: RemoteUrl): MessageContent {
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: headerText(value) }))
  const text = readableText(mail)
  const html = mail.html ?? null
  const truncated = (text?.length ?? 0) > TEXT_MAX_CHARACTERS || (html?.length ?? 0) > HTML_MAX_CHARACTERS
  const content = { text: text && beginning(text, TEXT_MAX_CHARACTERS), headers, date: dateOf(headers), truncated }
  if (!html) return { ...content, html: null, hasRemoteContent: false }
  const shown = beginning(html, HTML_MAX_CHARACTERS)
  return { ...content, ...sanitizeMailHtml(shown, { inline: inlineImages(mail), remote }) }
}

const beginning = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed()

const PAGE_TEXT = 200

/** What the page around the frame needs of it: whether there are text and HTML, which the frame shows. */
export const outlineOf = ({ text, html, ...content }: MessageContent): MessageContent => ({
  ...content,
  text: text && text.trimStart().slice(0, PAGE_TEXT),
  html: html && '',
})

/** The document that shows a mail in its frame. */
export function frameOf({ text, html }: MessageContent, view: 'html' | 'text'): Uint8Array {
  return fromUtf8(view === 'html' && html !== null ? htmlFrame(html) : textFrame(text ?? ''))
}

/** For mail that defeats the parser: its headers. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  const headers = plainHeaders(raw)
  return { text: null, html: null, headers, date: dateOf(headers), hasRemoteContent: false, truncated: false }
}
