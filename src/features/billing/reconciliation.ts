import type { Order } from '#core/billing/order.ts'
import { type Difference, type PaymentProvider, PaymentRejected } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/provider.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import { hasCode } from '#core/errors.ts'
import { METADATA, type Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR } from '#core/time.ts'
import { inBatches } from '#lib/batches.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'
import type { Billing } from './billing.ts'

/** A difference from the provider. It is already corrected, unless it is a `mismatch`, `order_unknown` or `rejected`. */
interface FoundDifference {
  provider: ProviderName
  /** The subject at the provider. */
  ref: string
  kind: Difference
}

interface Report {
  /** The number of subjects that were read back. */
  read: number
  differences: FoundDifference[]
  /** Providers whose comparison is incomplete. */
  failed: ProviderName[]
}

export interface Reconciliation extends Periodic {
  /** Compares with the providers whose last complete run is at least `interval` ago. */
  work(stopping: AbortSignal): Promise<void>
  /** Compares with all providers now. */
  run(stopping?: AbortSignal): Promise<Report>
}

interface ReconciliationDeps {
  store: Pick<Store, 'orders' | 'subscriptions' | 'isLeader' | 'ensureMetadata' | 'setMetadata'>
  providers: readonly PaymentProvider[]
  billing: Pick<Billing, 'settle'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** The time between two runs, and the maximum age of an open order that is read back; both in milliseconds. */
  interval: number
  keepOrders: number
}

/** A run also covers this many milliseconds before the previous run. */
const OVERLAP = 7 * DAY
/** Calls in a row without a response after which a provider is not queried again in a run. One may be about a broken subject. */
const UNREACHABLE_AFTER = 5
/** How often to check whether a run is due. A provider that was unreachable is compared again after this time. */
const LOOK_INTERVAL = HOUR / 4

/**
 * Compares the stored payments with the providers periodically. Settles the changes for which no payment event arrived,
 * and reports every difference.
 */
export function createReconciliation(deps: ReconciliationDeps): Reconciliation {
  const { providers, billing, clock, logger, metrics } = deps
  const { orders, subscriptions } = deps.store
  /** The start of the last complete run, in milliseconds since the epoch. Stored so that a restart does not cause a run. */
  const lastRun = async (provider: PaymentProvider): Promise<number> =>
    Number(await deps.store.ensureMetadata(METADATA.reconciled(provider.name), String(clock())))

  /** Yields the subjects for which an event is overdue: the checkouts of open orders, and renewals that are due. */
  async function* overdue(
    now: number,
    stopping?: AbortSignal,
  ): AsyncGenerator<{ provider: ProviderName; ref: string }> {
    for await (const { provider, providerRef, state } of inBatches<Order>(
      (limit, after) => orders.since(now - deps.keepOrders, limit, after?.id),
      { stopping },
    ))
      if (providerRef !== null && (state === 'open' || state === 'pending')) yield { provider, ref: providerRef }
    for await (const { id, renews, paidUntil } of inBatches<Subscription>(
      (limit, after) => subscriptions.list(limit, after?.id),
      { stopping },
    ))
      if (renews && paidUntil <= now) yield* (await subscriptions.sources(id)).filter((source) => source.renews)
  }

  async function run(stopping?: AbortSignal, compared: readonly PaymentProvider[] = providers): Promise<Report> {
    const report: Report = { read: 0, differences: [], failed: [] }
    const begun = clock()
    const seen = new Set<string>()
    /** How many subjects in a row each provider did not respond to. */
    const silent = new Map(compared.map(({ name }) => [name, 0]))

    function add(provider: ProviderName, ref: string, kind: Difference): void {
      report.differences.push({ provider, ref, kind })
      metrics.count('reconciliation_differences', { provider, kind })
      logger.warn({ provider, ref, kind }, 'reconciliation found a difference')
    }

    /** A subject that fails does not stop the comparison. `failures`: to how many in a row before there was no response. */
    function fail(provider: ProviderName, error: unknown, failures: number): void {
      if (hasCode(error, 'payment_unavailable')) {
        silent.set(provider, failures + 1)
        const rejected = error instanceof PaymentRejected
        logger.warn(
          { provider },
          `reconciliation: ${rejected ? 'the provider rejects the list' : 'provider unreachable'}`,
        )
      } else logger.error({ err: error, provider }, 'reconciliation failed')
      if (!report.failed.includes(provider)) report.failed.push(provider)
    }

    async function readBack(provider: ProviderName, ref: string): Promise<void> {
      const name = `${provider} ${ref}`
      const failures = silent.get(provider) ?? UNREACHABLE_AFTER
      if (stopping?.aborted || seen.has(name) || failures >= UNREACHABLE_AFTER) return
      seen.add(name)
      report.read++
      try {
        for (const kind of (await billing.settle(provider, ref, null)).differences) add(provider, ref, kind)
        silent.set(provider, 0)
      } catch (error) {
        if (error instanceof PaymentRejected) return add(provider, ref, 'rejected')
        fail(provider, error, failures)
      }
    }

    for (const provider of compared) {
      const { name } = provider
      try {
        const since = (await lastRun(provider)) - OVERLAP
        for await (const subject of stopping?.aborted ? [] : provider.subjectsSince(since)) {
          await readBack(name, subject)
          if (stopping?.aborted) break
        }
      } catch (error) {
        fail(name, error, UNREACHABLE_AFTER)
      }
    }
    for await (const { provider, ref } of overdue(begun, stopping)) await readBack(provider, ref)

    for (const provider of stopping?.aborted ? [] : compared) {
      const outcome = report.failed.includes(provider.name) ? 'failed' : 'done'
      if (outcome === 'done') await deps.store.setMetadata(METADATA.reconciled(provider.name), String(begun))
      metrics.count('reconciliations', { provider: provider.name, outcome })
    }
    return report
  }

  async function work(stopping: AbortSignal): Promise<void> {
    const now = clock()
    const last = await Promise.all(providers.map(lastRun))
    const due = providers.filter((_, i) => now - (last[i] ?? now) >= deps.interval)
    if (due.length === 0) return
    const { read, differences, failed } = await run(stopping, due)
    logger.info({ read, differences: differences.length, failed }, 'reconciled')
  }
  const look = { interval: LOOK_INTERVAL, atStart: true }
  return { run, work, ...createPeriodic({ ...deps, ...look, name: 'reconciliation', work }) }
}
