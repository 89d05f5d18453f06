import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

export async function facts(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  await dialect
    .clustered(
      db.schema
        .createTable('facts')
        .addColumn('name', dialect.text, (column) => column.notNull().primaryKey())
        .addColumn('value', dialect.text, (column) => column.notNull()),
    )
    .execute()
}
