import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** Counts attempts to enter the code, and finds links by the browser that requested them. */
export async function signInLinkBinding(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  // The default is for the previous version, which inserts links without this column.
  await db.schema
    .alterTable('sign_in_links')
    .addColumn('tries', dialect.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await tableMaker(db, dialect).index('sign_in_links_browser', 'sign_in_links', ['browser_hash']).execute()
}
