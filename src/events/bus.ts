import type { EventBus, Topic } from '#core/events.ts'
import type { Logger } from '#core/telemetry.ts'

interface MemoryBus extends EventBus {
  /** Notifies all listeners, because any of them may have missed an event. */
  publishAll(): void
}

/** How many topics are notified in one turn: their listeners may all start to read at the same time. */
const TOGETHER = 200
/** The pause between two such turns, in milliseconds. */
const PAUSE = 50

/**
 * Creates the bus within one process. Listeners run after the publisher's turn of the event loop, once for all events
 * of that turn. A listener that throws does not affect the others.
 */
export function createMemoryBus(logger: Logger): MemoryBus {
  const listeners = new Map<Topic, Set<() => void>>()
  let due = new Set<Topic>()

  function notify(): void {
    const topics = [...due]
    due = new Set(topics.splice(TOGETHER))
    for (const listener of topics.flatMap((topic) => [...(listeners.get(topic) ?? [])])) {
      try {
        listener()
      } catch (error) {
        logger.error({ err: error }, 'a listener failed')
      }
    }
    if (due.size > 0) setTimeout(notify, PAUSE)
  }

  function publish(topic: Topic): void {
    if (!listeners.has(topic)) return
    if (due.size === 0) setImmediate(notify)
    due.add(topic)
  }

  return {
    publish,
    isWatched: (topic) => listeners.has(topic),
    publishAll: () => [...listeners.keys()].forEach(publish),
    subscribe(topic, listener) {
      const own = listeners.get(topic) ?? new Set()
      listeners.set(topic, own)
      // A separate wrapper per subscription, so that the same function can subscribe twice.
      const entry = (): void => listener()
      own.add(entry)
      return () => {
        own.delete(entry)
        if (own.size === 0 && listeners.get(topic) === own) listeners.delete(topic)
      }
    },
  }
}
