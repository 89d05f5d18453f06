import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailbox } from '#core/mailbox/message.ts'

export interface OutgoingMail {
  from: Mailbox
  to: string
  replyTo?: Mailbox | undefined
  /** With its angle brackets. */
  messageId: string
  /** Milliseconds since the epoch. */
  date: number
  subject: string
  /** Plain text, its lines ended by `\n`. */
  text: string
  /** The same as HTML, for readers that prefer it. */
  html?: string
  /** Language of it (BCP 47). */
  language?: string
  /** Further header fields. */
  headers?: Record<string, string>
}

/** The bytes of a mail (RFC 5322, MIME) that a program writes; whatever stands in a value stays in it. */
export function composeMail({ date, language, headers, ...mail }: OutgoingMail): Promise<Buffer> {
  const composer = new MailComposer({
    ...mail,
    date: new Date(date),
    headers: {
      // RFC 3834: nobody's machine shall answer it.
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
