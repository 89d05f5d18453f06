import { closeSync, fdatasyncSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { DatabaseFileError } from './file-error.ts'
import { contentOf, inspect, type BackupInspection } from './inspect.ts'

export interface CopyOptions {
  /** The database. Other processes may read and write it during the copy. */
  from: string
  /** An existing, empty file. */
  to: string
  /** The metadata entry that identifies the service key of the database, and its expected value. */
  keyFingerprint: { name: string; value: string }
  /** Bytes that must stay free on the disk of the copy. */
  keepFree: number
  now: number
  busyTimeout: number
}

/** Pages per step. */
const STEP = 2000

/**
 * Copies one snapshot of the database, then checks the whole copy and compares it. The copy has no WAL beside it.
 * SQLite's online backup starts again whenever another process has written, which happens all the time. So the
 * connection holds a read transaction during the copy: all steps see the same snapshot, and no other process waits.
 */
export async function copyDatabase(options: CopyOptions): Promise<BackupInspection> {
  const { from, to, keyFingerprint, now, busyTimeout } = options
  const source = new DatabaseSync(from, { timeout: busyTimeout })
  let content: Omit<BackupInspection, 'bytes'>
  try {
    // Not opened read-only: such a connection would leave a WAL behind if no service runs.
    source.exec('pragma query_only = on; pragma trusted_schema = off; begin')
    content = contentOf(source, now)
    if (content.metadata[keyFingerprint.name] !== keyFingerprint.value) throw new DatabaseFileError('other-key')
    ensureRoom(source, options)
    await copySteps(source, to)
  } finally {
    source.close()
  }
  withoutLog(to)
  const copied = inspect(to, { now, thorough: true })
  const { bytes: _bytes, ...found } = copied
  if (!isDeepStrictEqual(found, content)) throw new Error('The copy differs from the database')
  return copied
}

async function copySteps(source: DatabaseSync, to: string): Promise<void> {
  const file = openSync(to, 'r+')
  try {
    // Sync after each step: one sync of everything at the end would delay the service's syncs on the same disk.
    await backup(source, to, { rate: STEP, progress: () => fdatasyncSync(file) })
  } finally {
    closeSync(file)
  }
}

function withoutLog(path: string): void {
  const db = new DatabaseSync(path)
  try {
    const mode = db.prepare('pragma journal_mode = delete').get()?.journal_mode
    if (mode !== 'delete') throw new Error(`The copy still has a log file ("${String(mode)}")`)
  } finally {
    db.close()
  }
}

function ensureRoom(source: DatabaseSync, { to, keepFree }: CopyOptions): void {
  const pragma = (name: string): number => Number(source.prepare(`pragma ${name}`).get()?.[name])
  const bytes = pragma('page_count') * pragma('page_size')
  const { bavail, bsize } = statfsSync(dirname(to))
  if (bavail * bsize < bytes + keepFree) throw new DatabaseFileError('full')
}
