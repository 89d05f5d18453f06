/**
 * Receives a message until it is acknowledged with 250: finds the recipient, checks limits, seals and stores. Also
 * contains the operator mailbox.
 */
export { type AcceptedRecipient, recipientKey } from './accepted-recipient.ts'
export { ensureOperatorMailbox } from './operator-mailbox.ts'
export { createFaultInjector, type DelaySource } from './fault-injector.ts'
export type { FailedAttempt } from '#features/mailbox/index.ts'
export { createReceive, type Receive, type ReceiveDeps } from './receive.ts'
