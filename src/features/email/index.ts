/**
 * Emails that Mayfly itself sends: the queue, the relay or the outbox directory, and their DKIM signature.
 */
export { createLetterSender } from './email-sender.ts'
export { createLetters, type Letters } from './emails.ts'
export { createOutboxReader, type OutboxReader } from './outbox.ts'
export { createSignLetter } from './signed-emails.ts'
export { createSigningKey, type SigningKeyOf } from './signing-key.ts'
