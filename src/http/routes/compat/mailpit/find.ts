import type { MessageSummary } from '#core/mailbox/message.ts'
import { parseMailQuery } from '#features/compat/index.ts'
import type { ListedMessage, Messages, OpenAddress } from '#features/mailbox/index.ts'
import { NEWEST_MAX } from '../shared.ts'

export interface Found {
  /** The newest messages of the mailbox, newest first. */
  all: ListedMessage[]
  /** Those that match. */
  matching: ListedMessage[]
}

/**
 * Searches the newest messages; with `before`, the newest that arrived before that message. An empty query matches all of
 * them, without opening any.
 */
export async function findMessages(
  messages: Messages,
  open: OpenAddress,
  { query, tz, before }: { query: string; tz?: string | undefined; before?: string | undefined },
): Promise<Found> {
  const all = await messages.newest(open, NEWEST_MAX, before)
  if (query.trim() === '') return { all, matching: all }
  const parsed = parseMailQuery(query, tz)
  const matching: ListedMessage[] = []
  for (const listed of all) {
    const summary: MessageSummary | undefined = await listed.summary()
    const bodyContains = (wanted: string): Promise<boolean> => messages.contains(open, listed.id, wanted)
    if (summary && (await parsed.matches(summary, bodyContains))) matching.push(listed)
  }
  return { all, matching }
}

/** Returns the ids of all messages that match. */
export async function findAllIds(
  messages: Messages,
  open: OpenAddress,
  options: { query: string; tz?: string | undefined },
): Promise<string[]> {
  const ids: string[] = []
  let before: string | undefined
  for (;;) {
    const { all, matching } = await findMessages(messages, open, { ...options, before })
    ids.push(...matching.map(({ id }) => id))
    if (all.length < NEWEST_MAX) return ids
    before = all.at(-1)?.id
  }
}
