import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CompiledQuery, Kysely, sql, type SqlBool } from 'kysely'
import { MayflyError } from '#core/errors.ts'
import type { Channel } from '#core/events.ts'
import { MINUTE } from '#core/time.ts'
import { createTrouble, type Trouble } from '#core/trouble.ts'
import { makeWritableDirectory } from '#files/directory.ts'
import { createRemoval } from '../../aggregates/mailbox/removal.ts'
import type { Database, Results } from '../../database.ts'
import { migrate, type MigrateOptions } from '../../migrate.ts'
import type { Schema } from '../../schema/schema.ts'
import { createAppend } from './append.ts'
import { createAttach } from './attach.ts'
import { type CheckpointOptions, createCheckpoints } from './checkpoints.ts'
import { threadDialect, toStatement } from './driver.ts'
import { createExpiry } from './expiry.ts'
import { identityOf } from './in-place.ts'
import { reclaim } from './maintain.ts'
import { sqliteMigrations } from './migrations-dialect.ts'
import type { StatementResult } from './protocol.ts'
import { createReserve, neededBytes } from './reserve.ts'
import { balanced, exclusively } from './routes.ts'
import { createThread, type Thread } from './thread.ts'
import { lockUse, type UseLock } from './use-lock.ts'

export interface SqliteOptions extends CheckpointOptions, MigrateOptions {
  /** The database file. It is created with mode 0600 if it does not exist. */
  file: string
  /** Number of reader threads. */
  readers: number
  /** Bytes to keep free on the disk, in addition to the size of the WAL. Below that, no message is accepted. */
  reserveBytes: number
  /** How long to wait for a lock of another process, in milliseconds. */
  busyTimeout: number
  /** Page cache of the writer and of each reader, in bytes. */
  writerCacheBytes: number
  readerCacheBytes: number
  /** Called for background faults: a thread that died, a checkpoint that failed. */
  onTrouble: (message: string, error: unknown) => void
  /** Called when such a fault is over, if that can be known. */
  onRecovery: (message: string) => void
}

export interface SqliteDatabase extends Database {
  /** For tests: each connection, by name. */
  threads: Record<'writer' | 'checkpointer', Thread> & { readers: readonly Thread[] }
}

const STATEMENTS_KEPT = 200
/** How often missing files are logged, in milliseconds. */
const MOVED_INTERVAL = MINUTE

