import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { pathError, ConfigError, describePathError } from '#config/load.ts'
import { existingKey, keyPlace } from '#config/secret-key.ts'
import { type Config, PREFIX } from '#config/table.ts'
import type { BackupContent, BackupDone } from '#core/operating/backup.ts'
import { DATABASE_FILE, METADATA } from '#core/store.ts'
import { OtherServiceKey, fingerprintOf } from '#features/operating/index.ts'
import { makeWritableDirectory } from '#files/directory.ts'
import { DRAFT_END, withDraft } from '#files/draft.ts'
import { copyInThread, inspectInThread } from '#store/dialects/sqlite/backup.ts'
import { DatabaseFileError } from '#store/dialects/sqlite/file-error.ts'
import { type BackupInspection, kindOf } from '#store/dialects/sqlite/inspect.ts'
import { lockUse } from '#store/dialects/sqlite/use-lock.ts'
import { MIGRATIONS } from '#store/migrate.ts'

/** How long the copy waits for a process that has locked the whole database, in milliseconds. */
const BUSY_TIMEOUT = 5000
const PAGE = 'docs/operating/backup.md'
const DATABASE_FILES = ['', '-wal', '-shm', '-journal'].map((end) => DATABASE_FILE + end)
const COPY_CHUNK = 256 * 1024

/**
 * Copies the embedded database into a new file, even while the service runs, and reads the copy back. Rejects with a
 * one-line error and leaves nothing behind if that fails.
 */
export async function backup(config: Config, name: string): Promise<BackupDone> {
  ensureEmbedded(config, 'pg_dump')
  const startedAt = performance.now()
  const file = resolve(name)
  const database = join(config.storage.directory, DATABASE_FILE)
  if (!existsSync(database))
    throw new ConfigError(
      `${PREFIX}DATA_DIR is "${config.storage.directory}", where there is no ${DATABASE_FILE} to back up`,
    )
  const key = await existingKey(config)
  const copied = await withDraft(file, (to) =>
    copyInThread({
      from: database,
      to,
      keyFingerprint: { name: METADATA.serviceKey, value: fingerprintOf(key) },
      keepFree: isOnOneDisk(database, dirname(file)) ? config.storage.reserveBytes : 0,
      now: Date.now(),
      busyTimeout: BUSY_TIMEOUT,
    }),
  ).catch((error: unknown) => {
    throw backupError(error, file)
  })
  return { ...contentOf(copied), milliseconds: performance.now() - startedAt, keyPlace: keyPlace(config) }
}

function backupError(error: unknown, file: string): unknown {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST')
    return new Error(`${file} already exists, and a backup never replaces a file; choose another name`)
  if ('syscall' in (error as object))
    return new Error(`A backup cannot be written to ${file}, which ${describePathError(error)}`)
  if (!(error instanceof DatabaseFileError)) return error
  if (error.fault === 'full')
    return new Error(
      `There is not enough free space on the disk of ${file}; on the disk of the service, ${PREFIX}DISK_RESERVE_BYTES must also stay free`,
    )
  if (error.fault === 'other-key') return new OtherServiceKey()
  return new Error(`The database cannot be backed up: ${error.message}`)
}

/**
 * Restores a backup into the data directory, which must have no database and no running service. Rejects with a
 * one-line error and changes nothing if that fails.
 */
export async function restore(config: Config, name: string): Promise<BackupContent> {
  ensureEmbedded(config, 'pg_restore')
  const file = resolve(name)
  const options = { now: Date.now(), thorough: false }
  const found = await inspectBackup(file, file, options)
  const newer = found.migrations.find((migration) => !MIGRATIONS.includes(migration))
  if (newer !== undefined)
    throw new Error(`${file} was made by a newer version of Mayfly (it has the migration ${newer}); update Mayfly`)
  if (found.metadata[METADATA.serviceKey] !== fingerprintOf(await existingKey(config)))
    throw new OtherServiceKey(`The backup ${file}`)
  try {
    await makeWritableDirectory(config.storage.directory)
    await putInto(config.storage.directory, async (draft) => {
      await pipeline(
        createReadStream(file, { highWaterMark: COPY_CHUNK }),
        createWriteStream(draft, { flags: 'r+', highWaterMark: COPY_CHUNK }),
      )
      const copied = await inspectBackup(draft, file, { ...options, thorough: true })
      if (!isDeepStrictEqual(copied.rows, found.rows)) throw new Error(`${file} changed while it was restored`)
    })
  } catch (error) {
    throw 'syscall' in (error as object) ? pathError('DATA_DIR', config.storage.directory, error) : error
  }
  return contentOf(found)
}

/** Creates the database of a directory that nobody else uses. */
async function putInto(directory: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const lock = lockUse(directory, 'exclusive', 0)
  if (!lock) throw new Error(`Mayfly uses ${PREFIX}DATA_DIR ("${directory}"); stop it, then restore`)
  try {
    const inTheWay = DATABASE_FILES.filter((each) => existsSync(join(directory, each)))
    if (inTheWay.length > 0)
      throw new ConfigError(
        `${PREFIX}DATA_DIR is "${directory}", which already has a database; move ${inTheWay.join(', ')} away, then restore`,
      )
    // Remains of a restore that a power failure interrupted. This restore is alone.
    for (const each of readdirSync(directory))
      if (each.startsWith(`${DATABASE_FILE}.`) && each.includes(DRAFT_END)) rmSync(join(directory, each))
    await withDraft(join(directory, DATABASE_FILE), fill)
  } finally {
    lock.release()
  }
}

/** Returns the content of a backup. `name` is its name in errors. */
async function inspectBackup(
  path: string,
  name: string,
  options: { now: number; thorough: boolean },
): Promise<BackupInspection> {
  try {
    const kind = kindOf(path)
    if (kind === 'other') throw new DatabaseFileError('foreign', 'it is no SQLite database')
    if (kind === 'with-log')
      throw new DatabaseFileError(
        'foreign',
        `it is a plain copy of ${DATABASE_FILE}, which may lack the newest messages, because they are in ${DATABASE_FILE}-wal`,
      )
    return await inspectInThread(path, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`There is no file ${name}`, { cause: error })
    if ('syscall' in (error as object))
      throw new Error(`A backup cannot be read from ${name}, which ${describePathError(error)}`, { cause: error })
    const { fault, message } = error as DatabaseFileError
    if (fault === 'foreign')
      throw new Error(`${name} is not a backup that mayfly backup wrote: ${message}`, { cause: error })
    throw new Error(`${name} is ${fault === 'damaged' ? 'damaged' : 'not readable'}: ${message}`, { cause: error })
  }
}

function ensureEmbedded({ storage }: Config, instead: string): void {
  if (storage.databaseUrl === undefined) return
  throw new ConfigError(
    `${PREFIX}DATABASE_URL is set, so the database is in PostgreSQL: use ${instead}, as ${PAGE} says`,
  )
}

const contentOf = ({ bytes, addresses, messages }: BackupInspection): BackupContent => ({ bytes, addresses, messages })

function isOnOneDisk(...paths: [string, string]): boolean {
  const [one, other] = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.dev)
  return one === other
}
