import { type Kysely, sql } from 'kysely'

/**
 * How long after the migration the previous version may still write, in milliseconds: on nodes that are replaced one by
 * one, or in a service that keeps running while a command of the new version is used.
 */
const ROLLOUT = 24 * 3_600_000

/**
 * Stores the time from which all boxes are bound to their place: when the previous version no longer runs. In a new
 * database this is 0.
 */
export async function boundBoxes(db: Kysely<never>): Promise<void> {
  const from = String(Date.now() + ROLLOUT)
  await sql`
    insert into facts (name, value)
    select 'bound from', case when exists (select 1 from addresses) then ${from} else '0' end`.execute(db)
}