/** Opens the database; creates it and runs migrations as necessary. Rejects with one clear error if that fails. */
export async function openSqlite(options: SqliteOptions): Promise<SqliteDatabase> {
  const use = await openForUse(options)
  const file = await openFile(options.file).catch((error: unknown) => {
    use.release()
    throw error
  })
  const { busyTimeout, onTrouble, onRecovery } = options
  const report = (message: string): Trouble => ({
    start: (error) => onTrouble(message, error),
    end: () => onRecovery('There is disk space again'),
  })
  const identity = identityOf(await file.stat({ bigint: true }))
  let movedAt = -Infinity
  const onMoved = (error: Error): void => {
    if (performance.now() - movedAt < MOVED_INTERVAL) return
    movedAt = performance.now()
    onTrouble('Database files are missing: nothing can be stored or read', error)
  }
  const disk = createTrouble(report('The disk of the database is full'))
  const thread = (
    name: string,
    readOnly: boolean,
    cacheBytes: number,
    onWrite?: Parameters<typeof createThread>[0]['onWrite'],
  ): Thread =>
    createThread({
      name: `store ${name}`,
      session: { path: options.file, identity, readOnly, busyTimeout, cacheBytes, statementsKept: STATEMENTS_KEPT },
      ...(onWrite && { onWrite }),
      onDeath: (error) => onTrouble(`The ${name} thread of the store died`, error),
      onMoved,
      disk,
    })

  const writer = thread('writer', false, options.writerCacheBytes, (wal) => checkpoints.wrote(wal))
  const checkpointer = thread('checkpointer', false, 0)
  const readers = Array.from({ length: options.readers }, (_, i) =>
    thread(`reader ${i + 1}`, true, options.readerCacheBytes),
  )
  const onError = (error: unknown): void => onTrouble('A checkpoint failed', error)
  const writing = exclusively(writer)
  const checkpoints = createCheckpoints(
    { writer: writing, checkpointer, syncFile: () => file.datasync(), busyTimeout, onError },
    options,
  )
  const reading = balanced(readers)
  const read = new Kysely<Schema>({ dialect: threadDialect(reading) })
  const write = new Kysely<Schema>({ dialect: threadDialect(writing) })

  async function close(): Promise<void> {
    await checkpoints.stop()
    await Promise.all([...readers, checkpointer].map((each) => each.close()))
    // The writer closes last, so that it empties and removes the WAL.
    await writer.close()
    await file.close()
    use.release()
  }

  try {
    await migrate(write, sqliteMigrations, options)
  } catch (error) {
    await close()
    throw error
  }
  // After a crash, the WAL may still contain bytes of deleted messages.
  checkpoints.deleted()
  const base: Pick<Database, 'read' | 'write' | 'snapshot' | 'batch'> = {
    read,
    write,
    async snapshot(queries) {
      return toResults(await reading.run('transaction', queries.map(toStatement)))
    },
    async batch(queries) {
      const statements = queries.map(toStatement)
      const results = await writing.run('transaction', statements).catch(async (error: unknown) => {
        if (!(error instanceof MayflyError && error.code === 'disk_full')) throw error
        // Deleting needs space in the log, which deletions before this one may have filled.
        await checkpoints.emptied()
        if (!queries.some(isDeletion)) throw error
        return writing.run('transaction', statements)
      })
      if (queries.some((query, i) => isDeletion(query) && results[i] !== 0)) checkpoints.deleted()
      return toResults(results)
    },
  }
  const append = createAppend(base)
  const ensureRoom = createReserve(
    dirname(options.file),
    () => (options.reserveBytes === 0 ? 0 : neededBytes(options.reserveBytes, checkpoints)),
    report('Too little disk space: no message is accepted'),
  )
  // Reports it at the start.
  ensureRoom().catch(() => {})
  const removal = createRemoval(base)
  const expiry = createExpiry(base)
  return {
    ...base,
    threads: { writer, checkpointer, readers },
    isAmong: (column, list) => sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`,
    append: async (messages) => {
      await ensureRoom().catch((error: unknown) => {
        // Gives back the space of the log.
        if (checkpoints.pages > 0) checkpoints.deleted()
        throw error
      })
      return append(messages)
    },
    async ensureHealthy() {
      await ensureRoom()
      if (checkpoints.failed) throw new MayflyError('store_unavailable', 'The log of the database cannot be emptied')
    },
    attachSummaries: createAttach(base),
    removeExpiredMessages: expiry.messages,
    removeExpiredAddresses: expiry.addresses,
    async retract(messages) {
      await Promise.all(messages.map((each) => removal.remove(each)))
    },
    fileBytes: async () => (await file.stat()).size,
    // The database belongs to one machine. A second process beside the service is a command that ends soon.
    isLeader: () => Promise.resolve(true),
    channel: nobody,
    maintain: () => reclaim(writing),
    close,
  }
}

/** A channel without other processes. */
const nobody: Channel = { send() {}, onItems() {}, onGap() {} }

/** Locks the directory, so that no restore writes other files into it. */
async function openForUse({ file, busyTimeout }: SqliteOptions): Promise<UseLock> {
  try {
    const directory = dirname(file)
    await makeWritableDirectory(directory)
    const use = lockUse(directory, 'shared', busyTimeout)
    if (!use) throw new Error('mayfly restore is writing into this directory; try again when it has ended')
    return use
  } catch (cause) {
    throw new MayflyError('store_unavailable', undefined, { cause })
  }
}

/**
 * Creates the file before SQLite does, with a mode that excludes other users; the WAL inherits the mode of the
 * database. The handle must be closed after all connections: closing any descriptor of a file drops the POSIX locks
 * that SQLite holds on it.
 */
async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a', 0o600)
  } catch (cause) {
    throw new MayflyError('store_unavailable', undefined, { cause })
  }
}

function isDeletion({ query }: CompiledQuery<unknown>): boolean {
  return query.kind === 'DeleteQueryNode'
}

function toResults<Queries extends readonly CompiledQuery<unknown>[]>(results: StatementResult[]): Results<Queries> {
  return results.map((result) =>
    typeof result === 'number' ? { rows: [], affected: result } : { rows: result, affected: result.length },
  ) as Results<Queries>
}
