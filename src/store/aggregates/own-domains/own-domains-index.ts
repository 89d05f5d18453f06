import { sql, type SqlBool } from 'kysely'

/** Has an owner: what the indexes of owned domains hold. Queries must use these very expressions. */
export const owned = sql<SqlBool>`(state <> 'pending')`
export const lastChecked = sql<number>`(coalesce(checked_at, 0))`
