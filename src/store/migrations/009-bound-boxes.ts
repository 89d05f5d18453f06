import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/**
 * Notes from when all that is sealed names its place: when no node of the version before runs any more. In a new
 * database that is so from the beginning.
 */
export async function boundBoxes(db: Kysely<never>, { rollout }: MigrationDialect): Promise<void> {
  const from = String(Date.now() + rollout)
  await sql`
    insert into facts (name, value)
    select 'bound from', case when exists (select 1 from addresses) then ${from} else '0' end`.execute(db)
}
