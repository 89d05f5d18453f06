import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/**
 * Stores from when all boxes are bound to their place: as soon as no node of the previous version runs any more. In a
 * new database that is from the beginning (0).
 */
export async function boundBoxes(db: Kysely<never>, { rollout }: MigrationDialect): Promise<void> {
  const from = String(Date.now() + rollout)
  await sql`
    insert into facts (name, value)
    select 'bound from', case when exists (select 1 from addresses) then ${from} else '0' end`.execute(db)
}
