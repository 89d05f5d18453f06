import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

const RENAMED = [
  ['letters', 'emails'],
  ['facts', 'metadata'],
] as const

/** Renames two tables to the terms of the code. Nodes of the previous version keep using the earlier names. */
export async function emailsAndMetadata(db: Kysely<never>, { keepName }: MigrationDialect): Promise<void> {
  for (const [from, to] of RENAMED) {
    await db.schema.alterTable(from).renameTo(to).execute()
    await keepName(db, from, to)
  }
  await db.schema.dropIndex('letters_due_at').execute()
  await db.schema.createIndex('emails_due_at').on('emails').column('due_at').execute()
}
