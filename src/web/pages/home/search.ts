import type { MessageSummaryJson } from '#contract/messages.ts'
import { hasWord } from '#core/text.ts'
import { offerOf } from '../../components/code-or-link.tsx'

export const KINDS = ['code', 'unread', 'attachment'] as const
/** Filters of the list: messages that offer a code or link, unread ones, those with attachments. */
export type Kind = (typeof KINDS)[number]

const IS: Record<Kind, (message: MessageSummaryJson) => boolean> = {
  code: (message) => offerOf(message) !== undefined,
  unread: ({ seen }) => !seen,
  attachment: ({ attachments }) => attachments.length > 0,
}

const isOf = (message: MessageSummaryJson, kinds: ReadonlySet<Kind>): boolean =>
  [...kinds].every((kind) => IS[kind](message))

/** Returns a test whether the row of a message has a word of `searchWords`. */
export function rowHas(message: MessageSummaryJson): (word: string) => boolean {
  const { from, subject, preview, attachments } = message
  const names = attachments.map(({ filename }) => filename)
  return hasWord(from.name, from.address, subject, preview, offerOf(message)?.code ?? '', ...names)
}

/** Whether a message is of all kinds and has all words, in its row or its text. */
export function matches(
  message: MessageSummaryJson,
  words: readonly string[],
  kinds: ReadonlySet<Kind>,
  textHas: (id: string) => (word: string) => boolean,
): boolean {
  if (!isOf(message, kinds)) return false
  const inRow = rowHas(message)
  const others = words.filter((word) => !inRow(word))
  // The text is prepared only if it decides.
  if (others.length === 0) return true
  return others.every(textHas(message.id))
}
