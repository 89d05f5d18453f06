import { ConfigError } from '#config/load.ts'
import { findOrMakeKey, keyPlace } from '#config/secret-key.ts'
import type { Config } from '#config/table.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { OtherServiceKey, areWrapsBound, ensureServiceKey, readBoundFrom } from '#features/operating/index.ts'
import { openStore } from '#store/store.ts'
import { LIMITS, type Limits } from './limits.ts'
import { databaseError } from './start-errors.ts'

/**
 * Opens the store. Returns it with its service key, the time since which sealed data is bound to its place, and whether
 * all wrapped values are bound to their rows. Closes the store and rejects if the key belongs to another store.
 *
 * @param open Opens the store. Default: the store that the settings name.
 */
export async function openBaseStore(
  config: Config,
  logger: Logger,
  limits: Pick<Limits, 'databaseLockTimeout'> = LIMITS,
  open: () => Promise<Store> = () => openConfigured(config, logger, limits),
): Promise<{ opened: Store; key: Uint8Array; boundFrom: number; wrapsBound: boolean }> {
  const { key, discard } = await findOrMakeKey(config)
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

const openConfigured = (config: Config, logger: Logger, limits: Pick<Limits, 'databaseLockTimeout'>): Promise<Store> =>
  openStore({
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
