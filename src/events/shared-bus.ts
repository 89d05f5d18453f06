import type { Channel, EventBus, Logger } from '#core/ports.ts'
import { createMemoryBus } from './bus.ts'

const TOPIC = 'inbox'

/**
 * The bus of all processes of the service: what is published in one is heard in each. Only ids travel; where some may have been
 * missed every listener is told, and reads from the store what it has not seen.
 */
export function createSharedBus(channel: Channel, logger: Logger): EventBus {
  const bus = createMemoryBus(logger)
  channel.onItems(TOPIC, (addressIds) => addressIds.forEach(bus.publish))
  channel.onGap(bus.publishAll)
  return {
    publish(addressId) {
      bus.publish(addressId)
      channel.send(TOPIC, addressId)
    },
    subscribe: bus.subscribe,
  }
}
