import type { Database } from '../database.ts'

/** Tables whose rows are calls that are due at a time, each to one host. */
type Calls = 'push_subscriptions' | 'webhook_deliveries'

interface DueRules {
  limit: number
  /** The hosts that get no call. */
  except: readonly string[]
}

/** Selects the ids of calls that are due at `now`, the longest due first, and at most one to a host. */
export const dueIds = ({ write }: Database, table: Calls, now: number, { limit, except }: DueRules) =>
  write
    .selectFrom(
      write
        .selectFrom(table)
        .select(({ fn }) => [
          'id',
          'due_at',
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('host_key').orderBy('due_at').orderBy('id'))
            .as('place'),
        ])
        .where('due_at', '<=', now)
        .where((eb) => (except.length > 0 ? eb('host_key', 'not in', except) : eb.lit(true)))
        .as('due'),
    )
    .select('due.id')
    .where('place', '=', 1)
    .orderBy('due.due_at')
    .orderBy('due.id')
    .limit(limit)
