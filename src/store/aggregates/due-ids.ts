import { type RawBuilder, sql } from 'kysely'

/**
 * Returns a subquery for the ids of the rows that are due, the longest waiting first. It has at most one row of each
 * host, so that a slow host has one request at a time, and none of the hosts in `except`.
 */
export function dueIds(
  table: 'push_subscriptions' | 'webhook_deliveries',
  now: number,
  { limit, except }: { limit: number; except: readonly string[] },
): RawBuilder<string> {
  const others = except.length > 0 ? sql`and host_key not in (${sql.join(except)})` : sql``
  return sql`(
    select id
    from (
      select id, due_at, row_number() over (partition by host_key order by due_at, id) as place
      from ${sql.table(table)}
      where due_at <= ${now} ${others}
    ) as due
    where place = 1
    order by due_at, id
    limit ${limit}
  )`
}
