import type { MessageContent } from '#core/message.ts'
import { type RemoteUrlSigner, signRemoteUrl } from '../html/remote-url.ts'
import { sanitizeMailHtml } from '../html/sanitize.ts'
import { inlineImages } from './attachments.ts'
import { plainHeaders } from './fallback.ts'
import { headerText } from './header-text.ts'
import type { Email } from './parse.ts'
import { readableText } from './summarize.ts'

/** The parts of a mail for its detail view. */
export function contentOf(mail: Email, signer?: RemoteUrlSigner): MessageContent {
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: headerText(value) }))
  const text = readableText(mail)
  if (!mail.html) return { text, html: null, headers, hasRemoteContent: false }
  const options = signer ? { remote: (url: string) => signRemoteUrl(url, signer) } : {}
  return { text, headers, ...sanitizeMailHtml(mail.html, { inline: inlineImages(mail), ...options }) }
}

/** For mail that defeats the parser: its headers. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  return { text: null, html: null, headers: plainHeaders(raw), hasRemoteContent: false }
}
