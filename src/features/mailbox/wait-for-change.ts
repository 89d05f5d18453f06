import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'

interface Wake {
  reason: Promise<'published' | 'time' | 'aborted'>
  /** Stops waiting. `reason` then resolves with `aborted`. */
  cancel(): void
}

/**
 * Waits until a change of the address is published, `milliseconds` have passed or `signal` aborts. Subscribes before it
 * returns.
 */
export function untilPublished(bus: EventBus, addressId: AddressId, milliseconds: number, signal: AbortSignal): Wake {
  const { promise, resolve } = Promise.withResolvers<'published' | 'time' | 'aborted'>()
  const stop = bus.subscribe(addressId, () => resolve('published'))
  const timer = setTimeout(() => resolve('time'), Math.max(0, milliseconds))
  const abort = (): void => resolve('aborted')
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const reason = promise.finally(() => {
    stop()
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  })
  return { reason, cancel: abort }
}
