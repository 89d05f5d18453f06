import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore } from '../../store.ts'
import { openSqlite, type SqliteDatabase, type SqliteOptions } from './open.ts'

export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'mayfly-store-'))

export const logger = {
  error(fields: object, message: string): void {
    throw new Error(message, { cause: fields })
  },
  warn(): void {},
  info(): void {},
}

export const defaults = {
  readers: 2,
  busyTimeout: 5000,
  reserveBytes: 0,
  writerCacheBytes: 16 * 1024 * 1024,
  readerCacheBytes: 4 * 1024 * 1024,
  walPages: 4096,
  walPagesMax: 16_384,
  afterDeletion: 50,
  afterWrites: 60_000,
  onTrouble: (message: string, error: unknown): void => {
    throw new Error(message, { cause: error })
  },
  onRecovery: (): void => {},
} satisfies Omit<SqliteOptions, 'file'>

export const openIn = (directory: string, options: Partial<SqliteOptions> = {}): Promise<SqliteDatabase> =>
  openSqlite({ file: join(directory, 'mayfly.db'), ...defaults, ...options })

/** Opens a database in a directory of its own, and a store on it. */
export async function openTemporary() {
  const directory = await temporaryDirectory()
  const database = await openIn(directory)
  return { directory, database, store: createStore(database) }
}

export async function removeDatabase(database: SqliteDatabase, directory: string): Promise<void> {
  await database.close()
  await rm(directory, { recursive: true })
}

const PAGE = 4096

/** Overwrites each page of a closed database that has these bytes. */
export async function damage(directory: string, bytes: Uint8Array | string): Promise<void> {
  const path = join(directory, 'mayfly.db')
  const content = await readFile(path)
  const file = await open(path, 'r+')
  for (let at = content.indexOf(bytes); at !== -1; at = content.indexOf(bytes, at + PAGE - (at % PAGE)))
    await file.write(new Uint8Array(PAGE).fill(255), 0, PAGE, at - (at % PAGE))
  await file.close()
}
