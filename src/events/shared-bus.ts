import { type Channel, type EventBus, INBOX_TOPIC } from '#core/events.ts'
import type { Logger } from '#core/telemetry.ts'
import { createMemoryBus } from './bus.ts'

/**
 * Creates the bus of all processes of the service: an event that one publishes reaches the listeners in each. Only ids
 * are sent. If some may have been missed, every listener is notified and reads from the store what it has not seen.
 */
export function createSharedBus(channel: Channel, logger: Logger): EventBus {
  const bus = createMemoryBus(logger)
  channel.onItems(INBOX_TOPIC, (addressIds) => addressIds.forEach(bus.publish))
  channel.onGap(bus.publishAll)
  return {
    publish(addressId) {
      bus.publish(addressId)
      channel.send(INBOX_TOPIC, addressId)
    },
    subscribe: bus.subscribe,
    isWatched: bus.isWatched,
  }
}
