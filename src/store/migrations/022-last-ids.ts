import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Lets each inbox remember the id of its last message after that was deleted. */
export const lastIds = (db: Kysely<never>, dialect: MigrationDialect): Promise<void> => dialect.addLastIds(db)
