import { MayflyError } from '#core/errors.ts'
import type { EventBus, Topic } from '#core/events.ts'
import { type Clock, LONGEST_TIMER } from '#core/time.ts'

/** Permission for a stream or a held response to continue. */
export interface Grant {
  /** Topics of the bus that announce its end: ids of addresses and subscriptions. */
  topics: readonly Topic[]
  /**
   * Returns until when it holds according to the store, in milliseconds since the epoch. Not in the future if it does
   * not hold.
   */
  validUntil(): Promise<number>
}

export interface Guard {
  /** Aborts as soon as one of the grants no longer holds. */
  readonly signal: AbortSignal
  /** Checks now whether all grants hold. Call it before sending anything. Rejects if the store is unavailable. */
  holds(): Promise<boolean>
  /** Stops watching. */
  stop(): void
}

/** How long to wait before asking the store again if it failed, in milliseconds. */
const RETRY = 500

/** Watches the grants of a request for as long as it runs, by the bus and by the clock. Starts with a check. */
export function guard(
  grants: readonly Grant[],
  { bus, clock }: { bus: Pick<EventBus, 'subscribe'>; clock: Clock },
): Guard {
  const over = new AbortController()
  const topics = new Set(grants.flatMap((grant) => grant.topics))
  const stops = [...topics].map((topic) => bus.subscribe(topic, wake))
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let again = false
  let stopped = false

  async function holds(): Promise<boolean> {
    if (over.signal.aborted) return false
    const until = Math.min(...(await Promise.all(grants.map((grant) => grant.validUntil()))))
    const left = until - clock()
    if (left <= 0) {
      stop()
      over.abort()
      return false
    }
    arm(left)
    return true
  }

  function arm(milliseconds: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(wake, Math.min(LONGEST_TIMER, milliseconds)).unref()
  }

  /** One check at a time, and one more for all events that arrived during it. */
  function wake(): void {
    if (looking) again = true
    if (looking || stopped) return
    looking = true
    again = false
    void holds()
      .catch(() => arm(RETRY))
      .finally(() => {
        looking = false
        if (again) wake()
      })
  }

  function stop(): void {
    stopped = true
    clearTimeout(timer)
    for (const each of stops) each()
  }

  wake()
  return { signal: over.signal, holds, stop }
}

/**
 * Returns the result of slow work if all grants hold when it is done. Otherwise throws `unauthorized`: a client that
 * lost access while the request waited gets nothing.
 */
export async function whileHeld<T>(grants: readonly Grant[], clock: Clock, made: Promise<T>): Promise<T> {
  const result = await made
  const until = await Promise.all(grants.map((grant) => grant.validUntil()))
  if (Math.min(...until) <= clock()) throw new MayflyError('unauthorized')
  return result
}
