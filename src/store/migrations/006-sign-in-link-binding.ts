import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** A link can be opened by the browser that asked for it, which enters the code of its email. */
export async function signInLinkBinding(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  // With a default: the version before inserts links without it.
  await db.schema
    .alterTable('sign_in_links')
    .addColumn('tries', dialect.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await tableMaker(db, dialect).index('sign_in_links_browser', 'sign_in_links', ['browser_hash']).execute()
}
