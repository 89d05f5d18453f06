import { sql } from 'kysely'
import { ignoreStoreFault } from '#core/errors.ts'
import type { ForwardingRow, WaitingJob } from '#core/forwarding/forwarding.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { waits } from '../due.ts'
import { inSteps, STEP_ROWS } from '../mailbox/steps.ts'
import { createForwardingRemoval } from './forwarding-removal.ts'

/** A forwarding, or all to a destination. */
type Which = Pick<ForwardingRow, 'destinationKey'> & { id?: ForwardingRow['id'] }

type Job = Pick<WaitingJob, 'id' | 'addressId' | 'messageId'> & { dueAt: number; bytes: number }

/** Selects the waiting jobs that follow another one in their index, with the sizes of their sealed messages. */
export const jobsAfter = ({ destinationKey, id }: Which, after: Pick<Job, 'id' | 'dueAt'>, limit: number) => sql<Job>`
  select id, address_id as "addressId", message_id as "messageId", due_at as "dueAt", coalesce((
      select length(sealed_mail) from forwarding_mails as mail
       where mail.message_id = forwarding_jobs.message_id and mail.address_id = forwarding_jobs.address_id
    ), 0) as bytes
    from forwarding_jobs
   where destination_key = ${destinationKey} and ${waits} and (due_at, id) > (${after.dueAt}, ${after.id})
         ${id === undefined ? sql`` : sql`and forwarding_id = ${id}`}
   order by due_at, id limit ${sql.lit(limit)}`

/**
 * Returns a function that cancels the waiting jobs of forwardings that have ended, and removes their messages, in as many
 * transactions as necessary. What a fault of the store leaves, also after a crash, the sender cancels later: it sends
 * nothing for a forwarding that has ended.
 */
export function createCancel(db: Database) {
  const { deleteSpentMail } = createForwardingRemoval(db)

  const cancelJobs = prepared<{ ids: string; now: number }>()((value) =>
    db.write
      .updateTable('forwarding_jobs')
      .set({ due_at: null, finished_at: value('now'), outcome: 'off' })
      .where(db.isAmong('id', value('ids')))
      .where(waits),
  )

  async function cancel(which: Which, now: number): Promise<void> {
    let after = { dueAt: -1, id: '' }
    for (;;) {
      const { rows } = await jobsAfter(which, after, STEP_ROWS).execute(db.read)
      for (const jobs of inSteps(rows, STEP_ROWS, ({ bytes }) => ({ rows: 1, bytes })))
        await db.batch(
          [cancelJobs({ ids: JSON.stringify(jobs.map(({ id }) => id)), now }), ...jobs.map(deleteSpentMail)],
          [...new Set(jobs.map(({ addressId }) => addressId))],
        )
      const last = rows.at(-1)
      if (!last || rows.length < STEP_ROWS) return
      after = last
    }
  }

  return (which: Which, now: number): Promise<void> => cancel(which, now).catch(ignoreStoreFault)
}
