import { sql } from 'kysely'
import type { MigrationDialect } from '../../migrations/dialect.ts'

const strict = sql`strict`
const clustered = sql`without rowid, strict`

export const sqliteMigrations: MigrationDialect = {
  bytes: 'blob',
  integer: 'integer',
  text: 'text',
  keepName: () => Promise.resolve(),
  async addLastIds(db) {
    // Not filled in: a message on a damaged page must not keep the service from starting.
    await sql`alter table addresses add column last_id text not null default ''`.execute(db)
  },
  isGradual: false,
  // The transaction already holds the write lock.
  lock: () => Promise.resolve(),
  clustered: (table) => table.modifyEnd(clustered),
  heap: (table) => table.modifyEnd(strict),
  inboxes: (table) => table.modifyEnd(clustered),
  expiring: (kept, table) => {
    const key = `${table.toOperationNode().table.table.identifier.name}_key`
    // Tables of large rows are keyed by id first: ids increase with time, so rows and index entries are appended. Keyed
    // by address, each row would land on a different page.
    return kept === 'heap'
      ? table.addPrimaryKeyConstraint(key, ['id', 'address_id']).modifyEnd(strict)
      : table.addPrimaryKeyConstraint(key, ['address_id', 'id']).modifyEnd(clustered)
  },
}
