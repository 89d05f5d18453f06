/** Mayfly's own emails: the queue, sending, the outbox reader, and the DKIM signature. */
export { createEmailSender, type SubscriptionFacts } from './email-sender.ts'
export { createEmails, type Emails } from './emails.ts'
export { createOutboxReader, type OutboxReader } from './outbox.ts'
export { createSignEmail } from './signed-emails.ts'
export { createSigningKey, type SigningKeyOf } from './signing-key.ts'
