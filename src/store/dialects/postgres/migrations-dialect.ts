import { sql } from 'kysely'
import type { MigrationDialect } from '../../migrations/dialect.ts'

/** Advisory locks: any number, as long as it's ours. */
export const LOCKS = { migrations: 7_310_001, partitions: 7_310_002, turn: 7_310_003 }

const DAY = 24 * 3_600_000

export const postgresMigrations: MigrationDialect = {
  bytes: 'bytea',
  integer: 'bigint',
  text: sql`text collate "C"`,
  rollout: DAY,
  async keepName(db, earlier, table) {
    // Simple views can be written to (CREATE VIEW, "Updatable Views").
    await sql`create view ${sql.table(earlier)} as select * from ${sql.table(table)}`.execute(db)
  },
  async lock(transaction) {
    // However long another node takes, but no table may be waited for so long that mail waits behind us.
    await sql`set local lock_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.migrations)})`.execute(transaction)
    await sql`set local lock_timeout = '3s'`.execute(transaction)
  },
  clustered: (table) => table,
  heap: (table) => table,
  // Where several nodes write, the order of the commits is known only under the inbox's lock. Its row changes with
  // every mail, and finds room for that on its page.
  inboxes: (table) =>
    table
      .addColumn('last_id', sql`text collate "C"`, (column) => column.notNull().defaultTo(''))
      .modifyEnd(sql`with (fillfactor = 60)`),
  // Partitions are made when they are needed (partitions.ts).
  expiring: (_kept, table) =>
    table
      .addColumn('drop_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table.toOperationNode().table.table.identifier.name}_key`, [
        'address_id',
        'id',
        'drop_at' as never,
      ])
      .modifyEnd(sql`partition by range (drop_at)`),
}
