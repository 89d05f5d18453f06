import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createInPlace, identityAt, MovedError } from './in-place.ts'
import type { Statement, StatementResult, WalState } from './protocol.ts'

export interface SessionOptions {
  path: string
  /** Which file the database is (`identityOf`). */
  identity: string
  readOnly: boolean
  /** How long to wait for a lock that another process has, in milliseconds. */
  busyTimeout: number
  /** Memory for pages, in bytes. */
  cacheBytes: number
  /** Prepared statements kept. */
  statementsKept: number
}

/** One connection, used by one thread. */
export interface Session {
  run(statement: Statement): StatementResult
  /** `immediate` takes the write lock at once; a read transaction keeps one snapshot. */
  begin(kind: 'immediate' | 'deferred'): void
  commit(): void
  /** Does nothing where SQLite has rolled back by itself, as it does for a full disk. */
  rollback(): void
  /** Undefined inside of a transaction, and where the log can't be read. */
  walState(): WalState | undefined
  /** Throws `MovedError` where the files of the database are not those of this connection any more. */
  ensureInPlace(): void
  close(): void
}

/** Opens the connection with what the promises of the design ask of each one. */
export function openSession(options: SessionOptions): Session {
  // SQLite would make a new database where there is none.
  if (identityAt(options.path) !== options.identity) throw new MovedError(options.path)
  const db = new DatabaseSync(options.path, { readOnly: options.readOnly, timeout: options.busyTimeout })
  try {
    configure(db, options)
  } catch (error) {
    db.close()
    throw error
  }
  const ensureInPlace = createInPlace(options.path, options.identity)
  const kept = new Map<string, { statement: StatementSync; answersRows: boolean }>()

  function prepare(sql: string) {
    let entry = kept.get(sql)
    if (entry) {
      // Again as the newest: a Map keeps the order of insertion.
      kept.delete(sql)
    } else {
      const statement = db.prepare(sql)
      // A pragma may work on from step to step, and only `all` makes every step.
      entry = { statement, answersRows: sql.startsWith('pragma') || statement.columns().length > 0 }
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size >= options.statementsKept) kept.delete(oldest)
    }
    kept.set(sql, entry)
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
  // A checkpoint of nothing (SQLite 3.51) only tells how large the log is.
  const walState = db.prepare('pragma wal_checkpoint(noop)')

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
        return { pages: row.log, checkpointed: row.checkpointed }
      } catch {
        // The statements themselves tell what is wrong.
        return undefined
      }
    },
    ensureInPlace,
    close: () => db.close(),
  }
}

function configure(db: DatabaseSync, { readOnly, cacheBytes }: SessionOptions): void {
  // Before the first page is written, so before the journal mode; a database that has pages keeps what it has.
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
