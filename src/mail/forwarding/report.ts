import type { MailReport } from '#core/forwarding/forwarding.ts'
import { toUtf8 } from '../bytes.ts'
import { plainHeaders } from '../reader/fallback.ts'
import { bytesOf, type Email, type Part } from '../reader/parse.ts'
import { STOP_FIELD } from './fields.ts'
import { MARK_FIELD } from './gate.ts'
import { statusIn } from './status.ts'

/** So much of a part is looked at. */
const PART_BYTES = 64 * 1024
const MAX_RECIPIENTS = 100

/** RFC 3464, and RFC 6533 for what is not in ASCII. */
const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/
const RETURNED = /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/
/** Reports that accuse nobody: RFC 6430 and RFC 6591. Types that nobody knows are as good as `other`. */
const NO_COMPLAINT = /^(?:not-spam|auth-failure)\b/i

const textOf = (part: Part): string => toUtf8(bytesOf(part).subarray(0, PART_BYTES))

/** The groups of fields of a report part; one group follows another after an empty line. */
function fieldGroups(part: Part): Map<string, string>[] {
  return textOf(part)
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n(?:[ \t]*\n)+/, MAX_RECIPIENTS)
    .map((group) => {
      const fields = new Map<string, string>()
      for (const { name, value } of plainHeaders(Buffer.from(`${group}\n\n`))) {
        if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
      }
      return fields
    })
}

/** RFC 3464: one group about the mail, then one for each recipient. */
function bounce(part: Part): MailReport | undefined {
  // Some mailers leave out the empty line, or the group about the mail.
  const recipients = fieldGroups(part).filter((fields) => fields.has('action'))
  if (recipients.length === 0) return undefined
  const failed = recipients.filter((fields) => /^failed\b/i.test(fields.get('action') ?? ''))
  return {
    kind: 'bounce',
    statuses: failed.map(
      (fields) => statusIn(fields.get('status')) ?? statusIn(fields.get('diagnostic-code')) ?? '5.0.0',
    ),
  }
}

/** RFC 5965: what is reported, then the mail or its header. */
function complaint(part: Part, returned: Part | undefined): MailReport | undefined {
  const type = fieldGroups(part)[0]?.get('feedback-type')
  if (!type || NO_COMPLAINT.test(type)) return undefined
  const fields = returned ? plainHeaders(bytesOf(returned)) : []
  const field = (wanted: string): string | null =>
    fields.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value.trim() ?? null
  return { kind: 'complaint', mark: field(MARK_FIELD), stopUrl: field(STOP_FIELD)?.replace(/^<(.*)>$/, '$1') ?? null }
}

/** Before the copy of the mail in a bounce that is mere text. */
const COPY = /^-{3}/m
/** The bounce format of qmail and what follows it (cr.yp.to/proto/qsbmf.txt): paragraphs of `<recipient>:` and reason. */
const QMAIL = /^Hi\. This is the/
const QMAIL_RECIPIENT = /^<[^\n]*>:[ \t]*\n/

/** Bounces of before RFC 3464: those of qmail, and of Exim, which says in its header whom it failed for. */
function plainBounce(mail: Email): MailReport | undefined {
  const failed = mail.headers.find(({ key }) => key === 'x-failed-recipients')?.value
  const text = (mail.text ?? '').slice(0, PART_BYTES).replace(/\r\n?/g, '\n').trimStart()
  const said = text.slice(0, Math.max(0, text.search(COPY)) || undefined)
  if (QMAIL.test(text)) {
    const reasons = said.split(/\n\s*\n/, MAX_RECIPIENTS).filter((paragraph) => QMAIL_RECIPIENT.test(paragraph))
    return reasons.length > 0
      ? { kind: 'bounce', statuses: reasons.map((reason) => statusIn(reason.replace(QMAIL_RECIPIENT, '')) ?? '5.0.0') }
      : undefined
  }
  if (!failed) return undefined
  return { kind: 'bounce', statuses: failed.split(',', MAX_RECIPIENTS).map(() => statusIn(said) ?? '5.0.0') }
}

/** What a mail of a machine reports; undefined where it reports nothing, or not as the RFCs say. */
export function reportOf(mail: Email): MailReport | undefined {
  const type = mail.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!/^\s*multipart\/report\b/i.test(type)) return plainBounce(mail)
  const parts = mail.attachments
  const status = parts.find(({ mimeType }) => DELIVERY_STATUS.test(mimeType))
  // A bounce may tell nothing there, and name its recipients in its header.
  if (status) return bounce(status) ?? plainBounce(mail)
  const feedback = parts.find(({ mimeType }) => mimeType === 'message/feedback-report')
  return (
    feedback &&
    complaint(
      feedback,
      parts.find(({ mimeType }) => RETURNED.test(mimeType)),
    )
  )
}
