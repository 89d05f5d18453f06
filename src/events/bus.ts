import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { Logger } from '#core/telemetry.ts'

export interface MemoryBus extends EventBus {
  /** Notifies all listeners, because any of them may have missed an event. */
  publishAll(): void
}

/** How many addresses are notified in one turn: their listeners may all start to read at once. */
const TOGETHER = 200
/** The pause between two such turns, in milliseconds. */
const PAUSE = 50

/**
 * Creates the bus within one process. Listeners run after the publisher's turn of the event loop, once for all events
 * of that turn. A listener that throws does not affect the others.
 */
export function createMemoryBus(logger: Logger): MemoryBus {
  const listeners = new Map<AddressId, Set<() => void>>()
  let due = new Set<AddressId>()

  function notify(): void {
    const addressIds = [...due]
    due = new Set(addressIds.splice(TOGETHER))
    for (const listener of addressIds.flatMap((id) => [...(listeners.get(id) ?? [])])) {
      try {
        listener()
      } catch (error) {
        logger.error({ err: error }, 'a listener failed')
      }
    }
    if (due.size > 0) setTimeout(notify, PAUSE)
  }

  function publish(addressId: AddressId): void {
    if (!listeners.has(addressId)) return
    if (due.size === 0) setImmediate(notify)
    due.add(addressId)
  }

  return {
    publish,
    isWatched: (addressId) => listeners.has(addressId),
    publishAll: () => [...listeners.keys()].forEach(publish),
    subscribe(addressId, listener) {
      const own = listeners.get(addressId) ?? new Set()
      listeners.set(addressId, own)
      // A separate wrapper per subscription, so that the same function can subscribe twice.
      const entry = (): void => listener()
      own.add(entry)
      return () => {
        own.delete(entry)
        if (own.size === 0 && listeners.get(addressId) === own) listeners.delete(addressId)
      }
    },
  }
}
