import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Adds the secret of an address, sealed under a password. */
export async function addressPasswords(db: Kysely<never>, { bytes }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('addresses').addColumn('secret_by_password', bytes).execute()
}
