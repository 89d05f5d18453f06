import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '#core/data-directory.ts'
import { ConfigError } from './load.ts'
import type { Config } from './table.ts'

export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32

/**
 * The key of this service, 32 bytes: from the configuration, else from the data directory, where the first start makes it
 * with mode 0600. Throws `ConfigError` for a file that holds anything else: a new key would lock everybody out.
 */
export function serviceKey(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Uint8Array {
  if (config.SECRET_KEY !== undefined) return Buffer.from(config.SECRET_KEY, 'hex')
  const file = join(config.DATA_DIR, SECRET_KEY_FILE)
  // With a new key no name would be found any more, and strangers could take them all.
  if (!existsSync(file) && existsSync(join(config.DATA_DIR, DATABASE_FILE)))
    throw new ConfigError(`${file} is missing beside a database; restore it, or set MAYFLY_SECRET_KEY`)
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    chmodSync(file, 0o600)
  }
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${file} does not hold 64 hexadecimal digits; restore it from a backup`)
  return Buffer.from(text, 'hex')
}
