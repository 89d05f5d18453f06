import type { Pool } from 'pg'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import { runOn } from './driver.ts'
import { dropAt, HOUR, isHourly } from './hours.ts'
import { LOCKS } from './migrations-dialect.ts'

const TABLES = ['messages', 'bodies'] as const
/** Hours for which partitions are made before they are needed. */
const AHEAD = 3
/** In milliseconds. */
const DETACH_TIMEOUT = 3000

/**
 * Bodies stay in their row up to nearly a page, beyond it apart and never compressed: they are sealed. Neither table
 * needs much of the vacuum, since nearly all of it goes with the partition.
 */
const STORAGE = {
  messages: 'autovacuum_vacuum_insert_scale_factor = 1',
  bodies: 'toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 1',
}
/**
 * Most inboxes have one or two messages in an hour; from that the planner would conclude that any index that begins
 * with the address finds a message, and one inbox of thousands would be read for each of them. So it is told of fifty.
 */
const COLUMNS = {
  messages: 'address_id set (n_distinct = -0.02)',
  bodies: 'sealed_body set storage external',
}

/** `messages_2026112108`: what ends by that hour (UTC). */
export const partitionName = (table: string, time: number): string =>
  `${table}_${new Date(time).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`

function timeOf(name: string): number {
  const [, year, month, day, hour] = /_(\d{4,})(\d\d)(\d\d)(\d\d)$/.exec(name) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour))
}

interface Partition {
  name: string
  /** Null where it has been let go. */
  parent: string | null
  pending: boolean
}

export interface Partitions {
  /** Makes those that are missing. */
  ensure(times: Iterable<number>): Promise<void>
  /** Makes those of the next hours in the background, when messages come into an hour that is new. */
  used(messages: readonly MessageKey[]): void
  /** Drops those that ended by `until`. */
  drop(until: number): Promise<void>
}

export function createPartitions(pool: Pool, onTrouble: (message: string, error: unknown) => void): Partitions {
  /** The last hour that mail came into. */
  let latest = 0

  async function ensure(times: Iterable<number>): Promise<void> {
    for (const time of new Set(times)) {
      const bounds = `for values from (${time}) to (${time + HOUR})`
      const make = TABLES.map((table) => {
        const name = partitionName(table, time)
        // Made apart and attached: that locks nobody out who reads or writes.
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
   * Those that hold no live mail; first the one where an earlier attempt got half way, for no other can go before it.
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
        onTrouble('Partitions for the next hours could not be made', error),
      )
    },
    async drop(until) {
      const waiting = new Map<string | null, unknown>()
      for (const { name, parent, pending } of await ended(until)) {
        if (waiting.has(parent)) continue
        // Without `concurrently` all reading and writing would wait behind it. It waits for whoever still looks at it,
        // and while it waits no partition can be made: so not for long, and the next sweep goes on with it.
        const detach = `alter table ${parent} detach partition ${name} ${pending ? 'finalize' : 'concurrently'}`
        const letGo = [`set statement_timeout = ${DETACH_TIMEOUT}`, detach, 'reset statement_timeout']
        try {
          if (parent !== null) await runOn(pool, letGo)
          await runOn(pool, [`drop table ${name}`])
        } catch (error) {
          waiting.set(parent, error)
        }
      }
      const [error] = waiting.values()
      if (error !== undefined) onTrouble('Mail that ended stays on the disk while somebody looks at it', error)
    },
  }
}
