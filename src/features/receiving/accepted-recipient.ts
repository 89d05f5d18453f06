import type { RecipientRow } from '#core/mailbox/address.ts'
import type { OperatorMail } from './operator-room.ts'

interface Accepted {
  /** The recipient as the sender wrote it, without angle brackets. */
  recipient: string
  /** The maximum size of a message to it, in bytes. */
  maxBytes: number
}

/** A recipient whose messages are stored. */
export interface AcceptedMailbox extends Accepted {
  row: RecipientRow
  /** The bytes that it could store when the recipient was accepted. Not set for the operator mailbox. */
  freeBytes?: number
  /** Set for the operator mailbox. */
  operator?: OperatorMail | undefined
  /** Whether the operator mailbox had no room. The message is only read as a report, so it must have no other recipients. */
  isFull?: boolean
}

/** The return path of a forwarded message or of our own emails. A message to it is not stored. */
interface AcceptedReturnPath extends Accepted {
  row?: undefined
  operator?: undefined
  /** The forwarding job that a report to this return path is about. Undefined for our own emails, whose reports are discarded. */
  jobId: string | undefined
}

/** A recipient that RCPT TO accepted. */
export type AcceptedRecipient = AcceptedMailbox | AcceptedReturnPath

/** A mailbox that gets one copy of a message, with all its recipients as the sender wrote them. */
export interface RecipientMailbox extends AcceptedMailbox {
  recipients: string[]
}

/** Returns what is the same for equal recipients. Those of one mailbox differ if they have another login or `+tag`. */
export const recipientKey = (each: AcceptedRecipient): string =>
  each.row ? `mailbox ${each.row.id} ${each.recipient.toLowerCase()}` : `job ${each.jobId}`

/** Returns the mailboxes among the recipients, each mailbox once. */
export function mailboxesOf(recipients: readonly AcceptedRecipient[]): RecipientMailbox[] {
  const mailboxes = new Map<string, RecipientMailbox>()
  for (const each of recipients) {
    if (!each.row) continue
    const found = mailboxes.get(each.row.id)
    if (found) found.recipients.push(each.recipient)
    else mailboxes.set(each.row.id, { ...each, recipients: [each.recipient] })
  }
  return [...mailboxes.values()]
}

/** Returns the forwarding jobs whose return paths are among the recipients. */
export const jobIdsOf = (recipients: readonly AcceptedRecipient[]): string[] =>
  recipients.flatMap((each) => (each.row || each.jobId === undefined ? [] : [each.jobId]))
