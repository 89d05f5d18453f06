import { authenticationPending, type Header, type SummaryContent } from '#core/mailbox/message.ts'
import { toUtf8 } from '../bytes.ts'
import { authorIn } from './author.ts'
import { headerText } from './header-text.ts'

/** Bytes of a message that are searched for headers. */
export const HEAD_BYTES = 64 * 1024
const MAX_TEXT = 998

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
    if (colon > 0) headers.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() })
  }
  return headers
}

/** Returns a summary of what the headers say. The message itself can be read as source. */
export function fallbackSummary(raw: Uint8Array, recipient: string): SummaryContent {
  const headers = plainHeaders(raw)
  const value = (name: string): string => headers.find((each) => each.name.toLowerCase() === name)?.value ?? ''
  return {
    from: authorIn(value('from')) ?? { name: '', address: '' },
    to: recipient,
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
