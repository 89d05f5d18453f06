import type { MailReport } from '#core/forwarding/forwarding.ts'
import { toUtf8 } from '../bytes.ts'
import { plainHeaders } from '../reader/fallback.ts'
import { bytesOf, type Email, type Part } from '../reader/parse.ts'
import { STOP_FIELD } from './fields.ts'
import { MARK_FIELD } from './gate.ts'
import { statusIn } from './status.ts'

/** Bytes of a part that are read. */
const PART_BYTES = 64 * 1024
const MAX_RECIPIENTS = 100

/** RFC 3464, and RFC 6533 for internationalized messages. */
const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/
const RETURNED = /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/
/** Reports that are not complaints (RFC 6430, RFC 6591). Unknown types count as complaints, like `other`. */
const NO_COMPLAINT = /^(?:not-spam|auth-failure)\b/i

const textOf = (part: Part): string => toUtf8(bytesOf(part).subarray(0, PART_BYTES))

/** Returns the groups of fields of a report part. Groups are separated by empty lines. */
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

/** Returns the status of a failed recipient: of the two fields, the first one that says more than "failed". */
function statusOf(fields: Map<string, string>): string {
  const known = ['status', 'diagnostic-code'].flatMap((name) => statusIn(fields.get(name)) ?? [])
  return known.find((status) => !status.endsWith('.0.0')) ?? known[0] ?? '5.0.0'
}

/** Parses a bounce (RFC 3464): one group about the message, then one for each recipient. */
function bounce(part: Part): MailReport | undefined {
  // Some mailers omit the empty line or the group about the message.
  const recipients = fieldGroups(part).filter((fields) => fields.has('action'))
  if (recipients.length === 0) return undefined
  const failed = recipients.filter((fields) => /^failed\b/i.test(fields.get('action') ?? ''))
  return {
    kind: 'bounce',
    statuses: failed.map(statusOf),
  }
}

/** Parses a complaint (RFC 5965): the feedback fields, and the returned message or its header. */
function complaint(part: Part, returned: Part | undefined): MailReport | undefined {
  const type = fieldGroups(part)[0]?.get('feedback-type')
  if (!type || NO_COMPLAINT.test(type)) return undefined
  const fields = returned ? plainHeaders(bytesOf(returned)) : []
  const field = (fieldName: string): string | null =>
    fields.find(({ name }) => name.toLowerCase() === fieldName.toLowerCase())?.value.trim() ?? null
  return { kind: 'complaint', mark: field(MARK_FIELD), stopUrl: field(STOP_FIELD)?.replace(/^<(.*)>$/, '$1') ?? null }
}

/** The separator before the copy of the message in a plain text bounce. */
const COPY = /^-{3}/m
/** The bounce format of qmail (cr.yp.to/proto/qsbmf.txt): paragraphs of `<recipient>:` and a reason. */
const QMAIL = /^Hi\. This is the/
const QMAIL_RECIPIENT = /^<[^\n]*>:[ \t]*\n/

/**
 * Parses bounces in formats older than RFC 3464: of qmail, and of Exim, which names the failed recipients in a header.
 */
function plainBounce(mail: Email): MailReport | undefined {
  const failed = mail.headers.find(({ key }) => key === 'x-failed-recipients')?.value
  const text = (mail.text ?? '').slice(0, PART_BYTES).replace(/\r\n?/g, '\n').trimStart()
  const explanation = text.slice(0, Math.max(0, text.search(COPY)) || undefined)
  if (QMAIL.test(text)) {
    const reasons = explanation.split(/\n\s*\n/, MAX_RECIPIENTS).filter((paragraph) => QMAIL_RECIPIENT.test(paragraph))
    return reasons.length > 0
      ? { kind: 'bounce', statuses: reasons.map((reason) => statusIn(reason.replace(QMAIL_RECIPIENT, '')) ?? '5.0.0') }
      : undefined
  }
  if (!failed) return undefined
  return { kind: 'bounce', statuses: failed.split(',', MAX_RECIPIENTS).map(() => statusIn(explanation) ?? '5.0.0') }
}

/** Returns the bounce or complaint that a message reports. Undefined if it is not a report in a known format. */
export function reportOf(mail: Email): MailReport | undefined {
  const type = mail.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!/^\s*multipart\/report\b/i.test(type)) return plainBounce(mail)
  const parts = mail.attachments
  const status = parts.find(({ mimeType }) => DELIVERY_STATUS.test(mimeType))
  // A bounce may have no recipients there and name them in its header instead.
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
