import { deliveriesOf, type EventBus } from '#core/events.ts'
import type { MessageId } from '#core/ids.ts'
import { deliveriesSince, type DeliveryStore } from '#core/mailbox/delivery.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import { timeOf } from '#core/mailbox/message-id.ts'
import type { Clock } from '#core/time.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { PrivateAddress } from './private-addresses.ts'

/** What is stored about deliveries to a fully private address. Its owner's browser adds the received ones. */
export interface SealedDeliveries {
  /** Start of the list: nothing is known about earlier emails. */
  since: number
  /** Failed deliveries, each sealed. */
  failed: { id: MessageId; sealed: Uint8Array }[]
  /** When messages arrived that their owner deleted. */
  deleted: number[]
}

export interface PrivateDeliveries {
  list(address: PrivateAddress): Promise<SealedDeliveries>
  /** Calls `listener` when a failed delivery was stored. Returns a function that stops it. */
  watch(address: PrivateAddress, listener: () => void): () => void
}

interface PrivateDeliveriesDeps {
  store: Pick<DeliveryStore, 'list'>
  opener: Pick<Opener, 'mayBelongTo'>
  bus: EventBus
  clock: Clock
  /** How long messages are kept, in milliseconds, by the lifetime of their address. */
  retention: Record<Lifetime, number>
}

export function createPrivateDeliveries({
  store,
  opener,
  bus,
  clock,
  retention,
}: PrivateDeliveriesDeps): PrivateDeliveries {
  return {
    async list({ id: addressId, createdAt, lifetime }) {
      const now = clock()
      const { failed, gone } = await store.list(addressId, now)
      return {
        since: deliveriesSince(createdAt, now, retention[lifetime]),
        failed: failed
          .filter(({ id, sealedDelivery }) =>
            opener.mayBelongTo(messagePlace('delivery', { addressId, id }), sealedDelivery),
          )
          .map(({ id, sealedDelivery: sealed }) => ({ id, sealed })),
        // Older messages have expired.
        deleted: gone.map(timeOf).filter((at) => at > now - retention[lifetime]),
      }
    },

    watch: ({ id }, listener) => bus.subscribe(deliveriesOf(id), listener),
  }
}
