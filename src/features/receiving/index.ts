/**
 * The way of a message from SMTP to its 250: finding the recipient, checking limits, sealing and storing. Also the operator
 * mailbox.
 */
export { ensureOperatorMailbox } from './operator-mailbox.ts'
export { type AcceptedRecipient, createReceive, isSameRecipient, type Receive, type ReceiveDeps } from './receive.ts'
