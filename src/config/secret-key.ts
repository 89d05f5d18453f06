import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE } from '#core/data-directory.ts'
import { makeWritableDirectory } from '#files/directory.ts'
import { writeDurably } from '#files/write-durably.ts'
import { badPath, ConfigError } from './load.ts'
import type { Config } from './table.ts'

export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32

/**
 * The key of this service, 32 bytes: from the configuration, else from the data directory, where the first start makes it
 * with mode 0600. Rejects with `ConfigError` where the directory can't be used, and for a file that holds anything else: a new
 * key would lock everybody out.
 */
export async function serviceKey(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Promise<Uint8Array> {
  if (config.SECRET_KEY !== undefined) return Buffer.from(config.SECRET_KEY, 'hex')
  const file = join(config.DATA_DIR, SECRET_KEY_FILE)
  const text = await readOrMake(file, config.DATA_DIR).catch((error: unknown) => {
    throw error instanceof ConfigError ? error : badPath('DATA_DIR', config.DATA_DIR, error)
  })
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${file} does not hold 64 hexadecimal digits; restore it from a backup`)
  return Buffer.from(text, 'hex')
}

async function readOrMake(file: string, directory: string): Promise<string> {
  if (!existsSync(file)) {
    // With a new key no name would be found any more, and strangers could take them all.
    if (existsSync(join(directory, DATABASE_FILE)))
      throw new ConfigError(`${file} is missing beside a database; restore it, or set MAYFLY_SECRET_KEY`)
    await makeWritableDirectory(directory)
    await writeDurably(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { exclusive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        // Another process may have been faster.
        if (error.code !== 'EEXIST') throw error
      },
    )
  }
  await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
}
