import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, sql, type SqlBool } from 'kysely'
import { MayflyError } from '#core/errors.ts'
import { INBOX_TOPIC } from '#core/events.ts'
import { createRemoval } from '../../aggregates/mailbox/removal.ts'
import type { Database, Results } from '../../database.ts'
import { migrate, type MigrateOptions } from '../../migrate.ts'
import { prepared } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'
import { createAppend } from './append.ts'
import { createAttach } from './attach.ts'
import { createChannel } from './channel.ts'
import { type ConnectionOptions, createPool } from './connections.ts'
import { pooledDialect, runOn } from './driver.ts'
import { readRisks } from './durability.ts'
import { gaveWay, isLockTimeout, toError } from './errors.ts'
import { createExpiry } from './expiry.ts'
import { dropAt } from './hours.ts'
import { createInDoubtCommits } from './in-doubt-commits.ts'
import { createLeader } from './leader.ts'
import { postgresMigrations } from './migrations-dialect.ts'
import { createPartitions } from './partitions.ts'
import { createTransactions } from './transactions.ts'

export interface PostgresOptions extends ConnectionOptions, MigrateOptions {
  /**
   * Number of connections for reading and for writing. Three more are used for the channel, the leader lock and
   * in-doubt commits.
   */
  readers: number
  writers: number
  /** Called for background faults: a connection that broke, a commit in doubt. */
  onTrouble: (message: string, error: unknown) => void
  /** Called for each PostgreSQL setting that makes commits unsafe, with one sentence. */
  onRisk: (risk: string) => void
}

/** How long a shutdown waits for in-doubt commits, in milliseconds. */
const DOUBTS_GRACE = 2000

/** Opens the database and runs migrations. Rejects with one clear error if that fails. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { onTrouble } = options
  await bringUpToDate(options).catch((error: Error) => {
    const { message, code }: NodeJS.ErrnoException =
      error instanceof MayflyError && error.cause instanceof Error ? error.cause : error
    const reason = message || code || 'no answer'
    throw new Error(`The database of MAYFLY_DATABASE_URL can't be opened: ${reason}`, { cause: error })
  })
  const troubled = (message: string, error: unknown): void => {
    if (!closing) onTrouble(message, error)
  }
  const broken = (error: unknown): void => troubled('A connection to the database broke', error)
  const readers = createPool(options, options.readers, { onTrouble: broken })
  const writers = createPool(options, options.writers, { onTrouble: broken, onDoubt: (name) => inDoubt.add(name, []) })
  const read = new Kysely<Schema>({ dialect: pooledDialect(readers.pool) })
  const write = new Kysely<Schema>({ dialect: pooledDialect(writers.pool) })
  const transactions = createTransactions(writers.pool, (name, messages) => inDoubt.add(name, messages))

  // Locks in the order of the ids, so that nodes never deadlock.
  const lock = prepared<{ inboxes: readonly string[] }>()((value) =>
    sql`select 1 from addresses where id = any(${value('inboxes')}::text[]) order by id for update`.compile(write),
  )
  const base: Pick<Database, 'read' | 'write' | 'snapshot' | 'batch'> = {
    read,
    write,
    async snapshot(queries) {
      // A single statement is a snapshot by itself.
      const alone = queries.length === 1
      const results = await runOn(
        readers.pool,
        alone ? queries : ['begin isolation level repeatable read read only', ...queries, 'commit'],
      )
      return (alone ? results : results.slice(1, -1)) as Results<typeof queries>
    },
    async batch(queries, inboxes = []) {
      const first = inboxes.length > 0 ? [lock({ inboxes })] : []
      const results = await transactions.batch([...first, ...queries])
      return results.slice(first.length) as Results<typeof queries>
    },
  }
  const partitions = createPartitions(writers.pool, troubled)
  const removal = createRemoval(base)
  const expiry = createExpiry(base, transactions)
  const inDoubt = createInDoubtCommits({
    connection: options,
    async remove(message) {
      // A client may have seen the message.
      if ((await removal.remove(message)) !== undefined) channel.tell(INBOX_TOPIC, message.addressId)
    },
    onTrouble,
  })
  const leader = createLeader(options, onTrouble)
  const channel = createChannel(options, onTrouble)
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await inDoubt.settled(DOUBTS_GRACE)
    await Promise.all([channel.close(), leader.close(), readers.close(), writers.close()])
  }
  const database: Database = {
    ...base,
    isAmong: (column, list) =>
      sql<SqlBool>`${sql.ref(column)} in (select value from json_array_elements_text(${list}::json))`,
    dropAt,
    append: createAppend(base, transactions, partitions),
    attachSummaries: createAttach(base),
    removeExpiredMessages: expiry.messages,
    removeExpiredAddresses: expiry.addresses,
    retract: (messages) => Promise.resolve(inDoubt.retract(messages)),
    async fileBytes() {
      const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(read)
      return rows[0]?.bytes ?? 0
    },
    ensureHealthy: leader.ensureClock,
    isLeader: leader.has,
    channel,
    maintain: async (now) => partitions.drop(Math.min(now, await expiry.expiredUntil())),
    close: () => (closing ??= close()),
  }
  await channel.open().catch(async (error: unknown) => {
    await database.close()
    throw toError(error)
  })
  return database
}

/** Pauses between two tries to get the locks for migrations, in milliseconds. They double. */
const [LOCK_RETRY_MIN, LOCK_RETRY_MAX] = [1000, 30_000]

/** Migrates on a separate connection without a statement timeout. */
async function bringUpToDate(options: PostgresOptions): Promise<void> {
  const { pool, close } = createPool({ ...options, statementTimeout: 0 }, 1)
  try {
    await migrateWhenFree(new Kysely<Schema>({ dialect: pooledDialect(pool) }), options)
    for (const risk of await readRisks(pool)) options.onRisk(risk)
  } finally {
    await close()
  }
}

/**
 * Tries again as long as another session locks the tables (a dump takes hours), and after a deadlock with one. Migrations
 * that are committed are not run again.
 */
async function migrateWhenFree(db: Kysely<Schema>, options: PostgresOptions): Promise<void> {
  for (let wait = LOCK_RETRY_MIN; ; wait = Math.min(wait * 2, LOCK_RETRY_MAX)) {
    try {
      return await migrate(db, postgresMigrations, options)
    } catch (error) {
      if (!isLockTimeout(error) && !gaveWay(error)) throw error
      if (wait === LOCK_RETRY_MIN)
        options.onTrouble('Migrations wait for another session that uses the tables, such as pg_dump', error)
      await pause(wait)
    }
  }
}
