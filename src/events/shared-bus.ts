import { type Channel, type EventBus, INBOX_TOPIC } from '#core/events.ts'
import type { Logger } from '#core/telemetry.ts'
import { createMemoryBus } from './bus.ts'

/**
 * Creates the bus of all processes of the service: an event that one publishes reaches the listeners in each. Only topics
 * are sent. If some may have been missed, every listener is notified and reads from the store what it has not seen.
 */
export function createSharedBus(channel: Channel, logger: Logger): EventBus {
  const bus = createMemoryBus(logger)
  channel.onItems(INBOX_TOPIC, (topics) => topics.forEach(bus.publish))
  channel.onGap(bus.publishAll)
  return {
    publish(topic) {
      bus.publish(topic)
      channel.send(INBOX_TOPIC, topic)
    },
    subscribe: bus.subscribe,
    isWatched: bus.isWatched,
  }
}
