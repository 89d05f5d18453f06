import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LOCK_FILE } from '#core/operating/data-directory.ts'

const BUSY = 5

export interface UseLock {
  /** May be called twice. */
  release(): void
}

/**
 * Locks the data directory for as long as the process lives, or until it is released: `shared` for those who use the database,
 * `exclusive` for a restore, which must be alone. The lock is one of SQLite, on a file of its own that is an empty database, so
 * that it holds between containers too, and also where the files of the database were moved away. Undefined where another process
 * has a lock that excludes this one.
 */
export function lockUse(directory: string, kind: 'shared' | 'exclusive', timeout: number): UseLock | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(join(directory, LOCK_FILE), { timeout })
    db.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin')
    // A transaction has its lock from the first statement on.
    db.prepare('select count(*) from sqlite_schema').get()
    const held = db
    return { release: () => held.isOpen && held.close() }
  } catch (error) {
    db?.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined
    // A disk that is full must not keep the service from starting: mail can still be read and deleted.
    if (kind === 'shared') return { release() {} }
    throw error
  }
}
