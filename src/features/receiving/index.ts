/**
 * What happens to a message between SMTP and its 250: which address it is for, its limits, sealing and storing. The operator's
 * own mailbox is here, too.
 */
export { ensureOperatorMailbox } from './operator-mailbox.ts'
export { type AcceptedRecipient, createReceive, isSameRecipient, type Receive, type ReceiveDeps } from './receive.ts'
