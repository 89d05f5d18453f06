import { type Kysely, sql, type SqlBool } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** Indexes to find the next call to each host without reading all that wait. */
export async function callsByHost(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { index } = tableMaker(db, dialect)
  const waits = sql<SqlBool>`(due_at is not null)`
  for (const table of ['webhook_deliveries', 'push_subscriptions'])
    await index(`${table}_host`, table, ['host_key', 'due_at', 'id']).where(waits).execute()
}
