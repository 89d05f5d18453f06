import type { Pool } from 'pg'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import { HOUR } from '#core/time.ts'
import { runOn } from './driver.ts'
import { dropAt, isHourly } from './hours.ts'
import { LOCKS } from './migrations-dialect.ts'

const TABLES = ['messages', 'bodies'] as const
/** How many hours ahead partitions are created. */
const AHEAD = 3
/** Timeout for detaching a partition, in milliseconds. */
const DETACH_TIMEOUT = 3000

/**
 * Bodies of up to nearly a page stay in their row. Larger ones are stored out of line and never compressed, because
 * they are sealed. Neither table needs much vacuuming, because nearly all rows are dropped with their partition.
 */
const STORAGE = {
  messages: 'autovacuum_vacuum_insert_scale_factor = 1',
  bodies: 'toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 1',
}
/**
 * Most inboxes get one or two messages per hour. From that the planner would conclude that any index that starts with
 * the address finds one message, and would read an inbox of thousands for each of them. This setting makes it assume
 * fifty messages.
 */
const COLUMNS = {
  messages: 'address_id set (n_distinct = -0.02)',
  bodies: 'sealed_body set storage external',
}

/** Returns a partition name such as `messages_2026112108`: rows that expire by that hour (UTC). */
export const partitionName = (table: string, time: number): string =>
  `${table}_${new Date(time).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`

function timeOf(name: string): number {
  const [, year, month, day, hour] = /_(\d{4,})(\d\d)(\d\d)(\d\d)$/.exec(name) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour))
}

interface Partition {
  name: string
  /** Null if the partition is detached. */
  parent: string | null
  pending: boolean
}

export interface Partitions {
  /** Creates missing partitions. */
  ensure(times: Iterable<number>): Promise<void>
  /** Creates the partitions of the next hours in the background when the first messages use a new hour. */
  used(messages: readonly MessageKey[]): void
  /** Drops the partitions whose rows expired by `until`. */
  drop(until: number): Promise<void>
}

export function createPartitions(pool: Pool, onTrouble: (message: string, error: unknown) => void): Partitions {
  /** The latest hour that messages use. */
  let latest = 0

  async function ensure(times: Iterable<number>): Promise<void> {
    for (const time of new Set(times)) {
      const bounds = `for values from (${time}) to (${time + HOUR})`
      const make = TABLES.map((table) => {
        const name = partitionName(table, time)
        // Create the table separately and attach it: that does not block readers or writers.
        return `if to_regclass('${name}') is null then
          create table ${name} (like ${table} including all) with (${STORAGE[table]});
          alter table ${name} alter column ${COLUMNS[table]};
          alter table ${table} attach partition ${name} ${bounds};
        end if;`
      })
      await runOn(pool, [
        'begin',
        `select pg_advisory_xact_lock(${LOCKS.partitions})`,
        `do $$ begin ${make.join('\n')} end $$`,
        'commit',
      ])
    }
  }

  /**
   * Returns the partitions without live messages. A partition that an earlier attempt only half detached comes first,
   * because no other one can be detached before it.
   */
  async function ended(until: number): Promise<Partition[]> {
    const [all] = await runOn(pool, [
      `select c.relname as name, i.inhparent::regclass::text as parent, coalesce(i.inhdetachpending, false) as pending
         from pg_class c left join pg_inherits i on i.inhrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and c.relname ~ '^(messages|bodies)_[0-9]{10,}$'
        order by pending desc, name`,
    ])
    const rows = all.rows as Partition[]
    return rows.filter(({ name }) => timeOf(name) <= until)
  }

  return {
    ensure,
    used(messages) {
      const hours = messages.filter(isHourly).map(dropAt)
      const newest = Math.max(latest, ...hours)
      if (newest === latest) return
      latest = newest
      ensure(Array.from({ length: AHEAD }, (_, i) => newest + (i + 1) * HOUR)).catch((error: unknown) =>
        onTrouble('Partitions for the next hours could not be created', error),
      )
    },
    async drop(until) {
      const failures = new Map<string | null, unknown>()
      for (const { name, parent, pending } of await ended(until)) {
        if (failures.has(parent)) continue
        // Without `concurrently`, all reads and writes would wait. Detaching waits for transactions that still use the
        // partition, and blocks the creation of partitions. So the timeout is short, and the next sweep continues.
        const detach = `alter table ${parent} detach partition ${name} ${pending ? 'finalize' : 'concurrently'}`
        const detaching = [`set statement_timeout = ${DETACH_TIMEOUT}`, detach, 'reset statement_timeout']
        try {
          if (parent !== null) await runOn(pool, detaching)
          await runOn(pool, [`drop table ${name}`])
        } catch (error) {
          failures.set(parent, error)
        }
      }
      const [error] = failures.values()
      if (error !== undefined) onTrouble('Expired messages stay on the disk while a transaction reads them', error)
    },
  }
}
