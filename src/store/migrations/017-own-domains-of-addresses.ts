import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Adds the own domain of an address that an API key created, because its name is sealed. */
export async function ownDomainsOfAddresses(db: Kysely<never>, { text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('addresses').addColumn('own_domain', text).execute()
}
