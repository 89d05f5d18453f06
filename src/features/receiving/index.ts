/**
 * Receiving a message up to its 250: finding the recipient, checking limits, sealing and storing. Also the operator
 * mailbox.
 */
export { type AcceptedRecipient, isSameRecipient } from './accepted-recipient.ts'
export { ensureOperatorMailbox } from './operator-mailbox.ts'
export { createPlayFaults, type DelaySource } from './play-faults.ts'
export type { FailedAttempt } from '#features/mailbox/index.ts'
export { createReceive, type Receive, type ReceiveDeps } from './receive.ts'
