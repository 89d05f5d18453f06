import { sql, type SqlBool } from 'kysely'

/** Messages of the operator's mailbox: few among all, in an index of their own. */
export const hasShare = sql<SqlBool>`(share is not null)`
