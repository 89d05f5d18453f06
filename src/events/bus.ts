import type { AddressId, EventBus, Logger } from '#core/ports.ts'

/**
 * The bus within one process. Listeners run after the publisher's turn, once for all that was published in it; one that
 * throws doesn't keep the others from hearing.
 */
export function createMemoryBus(logger: Logger): EventBus {
  const listeners = new Map<AddressId, Set<() => void>>()
  const due = new Set<AddressId>()

  function tell(): void {
    const addressIds = [...due]
    due.clear()
    for (const listener of addressIds.flatMap((id) => [...(listeners.get(id) ?? [])])) {
      try {
        listener()
      } catch (error) {
        logger.error({ err: error }, 'a listener failed')
      }
    }
  }

  return {
    publish(addressId) {
      if (!listeners.has(addressId)) return
      if (due.size === 0) setImmediate(tell)
      due.add(addressId)
    },
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
