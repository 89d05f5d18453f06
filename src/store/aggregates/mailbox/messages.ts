import { sql, type SqlBool } from 'kysely'
import {
  type InboxChanges,
  type MessageRow,
  type MessageStore,
  OPERATOR_SHARES,
  type OperatorShare,
} from '#core/mailbox/message-store.ts'
import { MARKS, type Marks } from '#core/mailbox/message.ts'
import type { Database } from '../../database.ts'
import { createFollow } from '../../follow.ts'
import { prepared } from '../../prepared.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { shareValue } from '../../schema/share.ts'
import { createQueueCalls } from '../webhooks/queue-calls.ts'
import { createRemoval } from './removal.ts'
import { inSteps } from './steps.ts'
import { purgeTombstones } from './tombstones.ts'

const COLUMNS = [
  'address_id as addressId',
  'id',
  'revision',
  'received_at as receivedAt',
  'expires_at as expiresAt',
  'size',
  ...MARKS,
  'sealed_summary as sealedSummary',
] as const

/**
 * The sort key of the index `messages_change`: the revision of the last change, or 2^53 - 1 while the message has no
 * summary. One range then holds the changed messages and those without a summary. The index only serves queries that
 * use exactly this expression.
 */
const messageChange = sql<number>`(case when sealed_summary is null then 9007199254740991 else revision end)`

/** The condition of the partial index `messages_share`, which holds only the messages of the operator mailbox. */
const hasShare = sql<SqlBool>`(share is not null)`

/** The share in the column `share`, without the network. */
const shareAlone = sql<OperatorShare>`(case ${sql.join(
  OPERATOR_SHARES.map(
    (share) => sql`when share = ${sql.lit(share)} or share like ${sql.lit(`${share} %`)} then ${sql.lit(share)}`,
  ),
  sql` `,
)} end)`

type Mark = keyof Marks
type SelectedRow = Omit<MessageRow, Mark> & Record<Mark, Bit>
type Key = Pick<MessageRow, 'addressId' | 'id'>

const toRow = (row: SelectedRow): MessageRow => ({
  ...row,
  ...(Object.fromEntries(MARKS.map((mark) => [mark, fromBit(row[mark])])) as unknown as Marks),
})

/** Sort before and after every id, whose first character is at most `7`. */
const FIRST = ''
const LAST = 'z'

