import type { Logger, Store } from '#core/ports.ts'
import { serviceKey } from '#config/secret-key.ts'
import type { Config } from '#config/table.ts'
import { ensureServiceKey } from '#features/service-key.ts'
import { boundFrom } from '#features/bound-from.ts'
import { openStore } from '#store/store.ts'
import { databaseError } from './start-errors.ts'

const SECOND = 1000

/** The store, the service key that belongs to it, and since when what is sealed names its place. Rejects, with the store closed, where the two do not belong together. */
export async function assembleStore(
  config: Config,
  logger: Logger,
): Promise<{
  opened: Store
  key: Uint8Array
  boundFrom: number
}> {
  const key = await serviceKey(config)
  const opened = await openStore({
    directory: config.DATA_DIR,
    reserveBytes: config.DISK_RESERVE_BYTES,
    postgres: postgresOptions(config),
    logger,
  }).catch((error: unknown) => {
    throw databaseError(config, error)
  })
  try {
    await ensureServiceKey(opened, key)
    return { opened, key, boundFrom: await boundFrom(opened) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function postgresOptions(config: Config) {
  if (config.DATABASE_URL === undefined) return undefined
  return {
    url: config.DATABASE_URL,
    readers: config.DATABASE_READ_CONNECTIONS,
    writers: config.DATABASE_WRITE_CONNECTIONS,
    connectTimeout: config.DATABASE_CONNECT_SECONDS * SECOND,
    statementTimeout: config.DATABASE_STATEMENT_SECONDS * SECOND,
    lockTimeout: config.DATABASE_LOCK_SECONDS * SECOND,
  }
}
