import type { LetterContent, LetterVoice } from '#core/email/email.ts'
import { languages, pathIn } from '#locales/languages.ts'
import { composeMail } from '../compose.ts'
import { domainOf } from '../email-address.ts'
import { type LetterFacts, partsOf } from './parts.ts'
import { htmlOf, textOf } from './render.ts'

export interface LetterSettings extends LetterFacts {
  /** Address of the sender. */
  from: string
  /** Where the pages are, without a slash at the end. */
  siteUrl(): string
}

export interface LetterAddress {
  /** Of the letter; a mail that had to be sent twice says by it that it is the same. */
  id: string
  to: string
  language: string
  /** Milliseconds since the epoch. */
  date: number
}

/** The bytes of a letter (RFC 5322): text and HTML that loads nothing and tells nobody that it was read. */
export function composeLetter(
  content: LetterContent,
  voice: LetterVoice,
  { id, to, language: code, date }: LetterAddress,
  settings: LetterSettings,
): Promise<Buffer> {
  const language = languages.find((each) => each.code === code) ?? languages[0]
  if (!language) throw new Error('There is no language')
  const { subject, why, ...body } = partsOf(content, voice, settings)
  const frame = {
    ...body,
    why: why ?? voice.text('mail.why'),
    subject,
    locale: language.locale,
    dir: language.dir,
    orCopy: voice.text('mail.link'),
    answers: voice.text('mail.answers'),
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
