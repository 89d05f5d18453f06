import { sql } from 'kysely'
import type { MigrationDialect } from '../../migrations/dialect.ts'

const strict = sql`strict`
const clustered = sql`without rowid, strict`

export const sqliteMigrations: MigrationDialect = {
  bytes: 'blob',
  integer: 'integer',
  text: 'text',
  // One process at a time has the file.
  rollout: 0,
  keepName: () => Promise.resolve(),
  // The transaction began with the write lock.
  lock: () => Promise.resolve(),
  clustered: (table) => table.modifyEnd(clustered),
  heap: (table) => table.modifyEnd(strict),
  inboxes: (table) => table.modifyEnd(clustered),
  expiring: (kept, table) => {
    const key = `${table.toOperationNode().table.table.identifier.name}_key`
    // Large rows by id first: ids grow with time, so the rows and their index are appended to; by address each would
    // land on a page of its own.
    return kept === 'heap'
      ? table.addPrimaryKeyConstraint(key, ['id', 'address_id']).modifyEnd(strict)
      : table.addPrimaryKeyConstraint(key, ['address_id', 'id']).modifyEnd(clustered)
  },
}
