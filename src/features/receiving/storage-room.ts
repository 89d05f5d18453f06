import type { RecipientRow } from '#core/mailbox/address.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'

/** Returns how many bytes of messages an address may hold. */
export type StorageRoom = (row: RecipientRow) => Promise<number>

export interface StorageRoomDeps {
  store: Pick<Store, 'keptAddresses'>
  /** Bytes of messages that an address may hold, by lifetime. The addresses of one subscription share their limit. */
  storageBytes: Record<Lifetime, number>
}

export function createStorageRoom({ store, storageBytes }: StorageRoomDeps): StorageRoom {
  return async ({ id, lifetime, subscriptionId }) => {
    const limit = storageBytes[lifetime]
    if (lifetime !== 'subscription' || subscriptionId === null) return limit
    // The other addresses of the subscription leave this much.
    return limit - (await store.keptAddresses.usedBytes(subscriptionId, id))
  }
}
