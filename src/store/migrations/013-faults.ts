import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** The SMTP faults that the owner of an address set, wrapped with the service key. */
export async function faults(db: Kysely<never>, { bytes }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('addresses').addColumn('sealed_faults', bytes).execute()
}
