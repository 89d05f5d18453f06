import { sql } from 'kysely'
import type { AppendOutcome, MessageStore, NewMessage } from '#core/mailbox/message-store.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { shareValue } from '../../schema/share.ts'
import { lacksPartition } from './errors.ts'
import { dropAt } from './hours.ts'
import { type Packed, packed } from './packed.ts'
import type { Partitions } from './partitions.ts'
import { createQueue } from './queue.ts'
import type { Transactions } from './transactions.ts'

interface Inbox {
  id: string
  usedBytes: number
  revision: number
  expiresAt: number
  lastId: string
}

interface Columns extends Packed {
  addressIds: string[]
  ids: string[]
  dropAts: number[]
  revisions: number[]
  receivedAts: number[]
  expiresAts: number[]
  sizes: number[]
  shares: (string | null)[]
}

/**
 * Stores all messages of a call in one transaction of two round trips. The first locks and reads the inboxes, in the
 * order of their ids, so that nodes never deadlock. A message is accepted only if its id is greater than the last
 * committed id of its inbox. The second round trip writes the accepted messages with three statements, and with two
 * more if some are forwarded.
 */
export function createAppend(
  { write }: Pick<Database, 'write'>,
  transactions: Transactions,
  partitions: Partitions,
): MessageStore['append'] {
  const queue = createQueue({ write })
  const lock = prepared<{ addressIds: string[] }>()((value) =>
    sql<Inbox>`
      select id, used_bytes as "usedBytes", revision, expires_at as "expiresAt", last_id as "lastId" from addresses
       where id = any(${value('addressIds')}::text[]) order by id for update`.compile(write),
  )
  const insertMessages = prepared<Columns>()((value) =>
    sql`
      insert into messages (address_id, id, drop_at, revision, received_at, expires_at, size, share, seen)
      select *, 0 from unnest(${value('addressIds')}::text[], ${value('ids')}::text[], ${value('dropAts')}::bigint[],
        ${value('revisions')}::bigint[], ${value('receivedAts')}::bigint[], ${value('expiresAts')}::bigint[],
        ${value('sizes')}::bigint[], ${value('shares')}::text[])`.compile(write),
  )
  const insertBodies = prepared<Columns>()((value) =>
    sql`
      insert into bodies (address_id, id, drop_at, sealed_body)
      select address_id, id, drop_at, substring(${value('bytes')}::bytea from first for length)
        from unnest(${value('addressIds')}::text[], ${value('ids')}::text[], ${value('dropAts')}::bigint[],
          ${value('starts')}::int[], ${value('lengths')}::int[]) as given (address_id, id, drop_at, first, length)`.compile(
      write,
    ),
  )
  const countMessages = prepared<{
    addressIds: string[]
    usedBytes: number[]
    revisions: number[]
    lastIds: string[]
  }>()((value) =>
    sql`
      update addresses set used_bytes = given.used_bytes, revision = given.revision, last_id = given.last_id
        from unnest(${value('addressIds')}::text[], ${value('usedBytes')}::bigint[], ${value('revisions')}::bigint[],
          ${value('lastIds')}::text[]) as given (id, used_bytes, revision, last_id)
       where addresses.id = given.id`.compile(write),
  )

  async function attempt(messages: readonly NewMessage[]): Promise<AppendOutcome[]> {
    return transactions.run(async (connection) => {
      const addressIds = [...new Set(messages.map(({ addressId }) => addressId))]
      const [, locked] = await connection.run(['begin', lock({ addressIds })])
      const inboxes = new Map(locked.rows.map((row) => [row.id, { ...row, changed: false }]))
      const stored: (NewMessage & { revision: number })[] = []
      const outcomes = messages.map((message): AppendOutcome => {
        const inbox = inboxes.get(message.addressId)
        if (!inbox || inbox.expiresAt <= message.receivedAt) return 'gone'
        if (inbox.usedBytes + message.size > message.limitBytes) return 'full'
        if (message.id <= inbox.lastId) return { after: inbox.lastId }
        inbox.usedBytes += message.size
        inbox.changed = true
        inbox.lastId = message.id
        stored.push({ ...message, revision: ++inbox.revision })
        return 'stored'
      })
      const changed = [...inboxes.values()].filter((inbox) => inbox.changed)
      const columns = toColumns(stored)
      const counts = {
        addressIds: changed.map(({ id }) => id),
        usedBytes: changed.map(({ usedBytes }) => usedBytes),
        revisions: changed.map(({ revision }) => revision),
        lastIds: changed.map(({ lastId }) => lastId),
      }
      const writes =
        stored.length > 0
          ? [insertMessages(columns), insertBodies(columns), countMessages(counts), ...queue(stored)]
          : []
      return { last: writes, answer: outcomes, doubtful: stored }
    })
  }

  return async (messages) => {
    if (messages.length === 0) return []
    try {
      return await attempt(messages)
    } catch (error) {
      if (!lacksPartition(error)) throw error
      await partitions.ensure(messages.map(dropAt))
      return await attempt(messages)
    } finally {
      partitions.used(messages)
    }
  }
}

function toColumns(messages: readonly (NewMessage & { revision: number })[]): Columns {
  return {
    addressIds: messages.map(({ addressId }) => addressId),
    ids: messages.map(({ id }) => id),
    dropAts: messages.map(dropAt),
    revisions: messages.map(({ revision }) => revision),
    receivedAts: messages.map(({ receivedAt }) => receivedAt),
    expiresAts: messages.map(({ expiresAt }) => expiresAt),
    sizes: messages.map(({ size }) => size),
    shares: messages.map(shareValue),
    ...packed(messages.map(({ sealedBody }) => sealedBody)),
  }
}
