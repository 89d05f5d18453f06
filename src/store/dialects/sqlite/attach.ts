import type { NewSummary } from '#core/mailbox/message-store.ts'
import type { Database, Result } from '../../database.ts'
import { createFollow } from '../../follow.ts'
import { prepared } from '../../prepared.ts'

/** Stores summaries: two statements each, all of a call in one transaction. */
export function createAttach(db: Pick<Database, 'write' | 'batch'>): Database['attachSummaries'] {
  const follow = createFollow(db)

  const setSummary = prepared<Omit<NewSummary, 'onlyIfNone'> & { onlyIfNone: 0 | 1 }>()((value) =>
    db.write
      .updateTable('messages')
      .from('addresses')
      .set((eb) => ({ sealed_summary: value('sealedSummary'), revision: eb('addresses.revision', '+', 1) }))
      .where('addresses.id', '=', value('addressId'))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id'))
      .where(({ eb, or, val }) =>
        or([eb('messages.sealed_summary', 'is', null), eb(val(value('onlyIfNone')), '=', 0)]),
      ),
  )

  return async (summaries, before) => {
    const results: readonly Result<unknown>[] = await db.batch([
      ...before,
      ...summaries.flatMap((summary) => [
        setSummary({ ...summary, onlyIfNone: summary.onlyIfNone ? 1 : 0 }),
        follow(summary),
      ]),
    ])
    return results.slice(0, before.length)
  }
}
