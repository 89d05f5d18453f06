import type { EmailContent, EmailTexts } from '#core/email/email.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { composeMail } from '../compose.ts'
import { type EmailFacts, partsOf } from './parts.ts'
import { htmlOf, textOf } from './render.ts'

export interface EmailSettings extends EmailFacts {
  /** Email address of the sender. */
  from: string
  /** Returns the URL of the site without a trailing slash. */
  siteUrl(): string
}

interface EmailAddress {
  /** The id of the email, which becomes its Message-ID. An email that is sent twice has the same id. */
  id: string
  to: string
  language: string
  /** Milliseconds since the epoch. */
  date: number
}

/** Returns the bytes of an email (RFC 5322) with text and HTML. The HTML loads nothing and has no read tracking. */
export function composeEmail(
  content: EmailContent,
  texts: EmailTexts,
  { id, to, language: code, date }: EmailAddress,
  settings: EmailSettings,
): Promise<Buffer> {
  const language = languages.find((each) => each.code === code) ?? languages[0]
  if (!language) throw new Error('No languages are defined')
  const { subject, why, ...body } = partsOf(content, texts, settings)
  const frame = {
    ...body,
    why: why ?? texts.text('mail.why'),
    subject,
    locale: language.tag,
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
    language: language.tag,
  })
}
