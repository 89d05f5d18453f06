import { sql, type SqlBool } from 'kysely'

/** What waits to be forwarded, and what is over: each is in an index of its own. */
export const waits = sql<SqlBool>`(due_at is not null)`
export const finished = sql<SqlBool>`(finished_at is not null)`
