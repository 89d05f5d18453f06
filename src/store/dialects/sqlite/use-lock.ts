import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The primary result code SQLITE_BUSY. */
const BUSY = 5
/** The file of the data directory that is locked while a process uses the database. It is always empty. */
export const LOCK_FILE = 'service.lock'
/** The file of the data directory that is locked while a service runs, but not by other commands. It is always empty. */
const RUNNING_FILE = 'running.lock'
/** How long to wait for another service that checks whether it is alone, in milliseconds. */
const LOOK_TIMEOUT = 1000

export interface UseLock {
  /** May be called twice. */
  release(): void
}

/**
 * Locks the data directory until the lock is released or the process exits: `shared` for processes that use the
 * database, `exclusive` for a restore. Returns undefined if another process holds a conflicting lock for longer than
 * `timeout` milliseconds. The lock is an SQLite lock on a separate, empty database file. So it works across containers,
 * and also after the database files were moved away.
 */
export function lockUse(
  directory: string,
  kind: 'shared' | 'exclusive',
  timeout: number,
  file = LOCK_FILE,
): UseLock | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(join(directory, file), { timeout })
    db.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin')
    // SQLite takes the lock with the first statement of the transaction.
    db.prepare('select count(*) from sqlite_schema').get()
    const locked = db
    return { release: () => locked.isOpen && locked.close() }
  } catch (error) {
    db?.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined
    // The service must start on a full disk: messages can still be read and deleted.
    if (kind === 'shared') return { release() {} }
    throw error
  }
}

/**
 * Marks the data directory as used by a running service until `release` is called. `isAlone` is true if no other service
 * was using it at the time of the call.
 */
export function lockRunning(directory: string): UseLock & { isAlone: boolean } {
  const isAlone = lookAlone(directory)
  const use = lockUse(directory, 'shared', LOOK_TIMEOUT, RUNNING_FILE)
  return { isAlone, release: () => use?.release() }
}

function lookAlone(directory: string): boolean {
  try {
    const alone = lockUse(directory, 'exclusive', 0, RUNNING_FILE)
    alone?.release()
    return alone !== undefined
  } catch {
    // The file cannot be created, for example on a full disk, so nobody has locked it.
    return true
  }
}
