import { setTimeout as pause } from 'node:timers/promises'
import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY, MINUTE } from '#core/time.ts'
import type { ClockWatch } from '#lib/clock-watch.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'

interface SweepDeps {
  store: Store
  bus: EventBus
  clock: Clock
  /** The sweep pauses while the clock cannot be trusted. */
  clockWatch: ClockWatch
  logger: Logger
  metrics: Metrics
  /** The maximum number of rows that one step removes. Small steps do not block the receiver. */
  stepRows: number
  /** The time between the starts of two sweeps, in milliseconds. */
  interval: number
  /** How long an unpaid order is kept, in milliseconds. */
  keepOrders: number
  /** How long the log of forwarded messages is kept, in milliseconds. */
  keepForwarded: number
}

/**
 * How long the counts of forwarded messages are kept, in milliseconds. Daily limits need less than two days of them.
 */
const KEEP_COUNTS = 2 * DAY
/**
 * How long the ids of payment events are kept, in milliseconds. Providers repeat an event for a few days, and on request
 * for 30 days.
 */
const KEEP_EVENTS = 90 * DAY
/**
 * The pause after a step, as a multiple of the time that the step took: long, so that other work hardly notices, and short
 * once the sweep has lasted for `longFor` milliseconds, so that it keeps up with what expires.
 */
const PAUSE = { long: 8, short: 2, longFor: 10 * MINUTE }

interface Sweep extends Periodic {
  /** Removes everything that has expired, in small steps, and frees its disk space. */
  run(): Promise<void>
}

export function createSweep(deps: SweepDeps): Sweep {
  const { store, bus, clock, clockWatch, metrics, stepRows } = deps

  async function removeExpiredAddresses(now: number): Promise<number> {
    const ids = await store.addresses.removeExpired(now, stepRows)
    for (const id of ids) bus.publish(id)
    metrics.count('expired_addresses', {}, ids.length)
    return ids.length
  }

  async function removeExpiredMessages(now: number): Promise<number> {
    const { addressIds, removed } = await store.messages.removeExpired(now, stepRows)
    for (const id of addressIds) bus.publish(id)
    metrics.count('expired_messages', {}, removed)
    return removed
  }

  async function sweep(stopping?: AbortSignal): Promise<void> {
    // The time is read once, so a clock that jumps ahead during a sweep does not make it remove more.
    const now = clock()
    const began = performance.now()
    const failures: unknown[] = []
    // What fails, because of a damaged table for example, must not keep the rest: `maintain` frees disk space.
    const attempt = <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
      work().catch((error: unknown) => void failures.push(error))
    /** Runs a step. Returns whether it removed anything: then there may be more to remove. */
    const hasRemoved = async (step: () => Promise<number>): Promise<boolean> => {
      if (stopping?.aborted) return false
      const started = performance.now()
      const count = await attempt(step)
      if (!count) return false
      // The pause between steps leaves the store to the receiver.
      const ended = performance.now()
      const times = ended - began < PAUSE.longFor ? PAUSE.long : PAUSE.short
      await pause((ended - started) * times, undefined, { signal: stopping }).catch(() => {})
      return true
    }

    let due = [
      () => removeExpiredAddresses(now),
      () => removeExpiredMessages(now),
      () => store.deliveries.removeExpired(now, stepRows),
      () => store.addresses.forgetNames(now, stepRows),
      () => store.accounts.forget(now, stepRows),
      () => store.orders.forget(now - deps.keepOrders, stepRows),
      () => store.subscriptions.forgetEvents(now - KEEP_EVENTS, stepRows),
      () => store.forwardingJobs.forget(now - deps.keepForwarded, stepRows),
      () => store.forwardings.forget(now - KEEP_COUNTS, stepRows),
    ]
    // One step of each kind per round, so that after a long outage no kind waits until another is completely removed.
    while (due.length > 0) {
      const unfinished: typeof due = []
      for (const step of due) if (await hasRemoved(step)) unfinished.push(step)
      due = unfinished
    }
    if (!stopping?.aborted) await attempt(() => store.maintain(now))
    if (failures.length > 0) throw failures[0]
  }

  const onLeaderCheck = (isLeader: boolean): void => metrics.gauge('periodic_work_turn', isLeader ? 1 : 0)
  return {
    run: () => sweep(),
    ...createPeriodic({ ...deps, name: 'sweep', work: sweep, onLeaderCheck, mayRun: clockWatch.isSteady }),
  }
}
