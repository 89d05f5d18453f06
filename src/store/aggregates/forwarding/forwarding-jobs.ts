import { sql } from 'kysely'
import type { DestinationKey, ForwardingJobStore, HeldMessage, WaitingJob } from '#core/forwarding/forwarding.ts'
import { HOUR } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { waits } from '../due.ts'
import { deleteOldest } from '../oldest.ts'
import { hasWritten, rowCount, written } from '../statements.ts'
import { createForwardingRemoval } from './forwarding-removal.ts'

const HOURS_OF_A_DAY = 24

const COLUMNS = [
  'id',
  'forwarding_id as forwardingId',
  'destination_key as destinationKey',
  'message_id as messageId',
  'created_at as createdAt',
  'attempts',
  'due_at as dueAt',
  'finished_at as finishedAt',
  'outcome',
  'status',
] as const

type TakenJob = Omit<WaitingJob, 'leasedUntil'>

export function createForwardingJobStore(db: Database): ForwardingJobStore {
  const { read, write } = db
  const { deleteSpentMail } = createForwardingRemoval(db)

  /**
   * Walks from destination to destination in the index of waiting jobs and looks at the first job of each. That way,
   * many messages to one destination do not slow down the others. Jobs without an attempt come first: otherwise
   * messages from senders whose name servers never respond could take all places for a day. The outer condition on
   * `due_at` is repeated for rows that another node leased meanwhile.
   */
  const take = prepared<{ now: number; leasedUntil: number; limit: number; except: string }>()((value) =>
    sql<TakenJob>`
      with recursive destinations (destination_key) as (
        select (select destination_key from forwarding_jobs where ${waits} order by destination_key limit 1)
        union all
        select (select destination_key from forwarding_jobs
                 where ${waits} and destination_key > destinations.destination_key order by destination_key limit 1)
          from destinations where destinations.destination_key is not null
      )
      update forwarding_jobs set due_at = ${value('leasedUntil')}
       where id in (
         select due.id
           from destinations
           join forwarding_jobs as due on due.id = (
             select head.id from forwarding_jobs as head
              where head.destination_key = destinations.destination_key and head.due_at <= ${value('now')}
              order by head.due_at, head.id limit 1)
          where not ${db.isAmong('destinations.destination_key', value('except'))}
          order by case when due.attempts = 0 then 0 else 1 end, due.due_at, due.id limit ${value('limit')})
         and due_at <= ${value('now')}
      returning id, forwarding_id as "forwardingId", destination_key as "destinationKey", address_id as "addressId",
        message_id as "messageId", created_at as "createdAt", attempts, coalesce((
          select size from messages
           where messages.id = forwarding_jobs.message_id and messages.address_id = forwarding_jobs.address_id
        ), (
          select length(sealed_mail) from forwarding_mails as mail
           where mail.message_id = forwarding_jobs.message_id and mail.address_id = forwarding_jobs.address_id
        ), 0) as size`.compile(write),
  )

  /** A lease is identified by its end, which is when the job would be due again. */
  const leased = ({ id, leasedUntil }: Pick<WaitingJob, 'id' | 'leasedUntil'>) =>
    write.updateTable('forwarding_jobs').where('id', '=', id).where('due_at', '=', leasedUntil)

  /** A job that was leased or postponed after its hold is due at another time. */
  const release = prepared<HeldMessage & { now: number }>()((value) =>
    write
      .updateTable('forwarding_jobs')
      .set({ due_at: value('now') })
      .where('address_id', '=', value('addressId'))
      .where('message_id', '=', value('id'))
      .where('due_at', '=', value('heldUntil')),
  )

  /** Checks the daily limit with the current count of this hour, not with the count when the statement began. */
  const reserve = prepared<{
    destinationKey: DestinationKey
    hour: number
    since: number
    perHour: number
    perDay: number
  }>()((value) => {
    const earlier = sql<number>`(
      select coalesce(sum(earlier.mails), 0) from forwarding_counts as earlier
       where earlier.destination_key = ${value('destinationKey')}
         and earlier.hour > ${value('since')} and earlier.hour < ${value('hour')})`
    return sql`
      insert into forwarding_counts (destination_key, hour, mails)
      select ${value('destinationKey')}, ${value('hour')}, 1 where ${value('perHour')} > 0 and ${earlier} < ${value('perDay')}
      on conflict (destination_key, hour) do update set mails = forwarding_counts.mails + 1
       where forwarding_counts.mails < ${value('perHour')} and forwarding_counts.mails + ${earlier} < ${value('perDay')}`.compile(
      write,
    )
  })

  return {
    async take(now, leasedUntil, { limit, except }) {
      const [{ rows }] = await db.batch([take({ now, leasedUntil, limit, except: JSON.stringify(except) })])
      return rows.map((row) => ({ ...row, leasedUntil }))
    },

    async release(messages, now) {
      await db.batch(
        messages.map(({ addressId, id, heldUntil }) => release({ addressId, id, heldUntil, now })),
        messages.map(({ addressId }) => addressId),
      )
    },

    async mail({ addressId, messageId }) {
      const row = await read
        .selectFrom('forwarding_mails')
        .select('sealed_mail as sealedMail')
        .where('message_id', '=', messageId)
        .where('address_id', '=', addressId)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('forwarding_jobs')
              .select('id')
              .where('forwarding_jobs.address_id', '=', addressId)
              .where('forwarding_jobs.message_id', '=', messageId)
              .where(waits),
          ),
        )
        .executeTakeFirst()
      return row?.sealedMail
    },

    async finish(job, outcome, now, status = null) {
      const [{ affected }] = await db.batch(
        [leased(job).set({ due_at: null, finished_at: now, outcome, status }).compile(), deleteSpentMail(job)],
        [job.addressId],
      )
      return affected > 0
    },

    postpone: (job, dueAt, { isAttempt } = { isAttempt: true }) =>
      hasWritten(
        db,
        leased(job).set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', isAttempt ? 1 : 0) })),
      ),

    find: (id) =>
      read
        .selectFrom('forwarding_jobs')
        .select([...COLUMNS, 'address_id as addressId'])
        .where('id', '=', id)
        .executeTakeFirst(),

    recordBounce: (id, status) =>
      hasWritten(
        db,
        write
          .updateTable('forwarding_jobs')
          .set({ outcome: 'refused', status })
          .where('id', '=', id)
          .where('outcome', '=', 'sent'),
      ),

    async reserve(destinationKey, now, limits) {
      const hour = Math.floor(now / HOUR)
      return hasWritten(db, reserve({ destinationKey, hour, since: hour - HOURS_OF_A_DAY, ...limits }))
    },

    async freeAt(destinationKey, now, { perHour, perDay }) {
      const hour = Math.floor(now / HOUR)
      const counts = await read
        .selectFrom('forwarding_counts')
        .select(['hour', 'mails'])
        .where('destination_key', '=', destinationKey)
        .where('hour', '>', hour - HOURS_OF_A_DAY)
        .where('hour', '<=', hour)
        .orderBy('hour', 'desc')
        .execute()
      const isHourFull = counts.some((each) => each.hour === hour && each.mails >= perHour)
      let sum = 0
      // The daily limit is reached until this hour is a day ago.
      const last = counts.find(({ mails }) => (sum += mails) >= perDay)
      return Math.max(now, isHourFull ? (hour + 1) * HOUR : 0, last ? (last.hour + HOURS_OF_A_DAY) * HOUR : 0)
    },

    log(addressId, { limit, before }) {
      let query = read.selectFrom('forwarding_jobs').select(COLUMNS).where('address_id', '=', addressId)
      if (before !== undefined) query = query.where('id', '<', before)
      return query.orderBy('id', 'desc').limit(limit).execute()
    },

    forget: (before, limit) =>
      written(db, deleteOldest(db, 'forwarding_jobs', { key: ['id'], where: ['finished_at', '<', before], limit })),

    waiting: () => rowCount(read.selectFrom('forwarding_jobs').where(waits)),
  }
}
