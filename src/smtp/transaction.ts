import { type AcceptedRecipient, isSameRecipient } from '#features/receiving/index.ts'
import { replies } from './replies.ts'

/** From MAIL to the end of DATA (RFC 5321 3.3). */
export interface Transaction {
  mailFrom: string
  utf8: boolean
  /** What MAIL said of the size (RFC 1870); 0 where it said nothing. */
  size: number
  /** The size that it is taken for when recipients are counted. */
  expectedSize: number
  recipients: AcceptedRecipient[]
  /** The largest mail that all of them take. */
  maxBytes: number
}

/**
 * Adds a recipient to a transaction. Where the size of the mail is known all of them must take it; where it isn't all must take
 * the same, or a mail would be too large for some of them when it is too late to say for whom: for those of another limit the
 * sender comes again (RFC 5321 4.5.3.1.10).
 */
export function addRecipient(transaction: Transaction, accepted: AcceptedRecipient, maxCopiesBytes: number): string {
  const { size, expectedSize, recipients } = transaction
  const [first = accepted] = recipients
  if (size > accepted.maxBytes) return replies.tooBig
  if (size === 0 && first.maxBytes !== accepted.maxBytes) return replies.takenApart
  // Two names of one mailbox get one copy.
  if (recipients.some((each) => isSameRecipient(each, accepted))) return replies.recipientOk
  const copies = copiesOf(transaction)
  if (copies > 0 && expectedSize * (copies + 1) > maxCopiesBytes) return replies.tooManyCopies
  transaction.maxBytes = Math.min(transaction.maxBytes, accepted.maxBytes)
  recipients.push(accepted)
  return replies.recipientOk
}

/** How often the mail is stored: what comes to the return path of a forwarded one is read and not kept. */
export const copiesOf = ({ recipients }: Pick<Transaction, 'recipients'>): number =>
  recipients.filter(({ row }) => row !== undefined).length
