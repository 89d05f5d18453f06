import { sql } from 'kysely'
import type { StoreStats } from '#core/store.ts'
import type { Database } from './database.ts'

/** Counts what is alive at `now`. For metrics and the command line, not for every request. */
export async function readStats({ read, snapshot, fileBytes }: Database, now: number): Promise<StoreStats> {
  const count = sql<number>`count(*)`.as('count')
  const [addresses, names, messages] = await snapshot([
    read
      .selectFrom('addresses')
      .select((eb) => [count, eb.fn.coalesce(eb.fn.sum<number>('used_bytes'), sql<number>`0`).as('bytes')])
      .where('expires_at', '>', now)
      .compile(),
    read.selectFrom('names').select(count).compile(),
    read
      .selectFrom('messages')
      .innerJoin('addresses', 'addresses.id', 'messages.address_id')
      .select(count)
      .where('messages.expires_at', '>', now)
      .where('addresses.expires_at', '>', now)
      .compile(),
  ])
  return {
    addresses: addresses.rows[0]?.count ?? 0,
    names: names.rows[0]?.count ?? 0,
    messages: messages.rows[0]?.count ?? 0,
    bytes: addresses.rows[0]?.bytes ?? 0,
    fileBytes: await fileBytes(),
  }
}
