import { type Channel, type EventBus, INBOX_TOPIC } from '#core/events.ts'
import type { Logger } from '#core/telemetry.ts'
import { createMemoryBus } from './bus.ts'

/**
 * The bus of all processes of the service: what is published in one is heard in each. Only ids travel; where some may
 * have been missed every listener is told, and reads from the store what it has not seen.
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
