import { sql } from 'kysely'
import type { StoredWrap, WrappedColumn, WrapStore } from '#core/operating/wraps.ts'
import type { Database } from '../database.ts'
import { hasWritten } from './statements.ts'

/** Primary keys and row names other than `id`. A row name of several columns joins them with a space. */
const KEYS: Record<string, string> = { kept_addresses: 'address_id' }
const ROWS: Record<string, readonly string[]> = {
  subscriptions: ['email_key'],
  orders: ['email_key'],
  kept_addresses: ['subscription_id', 'address_id'],
}

function partsOf(wrapped: WrappedColumn) {
  const [table, column] = wrapped.split('.') as [string, string]
  const key = KEYS[table] ?? 'id'
  return { table, column, key, rows: ROWS[table] ?? [key] }
}

export function createWrapStore(db: Database): WrapStore {
  return {
    async list(wrapped, version, limit, after = '') {
      const { table, column, key, rows } = partsOf(wrapped)
      const row = sql.join(
        rows.map((each) => sql.ref(each)),
        sql` || ' ' || `,
      )
      const { rows: found } = await sql<StoredWrap>`
        select ${sql.ref(key)} as "key", ${row} as "row", ${sql.ref(column)} as "sealed" from ${sql.table(table)}
        where substr(${sql.ref(column)}, 1, 1) = ${Buffer.of(version)} and ${sql.ref(key)} > ${after}
        order by ${sql.ref(key)} limit ${limit}`.execute(db.read)
      return found
    },

    async replace(wrapped, { key, sealed: before }, sealed) {
      const { table, column, key: keyColumn } = partsOf(wrapped)
      const query = db.write
        .updateTable(table as 'emails')
        .set({ [column]: sealed })
        .where(keyColumn as 'id', '=', key)
        .where(column as 'sealed', '=', before)
      return hasWritten(db, query)
    },
  }
}
