import { type RawBuilder, sql } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import { HOUR } from '#core/time.ts'
import { ADDRESS_TABLES } from '../../aggregates/mailbox/address-removal.ts'
import { EXPIRED_UNTIL } from '../../aggregates/mailbox/removal.ts'
import { EXPIRED_TOMBSTONE } from '../../aggregates/mailbox/tombstones.ts'
import type { Database } from '../../database.ts'
import type { Transactions } from './transactions.ts'

/**
 * When an address is removed, messages whose partition stays for longer than this are deleted at once, in milliseconds.
 */
const LATE = 50 * HOUR

interface Expiry {
  addresses: AddressStore['removeExpired']
  messages: MessageStore['removeExpired']
  expiredUntil(): Promise<number>
}

/**
 * Expired messages are not deleted row by row: they go with their partition. Only the inboxes of live addresses are
 * updated. Messages that share their partition with others that stay more than an hour longer are deleted.
 */
export function createExpiry({ read, write }: Pick<Database, 'read' | 'write'>, transactions: Transactions): Expiry {
  const compiled = <Row>(text: RawBuilder<Row>) => text.compile(write)

  async function expiredUntil(): Promise<number> {
    const row = await read.selectFrom('metadata').select('value').where('name', '=', EXPIRED_UNTIL).executeTakeFirst()
    return Number(row?.value ?? 0)
  }

  /** Returns the end of a step that processes `limit` messages. */
  async function stepEnd(from: number, now: number, limit: number): Promise<{ to: number; count: number }> {
    const rows = await read
      .selectFrom('messages')
      .select('expires_at as at')
      .where('expires_at', '>', from)
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    return { to: rows.length < limit ? now : (rows.at(-1)?.at ?? now), count: rows.length }
  }

  return {
    expiredUntil,

    async messages(now, limit) {
      const from = await expiredUntil()
      if (from >= now) return { addressIds: [], removed: 0 }
      const { to, count } = await stepEnd(from, now, limit)
      const within = sql`messages.expires_at > ${from} and messages.expires_at <= ${to}`
      const addressIds = await transactions.run(async (connection) => {
        const [, , progress] = await connection.run([
          'begin',
          compiled(sql`insert into metadata (name, value) values (${EXPIRED_UNTIL}, '0') on conflict do nothing`),
          compiled(sql<{ value: string }>`select value from metadata where name = ${EXPIRED_UNTIL} for update`),
        ])
        // Another node has already processed this step.
        if (Number(progress.rows[0]?.value) !== from) return { last: [], answer: [] }
        const [watched] = await connection.run([
          compiled(sql<{ id: AddressId }>`
            select id from addresses where expires_at > ${now} and id in (select address_id from messages where ${within})
             order by id for update`),
        ])
        const ids = watched.rows.map(({ id }) => id)
        return {
          last: [
            compiled(sql`
              with gone as (
                select address_id, id, size, row_number() over (partition by address_id order by expires_at, id) as place
                  from messages where ${within} and address_id = any(${ids}::text[])
              ), tombstoned as (
                insert into tombstones (address_id, revision, message_id, expires_at)
                select gone.address_id, addresses.revision + place, gone.id, ${now + EXPIRED_TOMBSTONE}::bigint
                  from gone join addresses on addresses.id = gone.address_id
              )
              update addresses set revision = revision + lost.messages, used_bytes = used_bytes - lost.bytes
                from (select address_id, count(*) as messages, sum(size)::bigint as bytes from gone group by address_id) as lost
               where addresses.id = lost.address_id`),
            compiled(sql`
              with gone as (
                delete from messages where ${within} and drop_at > expires_at + ${HOUR} returning address_id, id, drop_at
              )
              delete from bodies using gone
               where bodies.address_id = gone.address_id and bodies.id = gone.id and bodies.drop_at = gone.drop_at`),
            compiled(sql`update metadata set value = ${String(to)} where name = ${EXPIRED_UNTIL}`),
          ],
          answer: ids,
        }
      })
      return { addressIds, removed: count }
    },

    addresses: (now, limit) =>
      transactions.run(async (connection) => {
        const [, ended] = await connection.run([
          'begin',
          compiled(sql<{ id: AddressId }>`
            select id from addresses where expires_at <= ${now} order by expires_at limit ${limit} for update skip locked`),
        ])
        const ids = ended.rows.map(({ id }) => id)
        const late = sql`address_id = any(${ids}::text[]) and drop_at > ${now + LATE}::bigint`
        return {
          last: [
            compiled(sql`delete from addresses where id = any(${ids}::text[])`),
            ...[...ADDRESS_TABLES, 'forwarding_mails'].map((table) =>
              compiled(sql`delete from ${sql.table(table)} where address_id = any(${ids}::text[])`),
            ),
            compiled(sql`delete from messages where ${late}`),
            compiled(sql`delete from bodies where ${late}`),
          ],
          answer: ids,
        }
      }),
  }
}
