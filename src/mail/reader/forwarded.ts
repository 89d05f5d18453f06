import { decodeHTMLAttribute } from 'entities/decode'
import type { Attachment as Part, Email } from 'postal-mime'
import { HTML_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { escapeHtml } from '#core/text.ts'
import { CID_IN_HTML, contentId, contentIdOf } from '../html/inline-images.ts'
import { textOfHtml } from '../html/to-text.ts'
import { htmlOfText } from './body.ts'
import { clean, headerText } from './header-text.ts'

/** Forwarded messages that are shown in the body. Further ones are attachments only. */
const MAX_SHOWN = 20
const SHOWN_HEADERS = ['From', 'Date', 'Subject', 'To']

/** Whether a part is a message (RFC 2046) or one with UTF-8 headers (RFC 6532). */
export const isMessage = (mimeType: string): boolean => /^message\/(?:rfc822|global)$/.test(mimeType)

/** RFC 3464, RFC 8098, RFC 6533 with UTF-8, RFC 5965. */
const REPORT = /^message\/(?:(?:global-)?(?:delivery-status|disposition-notification)|feedback-report)$/
const isReport = (mail: Email): boolean => mail.attachments.some(({ mimeType }) => REPORT.test(mimeType))

function headLines(mail: Email): string[] {
  return SHOWN_HEADERS.flatMap((name) => {
    const value = mail.headers.find(({ key }) => key === name.toLowerCase())?.value
    return value ? [clean(`${name}: ${headerText(value)}`)] : []
  })
}

const textOf = (mail: Email): string => mail.text ?? (mail.html ? (textOfHtml(mail.html) ?? '') : '')
const htmlOf = (mail: Email): string => mail.html ?? htmlOfText(mail.text ?? '')

/** `cid:` URLs in HTML or CSS. */
const CID = new RegExp(String.raw`(?<!\w)${CID_IN_HTML}([^"'\s<>)]+)`, 'gi')
/** More do not fit into the HTML that is shown. */
const MAX_REFERENCES = HTML_MAX_CHARACTERS / 'cid:x'.length
/** What ends a URL in the decoded HTML or CSS. */
const END = /["'\s<>)]/

/** Renames the Content-IDs of a message that another one also has, because each shows its own images. */
function separateContentIds(inner: Email, outer: Email): void {
  const taken = new Set(outer.attachments.map(contentId))
  const shared = new Set(inner.attachments.map(contentId).filter((id) => id !== '' && taken.has(id)))
  if (shared.size === 0) return
  const prefix = `${outer.attachments.length}.`
  for (const part of inner.attachments) {
    const id = contentId(part)
    if (shared.has(id)) part.contentId = `<${prefix}${id}>`
  }
  // What follows is not shown, and a long message may have a million references.
  let left = MAX_REFERENCES
  const shown = inner.html?.replace(CID, (url, reference: string) => {
    if (left-- <= 0) return url
    const [id = ''] = decodeHTMLAttribute(reference).split(END, 1)
    return shared.has(contentIdOf(`cid:${id}`) ?? '') ? `cid:${prefix}${reference}` : url
  })
  if (shown !== undefined) inner.html = shown
}

/**
 * Appends the text, the HTML and the attachments of forwarded messages to those of the message around
 * them. A message that is returned in a report is evidence, not content, and stays an attachment. So does a message for
 * which `parse` resolves with undefined.
 */
export async function appendForwarded(mail: Email, parse: (part: Part) => Promise<Email | undefined>): Promise<void> {
  if (isReport(mail)) return
  const parts = mail.attachments.filter(({ mimeType }) => isMessage(mimeType)).slice(0, MAX_SHOWN)
  for (const part of parts) {
    const inner = await parse(part)
    if (!inner) continue
    separateContentIds(inner, mail)
    const lines = headLines(inner)
    const text = [textOf(mail).trimEnd(), lines.join('\n'), textOf(inner)].filter(Boolean).join('\n\n')
    if (mail.html || inner.html) {
      mail.html = `${htmlOf(mail)}<hr><p>${lines.map(escapeHtml).join('<br>')}</p>${htmlOf(inner)}`
    }
    mail.text = text
    mail.attachments.push(...inner.attachments)
  }
}
