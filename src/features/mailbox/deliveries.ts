import { deliveriesOf, type EventBus } from '#core/events.ts'
import {
  DELIVERIES_KEPT,
  deletedDelivery,
  deliveriesSince,
  type Delivery,
  failedDelivery,
  type FailedDelivery,
  lastDeliveries,
  type NewDelivery,
  receivedDelivery,
} from '#core/mailbox/delivery.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import { timeOf } from '#core/mailbox/message-id.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import { ifIntact } from '#mail/sealing/if-intact.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { OpenAddress } from './claims.ts'
import type { Summaries } from './summaries.ts'

/** The deliveries to an address, and failed attempts to deliver. */
export interface DeliveriesView {
  /** Start of the list: nothing is known about earlier emails. */
  since: number
  /** Newest first. */
  deliveries: Delivery[]
}

export interface Deliveries {
  /**
   * Returns the last deliveries. Received ones come from the messages in the inbox, deleted ones from their tombstones,
   * so that receiving a message writes nothing more.
   */
  list(open: OpenAddress): Promise<DeliveriesView>
  /** Returns the last attempts since a time that left no message, newest first. */
  failed(open: OpenAddress, since: number): Promise<Delivery[]>
  /** Calls `listener` when a failed delivery was stored. Returns a function that stops it. */
  watch(open: OpenAddress, listener: () => void): () => void
}

interface DeliveriesDeps {
  store: Pick<Store, 'messages' | 'deliveries'>
  summaries: Pick<Summaries, 'read'>
  opener: Pick<Opener, 'open'>
  bus: EventBus
  clock: Clock
  /** How long messages are kept, in milliseconds, by the lifetime of their address. */
  retention: Record<Lifetime, number>
}

export function createDeliveries({ store, summaries, opener, bus, clock, retention }: DeliveriesDeps): Deliveries {
  async function received(open: OpenAddress, now: number): Promise<Delivery[]> {
    const rows = await store.messages.list(open.row.id, { now, limit: DELIVERIES_KEPT })
    const list: Delivery[] = []
    for (const row of rows) {
      const content = await summaries.read(open, row)
      if (content) list.push(receivedDelivery({ ...content, ...row }))
    }
    return list
  }

  /** Opens a stored delivery. Returns nothing for a damaged one, and for one of an earlier address with this id. */
  function opened(
    { keys, row }: OpenAddress,
    { id, sealedDelivery }: Pick<NewDelivery, 'id' | 'sealedDelivery'>,
  ): Delivery[] {
    const place = messagePlace('delivery', { addressId: row.id, id })
    const plaintext = ifIntact(() => opener.open(keys, place, sealedDelivery))
    if (!plaintext) return []
    const delivery = JSON.parse(Buffer.from(plaintext).toString()) as FailedDelivery
    return delivery.firstAt < row.createdAt ? [] : [failedDelivery(delivery)]
  }

  return {
    async list(open) {
      const now = clock()
      const { id, createdAt, lifetime } = open.row
      const [stored, messages] = await Promise.all([store.deliveries.list(id, now), received(open, now)])
      const arrivals = stored.gone.map(timeOf)
      const deliveries = [
        ...messages,
        ...stored.failed.flatMap((each) => opened(open, each)),
        // Older messages have expired.
        ...arrivals.filter((at) => at > now - retention[lifetime]).map(deletedDelivery),
      ]
      return { since: deliveriesSince(createdAt, now, retention[lifetime]), deliveries: lastDeliveries(deliveries) }
    },

    async failed(open, since) {
      const stored = await store.deliveries.list(open.row.id, clock())
      const deliveries = stored.failed.flatMap((each) => opened(open, each))
      return lastDeliveries(deliveries.filter(({ at }) => at >= since))
    },

    watch: (open, listener) => bus.subscribe(deliveriesOf(open.row.id), listener),
  }
}
