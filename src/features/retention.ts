import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, EventBus, Logger, Metrics, Store } from '#core/ports.ts'

export interface RetentionDeps {
  store: Store
  bus: EventBus
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** Rows that one step removes: small steps never block the receiver. */
  stepRows: number
  /** Milliseconds between two sweeps. */
  interval: number
}

/** How often a node asks whether the periodic work is its own now; the one that had it may have died. */
const TURN_INTERVAL = 5000
/** After each step the store has this many times as long for others. */
const REST = 2

export interface Retention {
  /** Removes all that has expired, in small steps, and gives the space back. */
  sweep(): Promise<void>
  start(): void
  /** Resolves when a sweep under way is through its step. */
  stop(): Promise<void>
}

export function createRetention(deps: RetentionDeps): Retention {
  const { store, bus, clock, metrics } = deps
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  /** Repeats a step until it finds less than a full one. */
  async function whileFull(step: () => Promise<number>): Promise<number> {
    let total = 0
    for (;;) {
      // Steps with rests, so that mail hardly notices.
      const started = performance.now()
      // oxlint-disable-next-line no-await-in-loop
      const count = stopping ? 0 : await step()
      total += count
      if (count < deps.stepRows) return total
      // oxlint-disable-next-line no-await-in-loop
      await pause((performance.now() - started) * REST)
    }
  }

  async function endExpired(): Promise<number> {
    const ids = await store.addresses.removeExpired(clock(), deps.stepRows)
    for (const id of ids) bus.publish(id)
    return ids.length
  }

  async function removeExpired(): Promise<number> {
    const { addressIds, removed } = await store.messages.removeExpired(clock(), deps.stepRows)
    for (const id of addressIds) bus.publish(id)
    return removed
  }

  async function sweep(): Promise<void> {
    metrics.count('expired_addresses', {}, await whileFull(endExpired))
    metrics.count('expired_messages', {}, await whileFull(removeExpired))
    await whileFull(() => store.addresses.forgetNames(clock(), deps.stepRows))
    if (!stopping) await store.maintain(clock())
  }

  return {
    sweep,
    start() {
      let sweptAt = clock()
      const work = async (): Promise<void> => {
        const ours = await store.hasTurn()
        metrics.gauge('periodic_work_turn', ours ? 1 : 0)
        if (!ours || clock() - sweptAt < deps.interval) return
        sweptAt = clock()
        await sweep()
      }
      const next = (): void => {
        timer = setTimeout(
          () => {
            current = work()
              .catch((error: unknown) => deps.logger.error({ err: error }, 'sweep failed'))
              .finally(() => stopping || next())
          },
          Math.min(deps.interval, TURN_INTERVAL),
        )
      }
      next()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await current
    },
  }
}
