import { setTimeout as pause } from 'node:timers/promises'
import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'
import type { ClockWatch } from './clock-watch.ts'

export interface RetentionDeps {
  store: Store
  bus: EventBus
  clock: Clock
  /** Nothing is swept while the clock is in doubt. */
  clockWatch: ClockWatch
  logger: Logger
  metrics: Metrics
  /** Rows that one step removes: small steps never block the receiver. */
  stepRows: number
  /** Milliseconds between two sweeps. */
  interval: number
  /** How long an order that was never paid is kept, in milliseconds. */
  keepOrders: number
  /** How long it is shown what was forwarded, in milliseconds. */
  keepForwarded: number
}

/** Limits of a day look back so far at most. */
const KEEP_COUNTS = 2 * 24 * 3_600_000
/** After each step the store has this many times as long for others. */
const REST = 2

export interface Retention extends Periodic {
  /** Removes all that has expired, in small steps, and gives the space back. */
  sweep(): Promise<void>
}

export function createRetention(deps: RetentionDeps): Retention {
  const { store, bus, clock, clockWatch, metrics } = deps

  /** Repeats a step until it finds less than a full one. */
  async function whileFull(step: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
    let total = 0
    for (;;) {
      // Steps with rests, so that mail hardly notices.
      const started = performance.now()
      const count = stopping?.aborted ? 0 : await step()
      total += count
      if (count < deps.stepRows) return total
      await pause((performance.now() - started) * REST)
    }
  }

  async function endExpired(now: number): Promise<number> {
    const ids = await store.addresses.removeExpired(now, deps.stepRows)
    for (const id of ids) bus.publish(id)
    return ids.length
  }

  async function removeExpired(now: number): Promise<number> {
    const { addressIds, removed } = await store.messages.removeExpired(now, deps.stepRows)
    for (const id of addressIds) bus.publish(id)
    return removed
  }

  async function sweep(stopping?: AbortSignal): Promise<void> {
    // Read once: a clock that goes ahead during a sweep removes nothing more.
    const now = clock()
    metrics.count('expired_addresses', {}, await whileFull(() => endExpired(now), stopping))
    metrics.count('expired_messages', {}, await whileFull(() => removeExpired(now), stopping))
    await whileFull(() => store.addresses.forgetNames(now, deps.stepRows), stopping)
    await whileFull(() => store.accounts.forget(now, deps.stepRows), stopping)
    await whileFull(() => store.orders.forget(now - deps.keepOrders, deps.stepRows), stopping)
    await whileFull(() => store.forwardingJobs.forget(now - deps.keepForwarded, deps.stepRows), stopping)
    await whileFull(() => store.forwardings.forget(now - KEEP_COUNTS, deps.stepRows), stopping)
    if (!stopping?.aborted) await store.maintain(now)
  }

  const onTurn = (ours: boolean): void => metrics.gauge('periodic_work_turn', ours ? 1 : 0)
  return {
    sweep: () => sweep(),
    ...createPeriodic({ ...deps, name: 'sweep', work: sweep, onTurn, mayRun: clockWatch.isSteady }),
  }
}
