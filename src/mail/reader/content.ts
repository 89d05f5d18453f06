import type { MessageContent } from '#core/message.ts'
import type { RemoteUrl } from '../html/css.ts'
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
  const date = dateOf(headers)
  if (!mail.html) return { text, html: null, headers, date, hasRemoteContent: false }
  return { text, headers, date, ...sanitizeMailHtml(mail.html, { inline: inlineImages(mail), remote }) }
}

/** For mail that defeats the parser: its headers. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  const headers = plainHeaders(raw)
  return { text: null, html: null, headers, date: dateOf(headers), hasRemoteContent: false }
}
