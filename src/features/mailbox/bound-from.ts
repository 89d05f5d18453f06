import type { Store } from '#core/store.ts'

/** Migration 009 writes it. */
const FACT = 'bound from'

/**
 * Since when all that is sealed or wrapped names its place: milliseconds since the epoch, 0 in a database that was new then. It
 * may be in the future, while nodes of the version before may still run.
 */
export async function boundFrom(store: Pick<Store, 'ensureMetadata'>): Promise<number> {
  const time = Number(await store.ensureMetadata(FACT, '0'))
  return Number.isSafeInteger(time) ? time : 0
}
