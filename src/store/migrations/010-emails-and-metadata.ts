import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

const RENAMED = [
  ['letters', 'emails'],
  ['facts', 'metadata'],
] as const

/** Names the tables as everything else does. Nodes of the version before go on under the earlier names. */
export async function emailsAndMetadata(db: Kysely<never>, { keepName }: MigrationDialect): Promise<void> {
  for (const [from, to] of RENAMED) {
    await db.schema.alterTable(from).renameTo(to).execute()
    await keepName(db, from, to)
  }
  await db.schema.dropIndex('letters_due_at').execute()
  await db.schema.createIndex('emails_due_at').on('emails').column('due_at').execute()
}
