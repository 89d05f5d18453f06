import {
  authenticationPending,
  type Envelope,
  type Header,
  type MessageContent,
  noTrackers,
  recipientsIn,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import { fromUtf8, toUtf8 } from '../bytes.ts'
import { textFrame } from '../html/frame.ts'
import { authorIn } from './author.ts'
import { dateOf } from './date.ts'
import { headerText } from './header-text.ts'

/** Bytes of a message that are searched for headers. */
export const HEAD_BYTES = 64 * 1024
const MAX_TEXT = 998
/** No author is read from longer From headers, because this runs in the main thread too. A cut could end inside an address. */
const MAX_FROM = 8192
/**
 * Only these spaces may follow a name (RFC 5322 4.5.8). With others, the parser sees another name. The lookbehind keeps
 * the search linear: it starts at the first space of a run only.
 */
const SPACES_AT_END = /(?<![ \t])[ \t]+$/

/** Extracts the first headers of any bytes without the parser, for messages that it cannot parse. */
export function plainHeaders(raw: Uint8Array): Header[] {
  const head = toUtf8(raw.subarray(0, HEAD_BYTES))
  const section = head.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const headers: Header[] = []
  for (const line of section.split(/\r?\n/)) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`
      continue
    }
    const colon = line.indexOf(':')
    if (colon > 0)
      headers.push({ name: line.slice(0, colon).replace(SPACES_AT_END, ''), value: line.slice(colon + 1).trim() })
  }
  return headers
}

/** Returns a summary of what the headers say. The message itself can be read as source. */
export function fallbackSummary(raw: Uint8Array, envelope: Pick<Envelope, 'recipient' | 'recipients'>): SummaryContent {
  const headers = plainHeaders(raw)
  const value = (name: string): string => headers.find((each) => each.name.toLowerCase() === name)?.value ?? ''
  const from = value('from')
  return {
    from: (from.length <= MAX_FROM ? authorIn(from) : undefined) ?? { name: '', address: '' },
    ...recipientsIn(envelope),
    subject: headerText(value('subject').slice(0, MAX_TEXT)),
    preview: '',
    code: null,
    link: null,
    candidates: [],
    authentication: authenticationPending,
    attachments: [],
    unreadable: true,
  }
}

/** Returns the summary of a message for which there was no time: what its headers say. */
export const partialSummary = (raw: Uint8Array, envelope: Envelope): SummaryContent => ({
  ...fallbackSummary(raw, envelope),
  unreadable: false,
  partial: true,
})

export const NO_HTML = { html: null, hasRemoteContent: false, colored: false, background: null, dir: 'auto' } as const

/** Returns the headers of a message that cannot be parsed. */
export function fallbackContent(raw: Uint8Array): MessageContent {
  const headers = plainHeaders(raw)
  return {
    ...NO_HTML,
    htmlOriginal: null,
    text: null,
    headers,
    date: dateOf(headers),
    truncated: false,
    links: [],
    trackers: noTrackers,
    lookalike: null,
    calendar: null,
    unsubscribe: null,
  }
}

/** Returns the document for the frame of a message that cannot be parsed, in UTF-8. */
export const fallbackFrame = (): Uint8Array => fromUtf8(textFrame(''))