export function createMessageStore(db: Database): MessageStore {
  const { read, write } = db
  const removal = createRemoval(db)
  const follow = createFollow(db)
  const queueCalls = createQueueCalls(db)

  const listed = prepared<{ addressId: string; now: number; before: string; after: string; limit: number }>()((value) =>
    read
      .selectFrom('messages')
      .select(COLUMNS)
      .where('address_id', '=', value('addressId'))
      .where('expires_at', '>', value('now'))
      .where('id', '<', value('before'))
      .where('id', '>', value('after'))
      .orderBy('id', 'desc')
      .limit(value('limit')),
  )

  const sizesOf = prepared<{ addressId: string; ids: string }>()((value) =>
    read
      .selectFrom('messages')
      .select(['id', 'size'])
      .where('address_id', '=', value('addressId'))
      .where(db.isAmong('id', value('ids'))),
  )

  const found = prepared<Key & { now: number }>()((value) =>
    read
      .selectFrom('messages')
      .select(COLUMNS)
      .where('address_id', '=', value('addressId'))
      .where('id', '=', value('id'))
      .where('expires_at', '>', value('now')),
  )

  const marking = MARKS.map((mark) => {
    const statement = prepared<Key & { bit: Bit }>()((value) =>
      write
        .updateTable('messages')
        .from('addresses')
        .set((eb) => ({ [mark]: value('bit'), revision: eb('addresses.revision', '+', 1) }))
        .where('addresses.id', '=', value('addressId'))
        .where('messages.address_id', '=', value('addressId'))
        .where('messages.id', '=', value('id'))
        .where(mark, '<>', value('bit')),
    )
    return { mark, statement }
  })

  /** Each message that changes gets the next revision of its inbox. */
  const markingAll = MARKS.map((mark) => {
    const statement = prepared<{ addressId: string; ids: string; bit: Bit }>()((value) =>
      write
        .updateTable('messages')
        .from('addresses')
        .from((eb) =>
          eb
            .selectFrom('messages')
            .select(['id', sql<number>`row_number() over (order by id)`.as('place')])
            .where('address_id', '=', value('addressId'))
            .where(db.isAmong('id', value('ids')))
            .where(mark, '<>', value('bit'))
            .as('changing'),
        )
        .set((eb) => ({ [mark]: value('bit'), revision: eb('addresses.revision', '+', eb.ref('changing.place')) }))
        .where('addresses.id', '=', value('addressId'))
        .where('messages.address_id', '=', value('addressId'))
        .whereRef('messages.id', '=', 'changing.id'),
    )
    return { mark, statement }
  })

  /** Sets the revision of the inbox to the latest of these messages. */
  const followAll = prepared<{ addressId: string; ids: string }>()((value) =>
    write
      .updateTable('addresses')
      .from((eb) =>
        eb
          .selectFrom('messages')
          .select(({ fn }) => fn.max('revision').as('revision'))
          .where('address_id', '=', value('addressId'))
          .where(db.isAmong('id', value('ids')))
          .as('latest'),
      )
      .set((eb) => ({ revision: eb.ref('latest.revision') }))
      .where('addresses.id', '=', value('addressId'))
      .whereRef('latest.revision', '>', 'addresses.revision'),
  )

  const revisionOf = prepared<Key>()((value) =>
    write
      .selectFrom('messages')
      .select('revision')
      .where('address_id', '=', value('addressId'))
      .where('id', '=', value('id')),
  )

  const changed = prepared<{ addressId: string; since: number; now: number }>()((value) =>
    read
      .selectFrom('messages')
      .select(COLUMNS)
      .where('address_id', '=', value('addressId'))
      .where(messageChange, '>', value('since'))
      .where('expires_at', '>', value('now'))
      .orderBy('revision'),
  )

  const deletedSince = prepared<{ addressId: string; since: number; now: number }>()((value) =>
    read
      .selectFrom('tombstones')
      .select(['message_id as id', 'revision'])
      .where('address_id', '=', value('addressId'))
      .where('revision', '>', value('since'))
      .where('expires_at', '>', value('now'))
      .orderBy('revision'),
  )

  return {
    append: (messages) => db.append(messages),
    async attachSummaries(summaries) {
      const { statements, outcome } = queueCalls(summaries)
      return outcome(await db.attachSummaries(summaries, statements))
    },
    retract: (messages) => db.retract(messages),

    async list(addressId, { now, limit, before = LAST, after = FIRST }) {
      const { rows } = await read.executeQuery(listed({ addressId, now, limit, before, after }))
      return rows.map(toRow)
    },

    async find(addressId, id, now) {
      const [row] = (await read.executeQuery(found({ addressId, id, now }))).rows
      return row && toRow(row)
    },

    async knows(addressId, id) {
      const { rows } = await sql<{ known: unknown }>`
        select 1 as known from messages where address_id = ${addressId} and id = ${id}
        union all
        select 1 from tombstones where address_id = ${addressId} and message_id = ${id}
        limit 1`.execute(read)
      return rows.length > 0
    },

    async body({ addressId, id }) {
      const row = await read
        .selectFrom('bodies')
        .select('sealed_body as sealedBody')
        .where('address_id', '=', addressId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.sealedBody
    },

    async usedByShare(addressId, now) {
      const rows = await read
        .selectFrom('messages')
        .select(({ fn }) => [shareAlone.as('share'), fn.sum<number | string>('size').as('bytes')])
        .where('address_id', '=', addressId)
        .where(hasShare)
        .where('expires_at', '>', now)
        .groupBy(shareAlone)
        .execute()
      return Object.fromEntries(rows.map(({ share, bytes }) => [share, Number(bytes)]))
    },

    async usedByNetwork(addressId, share, network, now) {
      const row = await read
        .selectFrom('messages')
        .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
        .where('address_id', '=', addressId)
        .where(hasShare)
        .where('share', '=', shareValue({ share, network }))
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },

    async mark(addressId, id, marks) {
      const key = { addressId, id }
      const changes = marking.flatMap(({ mark, statement }) => {
        const on = marks[mark]
        return on === undefined ? [] : [statement({ ...key, bit: toBit(on) })]
      })
      const results = await db.batch([...changes, follow(key), revisionOf(key)], [addressId])
      const [row] = (results.at(-1)?.rows ?? []) as { revision: number }[]
      return row?.revision
    },

    async markAll(addressId, ids, marks) {
      const key = { addressId, ids: JSON.stringify(ids) }
      const changes = markingAll.flatMap(({ mark, statement }) => {
        const on = marks[mark]
        return on === undefined ? [] : [statement({ ...key, bit: toBit(on) }), followAll(key)]
      })
      const results = await db.batch(changes, [addressId])
      return results.some(({ affected }) => affected > 0)
    },

    remove: (addressId, id) => removal.remove({ addressId, id }),
    async removeAll(addressId, ids) {
      const sizes =
        ids.length > 1 ? (await read.executeQuery(sizesOf({ addressId, ids: JSON.stringify(ids) }))).rows : []
      const bytes = new Map(sizes.map(({ id, size }) => [id, size]))
      const steps = inSteps(ids, ids.length, (id) => ({ rows: 1, bytes: bytes.get(id) ?? 0 }))
      for (const step of steps) await removal.removeAll(addressId, step)
    },

    async changes(addressId, since, now): Promise<InboxChanges> {
      const [messages, deleted] = await db.snapshot([
        changed({ addressId, since, now }),
        deletedSince({ addressId, since, now }),
      ])
      return { messages: messages.rows.map(toRow), deleted: deleted.rows }
    },

    async removeExpired(now, limit) {
      const result = await db.removeExpiredMessages(now, limit)
      await purgeTombstones(db, now, limit)
      return result
    },
  }
}
