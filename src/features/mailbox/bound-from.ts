import type { Store } from '#core/store.ts'

/** The metadata key that migration 009 writes. */
const METADATA_KEY = 'bound from'

/**
 * Returns the time since which every box and every wrapped value is bound to its place, in milliseconds since the
 * epoch. It is 0 for a database that never held unbound values. It may be in the future while nodes of the previous
 * version may still run.
 */
export async function boundFrom(store: Pick<Store, 'ensureMetadata'>): Promise<number> {
  const time = Number(await store.ensureMetadata(METADATA_KEY, '0'))
  return Number.isSafeInteger(time) ? time : 0
}
