import { statfs } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '#config/table.ts'
import { OPERATOR_SHARES } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, SECOND } from '#core/time.ts'
import { createTrouble } from '#core/trouble.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import type { Base } from './base.ts'

interface GaugesDeps extends Pick<Base, 'operatorSecret'> {
  store: { messages: Pick<Store['messages'], 'usedByShare'> }
  metrics: Pick<Metrics, 'gauge'>
  logger: Pick<Logger, 'info' | 'warn'>
  clock: Clock
}

/** Prometheus waits ten seconds by default, and must get the other metrics from a node whose store hangs. */
const TIMEOUT = SECOND

/**
 * Returns a function that measures what is not counted as it happens, for each request of Prometheus. It never rejects, and
 * waits at most `timeout` milliseconds; what can't be measured keeps its value.
 */
export function createGauges(config: Config, deps: GaugesDeps, timeout = TIMEOUT): () => Promise<void> {
  const { store, metrics, logger, clock, operatorSecret } = deps
  const { directory, databaseUrl } = config.storage
  const trouble = createTrouble({
    start: (err) => logger.warn({ err }, 'not all metrics can be measured'),
    end: () => logger.info({}, 'all metrics can be measured again'),
  })

  async function disk(): Promise<void> {
    if (databaseUrl !== undefined) return
    const { bavail, bsize } = await statfs(directory)
    metrics.gauge('disk_free_bytes', bavail * bsize)
  }

  async function operatorMailbox(): Promise<void> {
    const id = deriveKeys(operatorSecret)?.id
    if (id === undefined) return
    const used = await store.messages.usedByShare(id, clock())
    for (const share of OPERATOR_SHARES) metrics.gauge('operator_mailbox_bytes', used[share] ?? 0, { share })
  }

  return async () => {
    const late = setTimeout(timeout, 'late' as const, { ref: false })
    const outcomes = await Promise.race([Promise.allSettled([disk(), operatorMailbox()]), late])
    const failed =
      outcomes === 'late'
        ? new Error(`The store did not respond within ${timeout / SECOND} s`)
        : outcomes.find((each) => each.status === 'rejected')?.reason
    if (failed === undefined) trouble.end()
    else trouble.start(failed)
  }
}
