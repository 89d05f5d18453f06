/**
 * Emails that Mayfly itself sends: the queue, the relay or the outbox directory, and their DKIM signature.
 */
export { createEmailSender } from './email-sender.ts'
export { createEmails, type Emails } from './emails.ts'
export { createOutboxReader, type OutboxReader } from './outbox.ts'
export { createSignEmail } from './signed-emails.ts'
export { createSigningKey, type SigningKeyOf } from './signing-key.ts'
