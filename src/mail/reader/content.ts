import { imageType } from '#core/image-type.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import { HEADERS_SHOWN, HTML_MAX_CHARACTERS, type MessageContent, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { fromUtf8, toBase64 } from '../bytes.ts'
import type { RemoteUrl } from '../html/css.ts'
import { htmlFrame, imageFrame, textFrame } from '../html/frame.ts'
import { linksOf } from '../html/links.ts'
import { type Sanitized, sanitizeMailHtml } from '../html/sanitize.ts'
import { trackerReport } from '../html/trackers.ts'
import { fitHtml } from '../html/without-bulk.ts'
import { inlineImages, listAttachments } from './attachments.ts'
import { senderOf } from './author.ts'
import { calendarEventOf } from './calendar-event.ts'
import { dateOf } from './date.ts'
import { NO_HTML } from './fallback.ts'
import { clean, headerText } from './header-text.ts'
import { lookalikeOf } from './lookalike.ts'
import { bytesOf, type Email } from './parse.ts'
import { readableText } from './summarize.ts'
import { unsubscribeOf } from './unsubscribe.ts'

const NOTHING = { ...NO_HTML, images: new Map<string, boolean>(), cut: false }

/**
 * Sanitizes the HTML of a message, if it has any that shows more than its text does and is not nested too deep.
 * `remote` rewrites remote URLs so that the frame may load them. `cut`: something of it is missing.
 */
function sanitized(mail: Email, remote: RemoteUrl | undefined) {
  if (!mail.html) return NOTHING
  const { html, data, cut } = fitHtml(mail.html, HTML_MAX_CHARACTERS)
  try {
    const shown = sanitizeMailHtml(html, { inline: inlineImages(mail), data, remote })
    return (cut || mail.text?.trim()) && isBlank(shown) ? { ...NOTHING, cut } : { ...shown, cut: cut || shown.cut }
  } catch (error) {
    if (error instanceof RangeError) return { ...NOTHING, cut }
    throw error
  }
}

/** A style sheet, a tag or the text up to the next one. */
const PIECE = /<style>[^]*?<\/style>|<[^>]*>|[^<]+/g
/** An inline image, or one with an alternative text. */
const IMAGE = /<img(?=[^>]*\s(?:src="data:|alt="[^"]))|url\("data:|background="data:/

/** Whether sanitized HTML has neither text nor an image, other than those that track whether it is opened. */
function isBlank({ html, images }: Sanitized): boolean {
  // Most messages have text near their beginning.
  for (const [piece] of html.matchAll(PIECE)) if (!piece.startsWith('<') && clean(piece) !== '') return false
  return [...images.values()].every((isPixel) => isPixel) && !IMAGE.test(html)
}

/** Returns the parts of a message to show. For `remote` see `sanitized`. */
export function contentOf(mail: Email, remote?: RemoteUrl): MessageContent {
  const headers = mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value: headerText(value) }))
  const text = readableText(mail)
  const shownText = text && truncate(text, TEXT_MAX_CHARACTERS)
  const { html: shownHtml, images, cut, ...shown } = sanitized(mail, remote)
  const links = linksOf(shownHtml, shownText)
  return {
    text: shownText,
    html: shownHtml,
    htmlOriginal: mail.html ? truncate(mail.html, HTML_MAX_CHARACTERS) : (mail.html ?? null),
    headers,
    date: dateOf(headers),
    truncated: cut || (text?.length ?? 0) > TEXT_MAX_CHARACTERS,
    ...shown,
    links,
    trackers: trackerReport(images, links),
    lookalike: lookalikeOf(domainOf(senderOf(mail, { mailFrom: '' }).address)),
    calendar: calendarEventOf(mail),
    unsubscribe: unsubscribeOf(mail),
  }
}

const truncate = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed()

const PAGE_TEXT = 200
const PAGE_LINKS = 20

/**
 * Reduces the content to what the page around the frame needs: whether there are text and HTML, which the frame shows,
 * the first headers, with one more if there are others, and the links that claim to lead elsewhere.
 */
export const outlineOf = ({ text, html, ...content }: MessageContent): MessageContent => ({
  ...content,
  headers: content.headers.slice(0, HEADERS_SHOWN + 1),
  links: content.links.filter(({ named }) => named !== null).slice(0, PAGE_LINKS),
  text: text && text.trimStart().slice(0, PAGE_TEXT),
  html: html && '',
  htmlOriginal: null,
})

/**
 * Returns the document that shows a message in its frame, in UTF-8, without the parts of its content that only a page
 * shows. For `remote` see `sanitized`.
 */
export function mailFrameOf(mail: Email, view: 'html' | 'text', remote?: RemoteUrl): Uint8Array {
  const { html, ...look } = view === 'html' ? sanitized(mail, remote) : NO_HTML
  const text = html === null ? readableText(mail) : null
  return frameOf({ text: text && truncate(text, TEXT_MAX_CHARACTERS), html, ...look }, view)
}

/** Returns the document that shows content in the frame of its message, in UTF-8. */
function frameOf(
  { text, html, ...look }: Pick<MessageContent, 'text' | 'html' | 'colored' | 'background' | 'dir'>,
  view: 'html' | 'text',
): Uint8Array {
  return fromUtf8(view === 'html' && html !== null ? htmlFrame(html, look) : textFrame(text ?? ''))
}

/** A larger image is only offered for download. */
const IMAGE_MAX_BYTES = 10 * 1024 * 1024

/** Returns the document that shows an attached image, in UTF-8. Undefined if it is no image that browsers show. */
export function imageFrameOf(mail: Email, index: number): Uint8Array | undefined {
  const found = listAttachments(mail)[index]
  if (!found || found.info.size > IMAGE_MAX_BYTES) return undefined
  const content = bytesOf(found.part)
  const type = imageType(content)
  if (type === undefined) return undefined
  return fromUtf8(imageFrame(`data:${type};base64,${toBase64(content)}`))
}
