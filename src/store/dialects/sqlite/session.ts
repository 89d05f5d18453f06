import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createInPlace, identityAt, MovedError } from './in-place.ts'
import type { Statement, StatementResult, WalState } from './protocol.ts'

export interface SessionOptions {
  path: string
  /** The identity of the database file (`identityOf`). */
  identity: string
  readOnly: boolean
  /** How long to wait for a lock of another process, in milliseconds. */
  busyTimeout: number
  /** Page cache in bytes. */
  cacheBytes: number
  /** Number of prepared statements to cache. */
  statementsKept: number
}

/** A connection that one thread uses. */
export interface Session {
  run(statement: Statement): StatementResult
  /** `immediate` takes the write lock at once; `deferred` starts a read transaction, which keeps one snapshot. */
  begin(kind: 'immediate' | 'deferred'): void
  commit(): void
  /** Does nothing if SQLite has already rolled back, as it does when the disk is full. */
  rollback(): void
  /** Returns undefined inside a transaction, and if the WAL can't be read. */
  walState(): WalState | undefined
  /** Throws `MovedError` if the database files are no longer those of this connection. */
  ensureInPlace(): void
  close(): void
}

/** Opens a connection with the settings that durability and secure deletion require. */
export function openSession(options: SessionOptions): Session {
  // SQLite would create a new database if the file is missing.
  if (identityAt(options.path) !== options.identity) throw new MovedError(options.path)
  const db = new DatabaseSync(options.path, { readOnly: options.readOnly, timeout: options.busyTimeout })
  try {
    withRetries(() => configure(db, options), options.busyTimeout)
  } catch (error) {
    db.close()
    throw error
  }
  const ensureInPlace = createInPlace(options.path, options.identity)
  const cache = new Map<string, { statement: StatementSync; answersRows: boolean }>()

  function prepare(sql: string) {
    let entry = cache.get(sql)
    if (entry) {
      // Reinserted as the newest: a Map keeps the order of insertion.
      cache.delete(sql)
    } else {
      const statement = db.prepare(sql)
      // A pragma may do its work in several steps, and only `all` runs all of them.
      entry = { statement, answersRows: sql.startsWith('pragma') || statement.columns().length > 0 }
      const [oldest] = cache.keys()
      if (oldest !== undefined && cache.size >= options.statementsKept) cache.delete(oldest)
    }
    cache.set(sql, entry)
    return entry
  }

  const run = ({ sql, parameters }: Statement): StatementResult => {
    const { statement, answersRows } = prepare(sql)
    if (answersRows) return statement.all(...parameters)
    return Number(statement.run(...parameters).changes)
  }
  const immediate = db.prepare('begin immediate')
  const deferred = db.prepare('begin')
  const commit = db.prepare('commit')
  // A no-op checkpoint (SQLite 3.51) only reports the size of the WAL.
  const walState = db.prepare('pragma wal_checkpoint(noop)')
  const freePages = db.prepare('pragma freelist_count')

  return {
    run,
    begin: (kind) => void (kind === 'immediate' ? immediate : deferred).run(),
    commit: () => void commit.run(),
    rollback() {
      if (db.isTransaction) db.exec('rollback')
    },
    walState() {
      if (db.isTransaction) return undefined
      try {
        const row = walState.get() as { log: number; checkpointed: number }
        const { freelist_count: free } = freePages.get() as { freelist_count: number }
        return { pages: row.log, checkpointed: row.checkpointed, free }
      } catch {
        // The statements themselves will report the fault.
        return undefined
      }
    },
    ensureInPlace,
    close: () => db.close(),
  }
}

/** The primary result code SQLITE_BUSY. */
const BUSY = 5
const RETRY_INTERVAL = 10

/**
 * Repeats `work` while the database is locked, at most for `timeout` milliseconds. SQLite does not wait by itself while
 * the last connection of another process closes and removes the WAL (https://sqlite.org/wal.html, section 9).
 */
function withRetries(work: () => void, timeout: number): void {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isBusy = ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY
      if (!isBusy || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_INTERVAL)
    }
  }
}

function configure(db: DatabaseSync, { readOnly, cacheBytes }: SessionOptions): void {
  // Must precede the first page and so the journal mode. An existing database keeps its setting.
  if (!readOnly) db.exec('pragma auto_vacuum = incremental')
  const mode = db.prepare(`pragma journal_mode${readOnly ? '' : ' = wal'}`).get()?.journal_mode
  if (mode !== 'wal')
    throw new Error(`The file system of the database has no write-ahead log (it stays with "${String(mode)}")`)
  db.exec(`
    pragma synchronous = full;
    pragma secure_delete = on;
    pragma wal_autocheckpoint = 0;
    pragma foreign_keys = off;
    pragma trusted_schema = off;
    pragma temp_store = memory;
    pragma cache_size = -${Math.ceil(cacheBytes / 1024)};
  `)
}
