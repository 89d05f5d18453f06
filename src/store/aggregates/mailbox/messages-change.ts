import { sql } from 'kysely'

/**
 * What the index for watchers is sorted by: the revision of a message's last change, or the largest number where the
 * summary isn't made yet, so that one range holds both what changed and what waits. Queries must use this very expression.
 */
export const messageChange = sql<number>`(case when sealed_summary is null then 9007199254740991 else revision end)`
