import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Secrets that can be replaced: which one opens an address, its earlier keys, and for which secret a name is held. */
export async function addressSecrets(db: Kysely<never>, { bytes, text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('addresses').addColumn('secret_id', text).execute()
  await db.schema.alterTable('addresses').addColumn('sealed_earlier_keys', bytes).execute()
  await db.schema
    .createIndex('addresses_secret')
    .unique()
    .on('addresses')
    .column('secret_id')
    .where('secret_id' as never, 'is not', null)
    .execute()
  await db.schema.alterTable('names').addColumn('secret_id', text).execute()
}
