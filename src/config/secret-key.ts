import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DATABASE_FILE } from '#core/store.ts'
import { checkDirectory, makeWritableDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'
import { pathError, ConfigError } from './load.ts'
import { type Config, type Key, PREFIX } from './table.ts'

export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32
/** The maximum number of bytes read from a key file, which has 64 digits and perhaps a line break. */
const READ_BYTES = 1024
const READABLE_BY_OTHERS = 0o044
const BY_OTHERS = 0o077

interface KeySettings {
  storage: Pick<Config['storage'], 'secretKey' | 'secretKeyFile' | 'directory' | 'databaseUrl'>
}

interface KeyFile {
  path: string
  /** The setting that errors name. */
  key: Key
}

/**
 * Returns the service key, 32 bytes, from the configuration or else from its file. Creates a missing file with mode
 * 0600, unless a database exists, which needs the key that it was made with. Rejects with `ConfigError` if the file
 * cannot be used or holds anything else: a new key would lock all owners out of their addresses.
 */
export async function serviceKey(settings: KeySettings): Promise<Uint8Array> {
  return (await findOrMakeKey(settings)).key
}

/** Like `serviceKey`. `discard` removes the file that this call created, in case the database needs another key. */
export async function findOrMakeKey(
  settings: KeySettings,
): Promise<{ key: Uint8Array; discard?: () => Promise<void> }> {
  const file = usedKeyFile(settings)
  const created = file !== undefined && !existsSync(file.path) && (await create(file, settings))
  const key = await existingKey(settings)
  return created ? { key, discard: () => rm(file.path, { force: true }) } : { key }
}

/** Rejects with `ConfigError` if `serviceKey` would, as far as that is known without creating a file. */
export async function checkKey(settings: KeySettings): Promise<void> {
  const file = usedKeyFile(settings)
  if (file === undefined || existsSync(file.path)) return void (await existingKey(settings))
  requireNoOther(file, settings)
  await checkDirectory(dirname(file.path), { mayBeMissing: file.key === 'DATA_DIR' }).catch((error: unknown) => {
    throw toConfigError(file, settings, error)
  })
}

/** Like `serviceKey`, but never creates a key. */
export async function existingKey(settings: KeySettings): Promise<Uint8Array> {
  if (settings.storage.secretKey !== undefined) return Buffer.from(settings.storage.secretKey, 'hex')
  const file = keyFileOf(settings)
  const text = await read(file).catch(async (error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EACCES' && (await isOfAnother(file))
      ? new ConfigError(
          `${PREFIX}${file.key}: ${file.path} belongs to another user; chown it to the user of the service`,
        )
      : toConfigError(file, settings, error)
  })
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${subjectOf(file)} does not hold 64 hexadecimal digits; put back your copy of the key`)
  return Buffer.from(text, 'hex')
}

/** Where the key is, as shown to the operator: the path of its file or the name of its setting. */
export const keyPlace = (settings: KeySettings): string => usedKeyFile(settings)?.path ?? `${PREFIX}SECRET_KEY`

/** Returns a warning if other users of this machine can read the key file. */
export async function keyExposure(settings: KeySettings): Promise<string | undefined> {
  const file = usedKeyFile(settings)
  if (file === undefined) return undefined
  const { mode } = await stat(file.path).catch(() => ({ mode: 0 }))
  if ((mode & READABLE_BY_OTHERS) === 0) return undefined
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  return `${file.path} has mode ${octal}, so other users of this machine can read the service key: chmod 600 it, unless only Mayfly's container sees it`
}

const keyFileOf = ({ storage: { secretKeyFile: path, directory } }: KeySettings): KeyFile =>
  path === undefined ? { path: join(directory, SECRET_KEY_FILE), key: 'DATA_DIR' } : { path, key: 'SECRET_KEY_FILE' }

/** Undefined if the key itself is in the configuration. */
const usedKeyFile = (settings: KeySettings): KeyFile | undefined =>
  settings.storage.secretKey === undefined ? keyFileOf(settings) : undefined

/** Returns the first words of an error about the file. */
const subjectOf = ({ path, key }: KeyFile): string =>
  key === 'DATA_DIR' ? path : `${PREFIX}${key} is ${JSON.stringify(path)}, which`

const toConfigError = ({ path, key }: KeyFile, { storage: { directory } }: KeySettings, error: unknown): unknown =>
  error instanceof ConfigError ? error : pathError(key, key === 'DATA_DIR' ? directory : path, error)

async function isOfAnother({ path }: KeyFile): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() === true && process.getuid !== undefined && stats.uid !== process.getuid()
}

/** Throws `ConfigError` if another key belongs in the place of the missing file. */
function requireNoOther(file: KeyFile, { storage: { directory, databaseUrl } }: KeySettings): void {
  const inDirectory = join(directory, SECRET_KEY_FILE)
  if (file.key === 'SECRET_KEY_FILE' && existsSync(inDirectory))
    throw new ConfigError(`${subjectOf(file)} does not exist, but ${inDirectory} does: move that key to ${file.path}`)
  // Names are found by a hash that is keyed with this key. With a new key all names would seem free, and strangers
  // could take them.
  if (databaseUrl === undefined && existsSync(join(directory, DATABASE_FILE)))
    throw new ConfigError(
      `${subjectOf(file)} is missing beside a database; put back your copy of the key, or set ${PREFIX}SECRET_KEY`,
    )
}

/** Creates the key file. Returns false if another process has just created it. */
async function create(file: KeyFile, settings: KeySettings): Promise<boolean> {
  requireNoOther(file, settings)
  try {
    if (file.key === 'DATA_DIR') await makeWritableDirectory(settings.storage.directory)
    await writeDurably(file.path, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { exclusive: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw toConfigError(file, settings, error)
  }
}

async function read(keyFile: KeyFile): Promise<string> {
  const { path, key } = keyFile
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new ConfigError(`${subjectOf(keyFile)} is missing; put your copy of the service key there`)
  })
  // Opening a pipe would block until another process writes to it.
  if (!stats.isFile())
    throw new ConfigError(
      `${PREFIX}${key}: ${path} is ${stats.isDirectory() ? 'a directory' : 'a device or a pipe'}, not a file`,
    )
  // Mayfly created this file itself. A file that the operator names keeps its mode.
  // That of another user can't be changed, and may be readable all the same: `keyExposure` warns then.
  if (key === 'DATA_DIR' && (stats.mode & BY_OTHERS) !== 0) await chmod(path, 0o600).catch(() => {})
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES)
    return buffer.toString('latin1', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}
