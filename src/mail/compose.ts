import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailbox } from '#core/mailbox/message.ts'

export interface OutgoingMail {
  from: Mailbox
  to: string
  replyTo?: Mailbox | undefined
  /** Includes the angle brackets. */
  messageId: string
  /** Milliseconds since the epoch. */
  date: number
  subject: string
  /** Plain text with `\n` as line break. */
  text: string
  /** The same content as HTML. */
  html?: string
  /** The language of the content (BCP 47). */
  language?: string
  /** Further header fields. */
  headers?: Record<string, string>
}

/** Returns the bytes of an automatic email (RFC 5322, MIME). Values cannot inject headers. */
export function composeMail({ date, language, headers, ...mail }: OutgoingMail): Promise<Buffer> {
  const composer = new MailComposer({
    ...mail,
    date: new Date(date),
    headers: {
      // Prevents automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(language ? { 'Content-Language': language } : {}),
      ...headers,
    },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
