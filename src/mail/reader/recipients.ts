import type { Mailbox, MessageHead } from '#core/mailbox/message.ts'
import { mailboxesIn } from './author.ts'
import { clean } from './header-text.ts'
import type { Email } from './parse.ts'

/** Mailboxes of one header that are kept, and the longest text of each. */
const MAX_MAILBOXES = 50
const MAX_TEXT = 320

const short = (text: string | undefined): string => clean(text ?? '').slice(0, MAX_TEXT)

/** Returns the mailboxes of a header. */
const mailboxes = (addresses: Email['to']): Mailbox[] => mailboxesIn(addresses ?? [], MAX_TEXT, MAX_MAILBOXES)

/** Returns what the headers say about the message and its recipients. */
export const headOf = (mail: Email): MessageHead => ({
  messageId: short(mail.messageId),
  to: mailboxes(mail.to),
  cc: mailboxes(mail.cc),
  bcc: mailboxes(mail.bcc),
  replyTo: mailboxes(mail.replyTo),
})
