import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from '#config/load.ts'
import { existingKey, findOrMakeKey, keyPlace } from '#config/secret-key.ts'
import type { Config } from '#config/table.ts'
import { DATABASE_FILE, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { OtherServiceKey, areWrapsBound, ensureServiceKey, readBoundFrom } from '#features/operating/index.ts'
import { openStore } from '#store/store.ts'
import { LIMITS, type Limits } from './limits.ts'
import { databaseError } from './start-errors.ts'

interface OpenOptions {
  limits?: Pick<Limits, 'databaseLockTimeout'>
  /** Whether the database and the service key must exist. Otherwise missing ones are created. */
  mustExist?: boolean | undefined
  /** Opens the store. Default: the store that the settings name. */
  open?: (() => Promise<Store>) | undefined
}

/**
 * Opens the store. Returns it with its service key, the time since which sealed data is bound to its place, and whether
 * all wrapped values are bound to their rows. Closes the store and rejects if the key belongs to another store.
 */
export async function openBaseStore(
  config: Config,
  logger: Logger,
  {
    limits = LIMITS,
    mustExist = false,
    open = () => openConfigured(config, logger, limits, mustExist),
  }: OpenOptions = {},
): Promise<{ opened: Store; key: Uint8Array; boundFrom: number; wrapsBound: boolean }> {
  if (mustExist) requireFile(config)
  const { key, discard } = mustExist
    ? { key: await existingKey(config), discard: undefined }
    : await findOrMakeKey(config)
  const opened = await open().catch((error: unknown) => {
    throw databaseError(config, error)
  })
  try {
    await ensureServiceKey(opened, key)
    const from = await readBoundFrom(opened)
    return { opened, key, boundFrom: from, wrapsBound: await areWrapsBound(opened, from) }
  } catch (error) {
    await opened.close()
    if (!(error instanceof OtherServiceKey) || discard === undefined) throw error
    // Nothing can be sealed with a newly created key if the database has another one.
    await discard()
    throw new ConfigError(
      `The database has a service key, but ${keyPlace(config)} is missing; put your copy of the key there`,
      { cause: error },
    )
  }
}

/** Throws if the embedded database does not exist. For a file that can't be looked up, opening it reports why. */
function requireFile({ storage: { databaseUrl, directory } }: Config): void {
  if (databaseUrl !== undefined) return
  try {
    if (statSync(join(directory, DATABASE_FILE), { throwIfNoEntry: false }) !== undefined) return
  } catch {
    return
  }
  throw new ConfigError(
    `There is no database in ${resolve(directory)}. Run mayfly start once, or set MAYFLY_DATA_DIR to the directory of the service. A service with --ephemeral has a directory of its own`,
  )
}

const openConfigured = (
  config: Config,
  logger: Logger,
  limits: Pick<Limits, 'databaseLockTimeout'>,
  mustExist: boolean,
): Promise<Store> =>
  openStore({
    mustExist,
    directory: config.storage.directory,
    reserveBytes: config.storage.reserveBytes,
    postgres: postgresOptions(config, limits),
    logger,
  })

function postgresOptions(config: Config, limits: Pick<Limits, 'databaseLockTimeout'>) {
  if (config.storage.databaseUrl === undefined) return undefined
  return {
    url: config.storage.databaseUrl,
    readers: config.storage.readers,
    writers: config.storage.writers,
    connectTimeout: config.storage.connectTimeout,
    statementTimeout: config.storage.statementTimeout,
    lockTimeout: limits.databaseLockTimeout,
  }
}
