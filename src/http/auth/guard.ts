import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { Clock } from '#core/time.ts'

/** What lets a stream or a held answer go on. */
export interface Grant {
  /** Where the bus tells that it may hold no more: ids of addresses and subscriptions. */
  topics: readonly AddressId[]
  /** Until when it holds, as the store has it now (milliseconds since the epoch); not later than now where it doesn't. */
  holdsUntil(): Promise<number>
}

export interface Guard {
  /** Aborts as soon as one of the grants holds no more. */
  readonly signal: AbortSignal
  /** Looks now; whether all of them hold. To be asked before anything is told. Rejects where the store cannot say. */
  holds(): Promise<boolean>
  /** Ends the watching. */
  stop(): void
}

/** Where the store could not say, it is asked again after so long. In milliseconds. */
const RETRY = 500
/** In milliseconds; for a longer one timers end at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Watches what lets a request go on for as long as it goes on, by the bus and by the clock. Begins with a look. */
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
    const until = Math.min(...(await Promise.all(grants.map((grant) => grant.holdsUntil()))))
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

  /** One look at a time, and another one for whatever happened during it. */
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
 * Answers what took a while to make where all grants hold when it is there. Else throws `unauthorized`: who was shut out while
 * the request waited is told nothing.
 */
export async function whileHeld<T>(grants: readonly Grant[], clock: Clock, made: Promise<T>): Promise<T> {
  const result = await made
  const until = await Promise.all(grants.map((grant) => grant.holdsUntil()))
  if (Math.min(...until) <= clock()) throw new MayflyError('unauthorized')
  return result
}
