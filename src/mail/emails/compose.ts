import type { EmailContent, EmailTexts } from '#core/email/email.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { composeMail } from '../compose.ts'
import { domainOf } from '../email-address.ts'
import { type EmailFacts, partsOf } from './parts.ts'
import { htmlOf, textOf } from './render.ts'

export interface EmailSettings extends EmailFacts {
  /** Address of the sender. */
  from: string
  /** Where the pages are, without a slash at the end. */
  siteUrl(): string
}

export interface EmailAddress {
  /** Of the email; a mail that had to be sent twice says by it that it is the same. */
  id: string
  to: string
  language: string
  /** Milliseconds since the epoch. */
  date: number
}

/** The bytes of an email (RFC 5322): text and HTML that loads nothing and tells nobody that it was read. */
export function composeEmail(
  content: EmailContent,
  texts: EmailTexts,
  { id, to, language: code, date }: EmailAddress,
  settings: EmailSettings,
): Promise<Buffer> {
  const language = languages.find((each) => each.code === code) ?? languages[0]
  if (!language) throw new Error('There is no language')
  const { subject, why, ...body } = partsOf(content, texts, settings)
  const frame = {
    ...body,
    why: why ?? texts.text('mail.why'),
    subject,
    locale: language.locale,
    dir: language.dir,
    orCopy: texts.text('mail.link'),
    answers: texts.text('mail.answers'),
    contactUrl: settings.siteUrl() + pathIn(language.code, '/contact'),
  }
  return composeMail({
    from: { name: 'Mayfly', address: settings.from },
    to,
    messageId: `<${id}@${domainOf(settings.from)}>`,
    date,
    subject,
    text: textOf(frame),
    html: htmlOf(frame),
    language: language.locale,
  })
}
