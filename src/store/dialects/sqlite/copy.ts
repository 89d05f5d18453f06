import { closeSync, fdatasyncSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { DatabaseFileError } from './file-error.ts'
import { contentOf, inspect, type Inspection } from './inspect.ts'

export interface CopyOptions {
  /** The database; other processes may read and write it meanwhile. */
  from: string
  /** A file that is there and empty. */
  to: string
  /** The fact of the database that says which service key it belongs to, and what it must be. */
  keyFingerprint: { name: string; value: string }
  /** Bytes that must stay free on the disk of the copy. */
  keepFree: number
  now: number
  busyTimeout: number
}

/** Pages that one step copies. */
const STEP = 2000

/**
 * Copies the database as it is at one moment, then reads the whole copy and compares it. The copy has no log beside it.
 *
 * SQLite's own online copy begins anew whenever another process has written, which is always. So the connection holds a read
 * transaction meanwhile: all steps see one snapshot, and nobody waits for them.
 */
export async function copyDatabase(options: CopyOptions): Promise<Inspection> {
  const { from, to, keyFingerprint, now, busyTimeout } = options
  const source = new DatabaseSync(from, { timeout: busyTimeout })
  let content: Omit<Inspection, 'bytes'>
  try {
    // Not opened as read-only: such a connection would leave a log behind where no service runs.
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
  if (!isDeepStrictEqual(found, content)) throw new Error('The copy is not equal to the database')
  return copied
}

async function copySteps(source: DatabaseSync, to: string): Promise<void> {
  const file = openSync(to, 'r+')
  try {
    // The disk gets each step at once: all at the end would hold up the syncs of the service on the same disk.
    await backup(source, to, { rate: STEP, progress: () => fdatasyncSync(file) })
  } finally {
    closeSync(file)
  }
}

function withoutLog(path: string): void {
  const db = new DatabaseSync(path)
  try {
    const mode = db.prepare('pragma journal_mode = delete').get()?.journal_mode
    if (mode !== 'delete') throw new Error(`The copy keeps a log beside it ("${String(mode)}")`)
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
