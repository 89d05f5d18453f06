import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database } from '../database.ts'

/** Tables whose rows are calls that are due at a time, each to one host. */
type Calls = 'push_subscriptions' | 'webhook_deliveries'

interface DueRules {
  limit: number
  /** The hosts that get no call. */
  except: readonly string[]
}

/**
 * Whether a call or a job of `forwarding_jobs` waits: the condition of the partial indexes `<table>_host` and
 * `forwarding_jobs_waiting`.
 */
export const waits = sql<SqlBool>`(due_at is not null)`

/**
 * Selects the ids of calls that are due at `now`, the longest due first, and at most one to a host. Walks from host to
 * host in the index of waiting calls and looks at the first call of each, so many calls to one host do not slow down
 * the others.
 */
export function dueIds(db: Database, name: Calls, now: number, { limit, except }: DueRules): RawBuilder<string> {
  const table = sql.table(name)
  return sql<string>`(
    with recursive hosts (host_key) as (
      select (select host_key from ${table} where ${waits} order by host_key limit 1)
      union all
      select (select host_key from ${table} where ${waits} and host_key > hosts.host_key order by host_key limit 1)
        from hosts where hosts.host_key is not null
    )
    select due.id
      from hosts
      join ${table} as due on due.id = (
        select head.id from ${table} as head
         where head.host_key = hosts.host_key and head.due_at <= ${now}
         order by head.due_at, head.id limit 1)
     where not ${db.isAmong('hosts.host_key', JSON.stringify(except))}
     order by due.due_at, due.id limit ${limit})`
}
