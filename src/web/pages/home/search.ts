import type { MessageSummaryJson } from '#contract/messages.ts'
import { offerOf } from '../../components/code-or-link.tsx'

export const KINDS = ['code', 'unread', 'attachment'] as const
/** Filters of the list: messages that offer a code or link, unread ones, those with attachments. */
export type Kind = (typeof KINDS)[number]

const IS: Record<Kind, (message: MessageSummaryJson) => boolean> = {
  code: (message) => offerOf(message) !== undefined,
  unread: ({ seen }) => !seen,
  attachment: ({ attachments }) => attachments.length > 0,
}

/** Without case and accents, so that "cafe" finds "Café". */
const folded = (words: string): string =>
  words
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase()

/** Whether a message is of all kinds and has all words in its sender, subject, text or code. */
export function matches(message: MessageSummaryJson, query: string, kinds: ReadonlySet<Kind>): boolean {
  const { from, subject, preview, attachments } = message
  const names = attachments.map(({ filename }) => filename)
  const all = folded([from.name, from.address, subject, preview, offerOf(message)?.code ?? '', ...names].join(' '))
  const words = folded(query).split(/\s+/)
  return [...kinds].every((kind) => IS[kind](message)) && words.every((word) => all.includes(word))
}
