import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/**
 * Notes when boxes began to name their place: older ones, of version 1, are opened only where they arrived before. In a new
 * database there are none.
 */
export async function boundBoxes(db: Kysely<never>, { rollout }: MigrationDialect): Promise<void> {
  const before = String(Date.now() + rollout)
  await sql`
    insert into facts (name, value)
    select 'unbound boxes before', case when exists (select 1 from addresses) then ${before} else '0' end`.execute(db)
}
