import { randomUUID } from 'node:crypto'
import { type AcceptedRecipient, recipientKey } from '#features/receiving/index.ts'
import type { Path } from './commands.ts'
import { DataReader } from './data.ts'
import type { SmtpMemory } from './memory.ts'
import type { SmtpOptions } from './options.ts'
import { receivedHeader } from './received.ts'
import { replies } from './replies.ts'
import type { Sender } from './sender-limits.ts'

/** A mail transaction, from MAIL to the end of DATA (RFC 5321 3.3). */
export interface Transaction {
  mailFrom: string
  utf8: boolean
  /** The size declared in MAIL (RFC 1870), or 0. */
  size: number
  /** The size that is assumed for the limit on copies; see `Sender.expectedSize`. */
  expectedSize: number
  recipients: AcceptedRecipient[]
  /** Their keys (`recipientKey`), and the ids of their mailboxes. */
  keys: Set<string>
  mailboxes: Set<string>
  /** The largest message that all recipients accept. */
  maxBytes: number
  /** Whether a recipient was refused by a fault that its owner set. */
  hasFault?: boolean
  /** Whether its failure was already recorded for the recipients. */
  failed?: boolean
}

/** Begins the transaction of a MAIL command. */
export function beginTransaction(
  { mailbox: mailFrom, parameters }: Path,
  sender: Pick<Sender, 'expectedSize'>,
  maxBytes: number,
): Transaction {
  const size = Number(parameters.get('SIZE') ?? 0)
  const expectedSize = sender.expectedSize(size)
  return {
    mailFrom,
    utf8: parameters.has('SMTPUTF8'),
    size,
    expectedSize,
    recipients: [],
    keys: new Set(),
    mailboxes: new Set(),
    maxBytes,
  }
}

/** Creates the reader of the message of a transaction. The message begins with its trace header. */
export function messageReader(
  { utf8, recipients, maxBytes }: Transaction,
  session: Omit<Parameters<typeof receivedHeader>[0], 'hostname' | 'utf8' | 'id' | 'recipients'>,
  { options, share }: { options: SmtpOptions; share: SmtpMemory },
): DataReader {
  const trace = receivedHeader({
    ...session,
    hostname: options.hostname,
    utf8,
    id: randomUUID(),
    recipients: recipients.map(({ recipient }) => recipient),
  })
  return new DataReader(trace, { ...options, maxMessageBytes: maxBytes }, share)
}

/**
 * Adds a recipient to a transaction and returns the reply. If the size of the message is declared, every recipient must
 * accept that size. If it is not, all recipients must have the same size limit, because the reply to DATA cannot say
 * for which of them the message is too large. Likewise, a full operator mailbox has no other recipients beside it. The
 * sender retries the others in a new transaction (RFC 5321 4.5.3.1.10).
 */
export function addRecipient(transaction: Transaction, accepted: AcceptedRecipient, maxCopiesBytes: number): string {
  const { size, expectedSize, recipients, keys, mailboxes } = transaction
  const [first = accepted] = recipients
  if (first.row && first.isFull && first.row.id !== accepted.row?.id) return replies.tooManyRecipients
  if (size > accepted.maxBytes) return replies.tooBig
  if (size === 0 && first.maxBytes !== accepted.maxBytes) return replies.otherSizeLimit
  const { row } = accepted
  // Whether the operator mailbox has room is known only after DATA, if no size is declared.
  const isOperators = first.operator !== undefined || accepted.operator !== undefined
  if (size === 0 && isOperators && first.row?.id !== row?.id) return replies.tooManyRecipients
  const key = recipientKey(accepted)
  if (keys.has(key)) return replies.recipientOk
  const copies = mailboxes.size + (row && !mailboxes.has(row.id) ? 1 : 0)
  if (copies > 1 && expectedSize * copies > maxCopiesBytes) return replies.tooManyCopies
  transaction.maxBytes = Math.min(transaction.maxBytes, accepted.maxBytes)
  recipients.push(accepted)
  keys.add(key)
  if (row) mailboxes.add(row.id)
  return replies.recipientOk
}

/** Returns how many copies a message counts as: at least one, because a message to return paths alone is read, too. */
export const copiesOf = ({ mailboxes }: Pick<Transaction, 'mailboxes'>): number => Math.max(1, mailboxes.size)
