import { CONTENT_MAX_CHARACTERS, type MessageContent } from '#core/message.ts'
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
  const truncated = [text, html].some((each) => (each?.length ?? 0) > CONTENT_MAX_CHARACTERS)
  const content = { text: beginning(text), headers, date: dateOf(headers), truncated }
  if (!html) return { ...content, html: null, hasRemoteContent: false }
  return { ...content, ...sanitizeMailHtml(beginning(html), { inline: inlineImages(mail), remote }) }
}

function beginning<Text extends string | null>(text: Text): Text {
  if (text === null || text.length <= CONTENT_MAX_CHARACTERS) return text
  return text.slice(0, CONTENT_MAX_CHARACTERS).toWellFormed() as Text
}

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
