import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE } from '#core/store.ts'
import { makeWritableDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'
import { badPath, ConfigError } from './load.ts'
import { type Config, type Key, PREFIX } from './table.ts'

export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32
/** A key file has 64 digits and perhaps a line break: of a larger file no more is read. */
const READ_BYTES = 1024
const READABLE_BY_OTHERS = 0o044

export interface KeySettings {
  storage: Pick<Config['storage'], 'secretKey' | 'secretKeyFile' | 'directory' | 'databaseUrl'>
}

interface KeyFile {
  path: string
  /** The setting that errors name. */
  key: Key
}

/**
 * The key of this service, 32 bytes: from the configuration, else from its file, which is made with mode 0600 where no database
 * needs another key. Rejects with `ConfigError` where the file can't be used or holds anything else: a new key would lock
 * everybody out.
 */
export async function serviceKey(settings: KeySettings): Promise<Uint8Array> {
  return (await findOrMakeKey(settings)).key
}

/** Like `serviceKey`. `discard` removes a file that this call made: for a database that turns out to need another key. */
export async function findOrMakeKey(
  settings: KeySettings,
): Promise<{ key: Uint8Array; discard?: () => Promise<void> }> {
  const file = fileFor(settings)
  const made = file !== undefined && !existsSync(file.path) && (await make(file, settings))
  const key = await existingKey(settings)
  return made ? { key, discard: () => rm(file.path, { force: true }) } : { key }
}

/** Like `serviceKey`, but never makes a key. */
export async function existingKey(settings: KeySettings): Promise<Uint8Array> {
  if (settings.storage.secretKey !== undefined) return Buffer.from(settings.storage.secretKey, 'hex')
  const file = fileOf(settings)
  const text = await read(file).catch((error: unknown) => {
    throw wrap(file, settings, error)
  })
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${nameOf(file)} does not hold 64 hexadecimal digits; put back your copy of the key`)
  return Buffer.from(text, 'hex')
}

/** Where the key is, for people. */
export const keyPlace = (settings: KeySettings): string => fileFor(settings)?.path ?? `${PREFIX}SECRET_KEY`

/** A warning where other users of this machine can read the key file; else undefined. */
export async function keyExposure(settings: KeySettings): Promise<string | undefined> {
  const file = fileFor(settings)
  if (file === undefined) return undefined
  const { mode } = await stat(file.path).catch(() => ({ mode: 0 }))
  if ((mode & READABLE_BY_OTHERS) === 0) return undefined
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  return `${file.path} has mode ${octal}, so other users of this machine can read the service key: chmod 600 it, unless only Mayfly's container sees it`
}

const fileOf = ({ storage: { secretKeyFile: path, directory } }: KeySettings): KeyFile =>
  path === undefined ? { path: join(directory, SECRET_KEY_FILE), key: 'DATA_DIR' } : { path, key: 'SECRET_KEY_FILE' }

const fileFor = (settings: KeySettings): KeyFile | undefined =>
  settings.storage.secretKey === undefined ? fileOf(settings) : undefined

/** The beginning of an error about the file. */
const nameOf = ({ path, key }: KeyFile): string =>
  key === 'DATA_DIR' ? path : `${PREFIX}${key} is ${JSON.stringify(path)}, which`

const wrap = ({ path, key }: KeyFile, { storage: { directory } }: KeySettings, error: unknown): unknown =>
  error instanceof ConfigError ? error : badPath(key, key === 'DATA_DIR' ? directory : path, error)

/** False where another process was faster. */
async function make(file: KeyFile, settings: KeySettings): Promise<boolean> {
  const { directory, databaseUrl } = settings.storage
  const inDirectory = join(directory, SECRET_KEY_FILE)
  if (file.key === 'SECRET_KEY_FILE' && existsSync(inDirectory))
    throw new ConfigError(`${nameOf(file)} is not there, but ${inDirectory} is: move that key to ${file.path}`)
  // With a new key no name would be found any more, and strangers could take them all.
  if (databaseUrl === undefined && existsSync(join(directory, DATABASE_FILE)))
    throw new ConfigError(
      `${nameOf(file)} is missing beside a database; put back your copy of the key, or set ${PREFIX}SECRET_KEY`,
    )
  try {
    if (file.key === 'DATA_DIR') await makeWritableDirectory(directory)
    await writeDurably(file.path, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { exclusive: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw wrap(file, settings, error)
  }
}

async function read(keyFile: KeyFile): Promise<string> {
  const { path, key } = keyFile
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new ConfigError(`${nameOf(keyFile)} is missing; put your copy of the service key there`)
  })
  // Opening a pipe would wait for somebody to write.
  if (!found.isFile())
    throw new ConfigError(
      `${PREFIX}${key}: ${path} is ${found.isDirectory() ? 'a directory' : 'a device or a pipe'}, not a file`,
    )
  // Mayfly made this one itself. A file that an operator names keeps its mode.
  if (key === 'DATA_DIR') await chmod(path, 0o600)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES)
    return buffer.toString('latin1', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}
