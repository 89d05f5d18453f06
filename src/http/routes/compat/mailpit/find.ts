import type { MessageSummary } from '#core/mailbox/message.ts'
import { parseMailQuery } from '#features/compat/index.ts'
import type { ListedMessage, Messages, OpenAddress } from '#features/mailbox/index.ts'
import { NEWEST_MAX } from '../shared.ts'

export interface Found {
  /** All messages of the mailbox, newest first. */
  all: ListedMessage[]
  /** Those that match. */
  matching: ListedMessage[]
}

/** Finds messages. An empty query matches all of them, without opening any. */
export async function findMessages(
  messages: Messages,
  open: OpenAddress,
  { query, tz }: { query: string; tz?: string | undefined },
): Promise<Found> {
  const all = await messages.newest(open, NEWEST_MAX)
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
