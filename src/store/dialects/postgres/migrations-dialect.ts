import { sql } from 'kysely'
import type { MigrationDialect } from '../../migrations/dialect.ts'

/** Keys of the advisory locks: arbitrary numbers that only Mayfly uses. */
export const LOCKS = { migrations: 7_310_001, partitions: 7_310_002, leader: 7_310_003 }

export const postgresMigrations: MigrationDialect = {
  bytes: 'bytea',
  integer: 'bigint',
  text: sql`text collate "C"`,
  async keepName(db, earlier, table) {
    // Simple views are updatable (CREATE VIEW, "Updatable Views").
    await sql`create view ${sql.table(earlier)} as select * from ${sql.table(table)}`.execute(db)
  },
  // PostgreSQL has had the column since the first migration, in `inboxes`.
  addLastIds: () => Promise.resolve(),
  // One transaction per migration, so that the locks of one are released before the next one builds indexes.
  isGradual: true,
  async lock(transaction) {
    // Wait for another node's migration for any time, but for a table lock only so long that incoming messages are not
    // delayed: all other statements on the table wait behind this one. `migrateWhenFree` tries again. A vacuum gives way
    // after a second (`deadlock_timeout`).
    await sql`set local lock_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS.migrations)})`.execute(transaction)
    await sql`set local lock_timeout = '1500ms'`.execute(transaction)
  },
  clustered: (table) => table,
  heap: (table) => table,
  // With several writing nodes, the order of commits is known only under the lock of the inbox. Its row changes with
  // every message, so the fill factor leaves room for new row versions on the same page.
  inboxes: (table) =>
    table
      .addColumn('last_id', sql`text collate "C"`, (column) => column.notNull().defaultTo(''))
      .modifyEnd(sql`with (fillfactor = 60)`),
  // Partitions are created when they are needed (partitions.ts).
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
