import type { Envelope } from '#core/message.ts'
import type { RecipientRow } from '#core/ports.ts'

/** A recipient that RCPT TO accepted. */
export interface AcceptedRecipient {
  /** As the sender wrote it, without angle brackets. */
  recipient: string
  row: RecipientRow
}

export interface Receive {
  /** At RCPT TO. Throws `recipient_unknown`, `relay_denied`, `mailbox_full`, `store_unavailable`. */
  accept(recipient: string): Promise<AcceptedRecipient>
  /**
   * At the end of DATA. Resolves when the mail is durable for every recipient: only then may the 250 leave.
   * `raw` has its Received header; Return-Path is added here. Throws `mailbox_full`, `disk_full`, `store_unavailable`.
   */
  deliver(envelope: Omit<Envelope, 'recipient'>, recipients: readonly AcceptedRecipient[], raw: Uint8Array): Promise<void>
}
