import {
  authenticationPending,
  type Envelope,
  type Mailbox,
  recipientsIn,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import { findCodeAndLink, type FinderInput, MAX_HTML, readMailHtml } from '../finder/finder.ts'
import { textOfHtml } from '../html/to-text.ts'
import { withoutBulk } from '../html/without-bulk.ts'
import { listAttachments } from './attachments.ts'
import { headerOf, senderOf } from './author.ts'
import { calendarText } from './calendar.ts'
import { clean, headerText } from './header-text.ts'
import type { Email } from './parse.ts'
import { headOf } from './recipients.ts'

const PREVIEW_LENGTH = 140
/** Characters that are searched for the preview. Senders pad it with invisible characters. */
const PREVIEW_SEARCHED = 10_000
/** The longest subject that is kept: the longest line of RFC 5322. */
const MAX_TEXT = 998

/** Returns the text of a message: its text part, or else the text of its HTML or its invitation. */
export function readableText(mail: Email): string | null {
  const text = mail.text?.trim() ? mail.text : mail.html ? textOfHtml(mail.html) : null
  return (text ?? calendarText(mail))?.replace(/\r\n?/g, '\n') ?? null
}

function previewOf(text: string): string {
  const characters = [...clean(text.slice(0, PREVIEW_SEARCHED))]
  return characters.length > PREVIEW_LENGTH
    ? `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`
    : characters.join('')
}

/** Returns the HTML that is read for an inbox row. Only a long one is read without its style sheets, which may hide text. */
const firstHtml = (html: string): string => (html.length > MAX_HTML ? withoutBulk(html).slice(0, MAX_HTML) : html)

/** Returns the parts of a message in which its code and its link are searched. */
export const finderInputOf = (mail: Email, from: Mailbox): FinderInput => ({
  subject: headerText(headerOf(mail, 'subject')).slice(0, MAX_TEXT),
  fromAddress: from.address,
  fromName: from.name,
  text: mail.text?.trim() ? mail.text : null,
  html: mail.html ? firstHtml(mail.html) : null,
})

/** Returns the summary of a message. Authentication needs the network and is added later. */
export function summarize(mail: Email, envelope: Envelope): SummaryContent {
  const from = senderOf(mail, envelope)
  const input = finderInputOf(mail, from)
  const html = readMailHtml(input.html)
  const found = findCodeAndLink(input, html)
  return {
    from,
    ...recipientsIn(envelope),
    subject: input.subject,
    preview: previewOf(html.text || (input.text ?? calendarText(mail) ?? '')),
    ...found,
    authentication: authenticationPending,
    attachments: listAttachments(mail).map(({ info }) => info),
    unreadable: false,
    head: headOf(mail),
  }
}
