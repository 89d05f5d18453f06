import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'

export interface Wake {
  reason: Promise<'published' | 'time' | 'aborted'>
  /** Ends the waiting; the reason is then `aborted`. */
  cancel(): void
}

/** Waits until something is published for the address, `milliseconds` are over or `signal` aborts. Listens at once. */
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
