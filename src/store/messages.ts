import type { InboxChanges, MessageId, MessageRow, MessageStore, NewSummary } from '#core/ports.ts'
import { createAppend } from './append.ts'
import type { Database } from './database.ts'
import { messageChange } from './messages-change.ts'
import { prepared } from './prepared.ts'
import { createRemoval } from './removal.ts'

/** How long the watchers of an inbox hear of a message that expired, in milliseconds. */
const EXPIRED_TOMBSTONE = 3_600_000

const COLUMNS = [
  'address_id as addressId',
  'id',
  'revision',
  'received_at as receivedAt',
  'expires_at as expiresAt',
  'size',
  'seen',
  'sealed_summary as sealedSummary',
] as const

type SelectedRow = Omit<MessageRow, 'seen'> & { seen: 0 | 1 }
type Key = Pick<MessageRow, 'addressId' | 'id'>

const toRow = (row: SelectedRow): MessageRow => ({ ...row, seen: row.seen === 1 })

export function createMessageStore(db: Database): MessageStore {
  const { read, write } = db
  const { leaveTombstone, bumpInbox, deleteBody, deleteMessage } = createRemoval(db)

  const setSummary = prepared<NewSummary>()((value) =>
    write
      .updateTable('messages')
      .from('addresses')
      .set((eb) => ({ sealed_summary: value('sealedSummary'), revision: eb('addresses.revision', '+', 1) }))
      .where('addresses.id', '=', value('addressId'))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id')),
  )

  const setSeen = prepared<Key & { seen: 0 | 1 }>()((value) =>
    write
      .updateTable('messages')
      .from('addresses')
      .set((eb) => ({ seen: value('seen'), revision: eb('addresses.revision', '+', 1) }))
      .where('addresses.id', '=', value('addressId'))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id'))
      .where('seen', '<>', value('seen')),
  )

  /** After a change of a message: the inbox gets the revision that the message has. */
  const followMessage = prepared<Key>()((value) =>
    write
      .updateTable('addresses')
      .from('messages')
      .set((eb) => ({ revision: eb.ref('messages.revision') }))
      .where('addresses.id', '=', value('addressId'))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id'))
      .whereRef('messages.revision', '>', 'addresses.revision'),
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

  const buried = prepared<{ addressId: string; since: number; now: number }>()((value) =>
    read
      .selectFrom('tombstones')
      .select(['message_id as id', 'revision'])
      .where('address_id', '=', value('addressId'))
      .where('revision', '>', value('since'))
      .where('expires_at', '>', value('now'))
      .orderBy('revision'),
  )

  async function purgeTombstones(now: number, limit: number): Promise<void> {
    const query = write
      .deleteFrom('tombstones')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('address_id', 'revision'),
          'in',
          selectFrom('tombstones as old')
            .select(['old.address_id', 'old.revision'])
            .where('old.expires_at', '<=', now)
            .orderBy('old.expires_at')
            .limit(limit)
            .$asTuple('address_id', 'revision'),
        ),
      )
      .compile()
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- in steps, so that mail gets its turn
      const [{ affected }] = await db.batch([query])
      if (affected < limit) return
    }
  }

  return {
    append: createAppend(db),

    async attachSummaries(summaries) {
      await db.batch(summaries.flatMap((summary) => [setSummary(summary), followMessage(summary)]))
    },

    async list(addressId, { now, limit, before, after }) {
      let query = read
        .selectFrom('messages')
        .select(COLUMNS)
        .where('address_id', '=', addressId)
        .where('expires_at', '>', now)
      if (before !== undefined) query = query.where('id', '<', before)
      if (after !== undefined) query = query.where('id', '>', after)
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toRow)
    },

    async find(addressId, id, now) {
      const row = await read
        .selectFrom('messages')
        .select(COLUMNS)
        .where('address_id', '=', addressId)
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row && toRow(row)
    },

    async body(addressId, id) {
      const row = await read
        .selectFrom('bodies')
        .select('sealed_body as sealedBody')
        .where('address_id', '=', addressId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.sealedBody
    },

    async setSeen(addressId, id, seen) {
      const key = { addressId, id }
      const [, , { rows }] = await db.batch([
        setSeen({ ...key, seen: seen ? 1 : 0 }),
        followMessage(key),
        revisionOf(key),
      ])
      return rows[0]?.revision
    },

    async remove(addressId, id) {
      const key = { addressId, id }
      const [, { rows }] = await db.batch([
        leaveTombstone({ ...key, until: null }),
        bumpInbox(key),
        deleteBody(key),
        deleteMessage(key),
      ])
      return rows[0]?.revision
    },

    async changes(addressId, since, now): Promise<InboxChanges> {
      const [messages, deleted] = await db.snapshot([
        changed({ addressId, since, now }),
        buried({ addressId, since, now }),
      ])
      return { messages: messages.rows.map(toRow), deleted: deleted.rows }
    },

    async removeExpired(now, limit) {
      const expired: { addressId: string; id: MessageId }[] = await read
        .selectFrom('messages')
        .select(['address_id as addressId', 'id'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const until = now + EXPIRED_TOMBSTONE
      if (expired.length > 0) {
        await db.batch(
          expired.flatMap((key) => [
            leaveTombstone({ ...key, until }),
            bumpInbox(key),
            deleteBody(key),
            deleteMessage(key),
          ]),
        )
      }
      await purgeTombstones(now, limit)
      return { addressIds: [...new Set(expired.map(({ addressId }) => addressId))], removed: expired.length }
    },
  }
}
