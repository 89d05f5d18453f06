import type { MessageContent } from '#core/message.ts'
import type { RemoteUrl } from '../html/css.ts'
import { sanitizeMailHtml } from '../html/sanitize.ts'
import { inlineImages } from './attachments.ts'
import { plainHeaders } from './fallback.ts'
import { headerText } from './header-text.ts'
import type { Email } from './parse.ts'
import { readableText } from './summarize.ts'

/** The parts of a mail for its detail view. `remote` turns a remote URL into one that the frame may load. */
export function contentOf(mail: Email, remote?: RemoteUrl): MessageContent {
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: headerText(value) }))
  const text = readableText(mail)
  if (!mail.html) return { text, html: null, headers, hasRemoteContent: false }
  return { text, headers, ...sanitizeMailHtml(mail.html, { inline: inlineImages(mail), remote }) }
}

/** For mail that defeats the parser: its headers. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  return { text: null, html: null, headers: plainHeaders(raw), hasRemoteContent: false }
}
