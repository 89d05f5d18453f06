import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Adds the API key that created an address, so that the key can delete its addresses. */
export async function keysOfAddresses(db: Kysely<never>, { text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('addresses').addColumn('key_id', text).execute()
}
