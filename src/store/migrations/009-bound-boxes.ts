import { type Kysely, sql } from 'kysely'

/**
 * How long after the migration the previous version may still write, in milliseconds: on nodes that are replaced one by one, or as
 * a service that keeps running while a command of the new version is used.
 */
const ROLLOUT = 24 * 3_600_000

/**
 * Stores from when all boxes are bound to their place: as soon as the previous version does not run any more. In a new
 * database that is from the beginning (0).
 */
export async function boundBoxes(db: Kysely<never>): Promise<void> {
  const from = String(Date.now() + ROLLOUT)
  await sql`
    insert into facts (name, value)
    select 'bound from', case when exists (select 1 from addresses) then ${from} else '0' end`.execute(db)
}
