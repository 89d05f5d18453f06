import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseFileError } from './file-error.ts'

/** The contents of a database file. */
export interface BackupInspection {
  bytes: number
  /** The number of rows of each table. */
  rows: Record<string, number>
  /** Live addresses and messages. */
  addresses: number
  messages: number
  metadata: Record<string, string>
  /** Names of the migrations that were run. */
  migrations: string[]
}

export interface InspectOptions {
  /** Milliseconds since the epoch. What has expired by then does not count as alive. */
  now: number
  /** Checks the whole file, not only the counted rows. */
  thorough: boolean
}

const MAGIC = 'SQLite format 3\0'
/**
 * The offset of the header byte that tells whether the database has a write-ahead log
 * (https://sqlite.org/fileformat.html 1.3).
 */
const WRITE_VERSION_AT = 18
const WITH_LOG = 2

/**
 * Whether a file is a database, and a complete one: with a write-ahead log, further data may be in the file beside it.
 */
export function kindOf(path: string): 'complete' | 'with-log' | 'other' {
  const header = Buffer.alloc(100)
  const found = statSync(path)
  // Opening a pipe would wait for somebody to write.
  if (!found.isFile() && !found.isDirectory()) throw new DatabaseFileError('foreign', 'it is a device or a pipe')
  const file = openSync(path, 'r')
  try {
    const read = readSync(file, header, 0, header.length, 0)
    if (read < header.length || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'other'
    return header[WRITE_VERSION_AT] === WITH_LOG ? 'with-log' : 'complete'
  } finally {
    closeSync(file)
  }
}

/** Counts the contents of the database in the open transaction. Throws if it is not a Mayfly database. */
export function contentOf(db: DatabaseSync, now: number): Omit<BackupInspection, 'bytes'> {
  const all = (sql: string, ...parameters: number[]) => db.prepare(sql).all(...parameters)
  const count = (from: string, ...parameters: number[]) =>
    Number(all(`select count(*) as count from ${from}`, ...parameters)[0]?.count)
  const tables = all(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`).map(
    ({ name }) => String(name),
  )
  // Until migration 010 the table was named `facts`.
  const metadata = tables.includes('facts') ? 'facts' : 'metadata'
  const missing = [metadata, 'addresses', 'messages', 'kysely_migration'].find((name) => !tables.includes(name))
  if (missing !== undefined) throw new DatabaseFileError('foreign', `it has no table "${missing}"`)
  return {
    rows: Object.fromEntries(tables.map((name) => [name, count(`"${name.replaceAll('"', '""')}"`)])),
    addresses: count('addresses where expires_at > ?', now),
    messages: count(
      'messages join addresses on addresses.id = messages.address_id where messages.expires_at > ? and addresses.expires_at > ?',
      now,
      now,
    ),
    metadata: Object.fromEntries(
      all(`select name, value from ${metadata}`).map(({ name, value }) => [String(name), String(value)]),
    ),
    migrations: all('select name from kysely_migration order by name').map(({ name }) => String(name)),
  }
}

/** Opens the file read-only and returns its contents. Throws if it is damaged. */
export function inspect(path: string, { now, thorough }: InspectOptions): BackupInspection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    db.exec('pragma trusted_schema = off; pragma cell_size_check = on; begin')
    if (thorough) {
      const [first] = db.prepare('pragma integrity_check(1)').all()
      if (first?.integrity_check !== 'ok')
        throw new DatabaseFileError('damaged', String(first?.integrity_check).replaceAll(/\s+/g, ' '))
    }
    return { bytes: statSync(path).size, ...contentOf(db, now) }
  } finally {
    db.close()
  }
}
