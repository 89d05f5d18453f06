import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/**
 * Makes secrets replaceable: adds the current secret of an address, its earlier keys, and the secret for which a name
 * is reserved.
 */
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
