import { sql } from 'kysely'
import type { MigrationDialect } from '../../migrations/dialect.ts'

export const sqliteMigrations: MigrationDialect = {
  bytes: 'blob',
  integer: 'integer',
  clustered: (table) => table.modifyEnd(sql`without rowid, strict`),
  heap: (table) => table.modifyEnd(sql`strict`),
}
