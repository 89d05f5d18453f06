import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { Logger } from '#core/telemetry.ts'

export interface MemoryBus extends EventBus {
  /** Tells every listener: whatever they wait for may have happened. */
  publishAll(): void
}

/** So many addresses are told in one turn; listeners may all begin to read at once. */
const TOGETHER = 200
/** Between two such turns, in milliseconds. */
const PAUSE = 50

/**
 * The bus within one process. Listeners run after the publisher's turn, once for all that was published in it; one that
 * throws doesn't keep the others from hearing.
 */
export function createMemoryBus(logger: Logger): MemoryBus {
  const listeners = new Map<AddressId, Set<() => void>>()
  let due = new Set<AddressId>()

  function tell(): void {
    const addressIds = [...due]
    due = new Set(addressIds.splice(TOGETHER))
    for (const listener of addressIds.flatMap((id) => [...(listeners.get(id) ?? [])])) {
      try {
        listener()
      } catch (error) {
        logger.error({ err: error }, 'a listener failed')
      }
    }
    if (due.size > 0) setTimeout(tell, PAUSE)
  }

  function publish(addressId: AddressId): void {
    if (!listeners.has(addressId)) return
    if (due.size === 0) setImmediate(tell)
    due.add(addressId)
  }

  return {
    publish,
    isWatched: (addressId) => listeners.has(addressId),
    publishAll: () => [...listeners.keys()].forEach(publish),
    subscribe(addressId, listener) {
      const own = listeners.get(addressId) ?? new Set()
      listeners.set(addressId, own)
      // A wrapper of its own, so that the same function may listen twice.
      const entry = (): void => listener()
      own.add(entry)
      return () => {
        own.delete(entry)
        if (own.size === 0 && listeners.get(addressId) === own) listeners.delete(addressId)
      }
    },
  }
}
