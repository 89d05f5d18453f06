import { sql } from 'kysely'
import type { NewSummary } from '#core/mailbox/message-store.ts'
import type { Database, Result } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { dropAt } from './hours.ts'
import { type Packed, packed } from './packed.ts'

interface Columns extends Packed {
  addressIds: string[]
  ids: string[]
  dropAts: number[]
  onlyIfNone: boolean[]
}

/**
 * Stores all summaries of a call with one statement. Each gets the next revision of its inbox, in order. A missing
 * message leaves a gap.
 */
export function createAttach(db: Pick<Database, 'write' | 'batch'>): Database['attachSummaries'] {
  const attach = prepared<Columns>()((value) =>
    sql`
      with given as (
        select * from unnest(${value('addressIds')}::text[], ${value('ids')}::text[], ${value('dropAts')}::bigint[],
          ${value('onlyIfNone')}::bool[], ${value('starts')}::int[], ${value('lengths')}::int[]) with ordinality
          as given (address_id, id, drop_at, only_if_none, first, length, place)
      ), found as (
        select given.*, addresses.revision + row_number() over (partition by given.address_id order by place) as next
          from given
          join addresses on addresses.id = given.address_id
      ), kept as (
        update messages
           set revision = found.next, sealed_summary = substring(${value('bytes')}::bytea from first for length)
          from found
         where messages.address_id = found.address_id and messages.id = found.id and messages.drop_at = found.drop_at
           and not (found.only_if_none and messages.sealed_summary is not null)
        returning messages.address_id, messages.revision
      )
      update addresses set revision = latest.revision
        from (select address_id, max(revision) as revision from kept group by address_id) as latest
       where addresses.id = latest.address_id`.compile(db.write),
  )

  return async (summaries, before) => {
    if (summaries.length === 0) return []
    const last = latestOf(summaries)
    const addressIds = last.map(({ addressId }) => addressId)
    const results: readonly Result<unknown>[] = await db.batch(
      [
        ...before,
        attach({
          addressIds,
          ids: last.map(({ id }) => id),
          dropAts: last.map(dropAt),
          onlyIfNone: last.map(({ onlyIfNone = false }) => onlyIfNone),
          ...packed(last.map(({ sealedSummary }) => sealedSummary)),
        }),
      ],
      addressIds,
    )
    return results.slice(0, before.length)
  }
}

/** Returns one summary for each message: the last one that is not `onlyIfNone`, or else the first one. */
function latestOf(summaries: readonly NewSummary[]): NewSummary[] {
  const latest = new Map<string, NewSummary>()
  for (const summary of summaries) {
    const key = `${summary.addressId} ${summary.id}`
    if (!summary.onlyIfNone || !latest.has(key)) latest.set(key, summary)
  }
  return [...latest.values()]
}
