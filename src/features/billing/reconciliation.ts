import type { PaymentProvider } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/plan.ts'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR } from '#core/time.ts'
import { BATCH_SIZE, inBatches } from '#lib/batches.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'
import type { Billing } from './billing.ts'
import type { Difference } from './differences.ts'

/** Something that was otherwise here than at the provider; it is as there now. */
export interface FoundDifference {
  provider: ProviderName
  /** Its name at the provider. */
  ref: string
  kind: Difference
}

export interface Report {
  /** How many things were read back. */
  read: number
  differences: FoundDifference[]
  /** Providers of which not all could be compared. */
  failed: ProviderName[]
}

export interface Reconciliation extends Periodic {
  /** Compares with those that are due. */
  work(stopping: AbortSignal): Promise<void>
  /** Compares everything now. */
  run(stopping?: AbortSignal): Promise<Report>
}

export interface ReconciliationDeps {
  store: Pick<Store, 'orders' | 'subscriptions' | 'isLeader' | 'ensureMetadata' | 'setMetadata'>
  providers: readonly PaymentProvider[]
  billing: Pick<Billing, 'settle'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** Between two runs, and how old an open order may be that is asked for; in milliseconds. */
  interval: number
  keepOrders: number
}

/** How far behind the last run a run looks. */
const OVERLAP = 7 * 24 * HOUR
/** How often it is looked whether a run is due: soon, too, after one in which somebody could not be asked. */
const LOOK_INTERVAL = HOUR / 4

/** Compares all payments with the providers, from time to time: what no webhook told of is settled, and each difference reported. */
export function createReconciliation(deps: ReconciliationDeps): Reconciliation {
  const { providers, billing, clock, logger, metrics } = deps
  const { orders, subscriptions } = deps.store
  /** When the last run began that went through, in milliseconds since the epoch; kept, for a restart is no reason to run. */
  const fact = ({ name }: PaymentProvider): string => `reconciled ${name}`
  const lastRun = async (provider: PaymentProvider): Promise<number> =>
    Number(await deps.store.ensureMetadata(fact(provider), String(clock())))

  /** What providers should have told of: how orders ended whose checkout was made, and renewals that are due. */
  async function* waitedFor(now: number): AsyncGenerator<{ provider: ProviderName; ref: string }> {
    for await (const { provider, providerRef, state } of inBatches((after) =>
      orders.since(now - deps.keepOrders, BATCH_SIZE, after),
    ))
      if (providerRef !== null && (state === 'open' || state === 'pending')) yield { provider, ref: providerRef }
    for await (const { id, renews, paidUntil } of inBatches((after) => subscriptions.list(BATCH_SIZE, after)))
      if (renews && paidUntil <= now) yield* (await subscriptions.sources(id)).filter((source) => source.renews)
  }

  async function run(stopping?: AbortSignal, asked: readonly PaymentProvider[] = providers): Promise<Report> {
    const report: Report = { read: 0, differences: [], failed: [] }
    const begun = clock()
    const seen = new Set<string>()
    /** Those that can be asked. */
    const reachable = new Set(asked.map(({ name }) => name))

    function found(provider: ProviderName, ref: string, kind: Difference): void {
      report.differences.push({ provider, ref, kind })
      metrics.count('reconciliation_differences', { provider, kind })
      logger.warn({ provider, ref, kind }, 'reconciliation found a difference')
    }

    /** What can't be settled must not keep the rest from being compared; one that can't be asked is not asked again. */
    function fail(provider: ProviderName, error: unknown): void {
      if (error instanceof MayflyError && error.code === 'payment_unavailable') {
        reachable.delete(provider)
        logger.warn({ provider }, 'reconciliation could not ask')
      } else logger.error({ err: error, provider }, 'reconciliation failed')
      if (!report.failed.includes(provider)) report.failed.push(provider)
    }

    async function readBack(provider: ProviderName, ref: string): Promise<void> {
      const name = `${provider} ${ref}`
      if (stopping?.aborted || seen.has(name) || !reachable.has(provider)) return
      seen.add(name)
      report.read++
      try {
        for (const kind of (await billing.settle(provider, ref, null)).differences) found(provider, ref, kind)
      } catch (error) {
        fail(provider, error)
      }
    }

    for (const provider of asked) {
      const { name } = provider
      try {
        const since = (await lastRun(provider)) - OVERLAP
        for await (const subject of provider.subjectsSince(since)) await readBack(name, subject)
      } catch (error) {
        fail(name, error)
      }
    }
    for await (const { provider, ref } of waitedFor(begun)) await readBack(provider, ref)

    for (const provider of stopping?.aborted ? [] : asked) {
      const outcome = report.failed.includes(provider.name) ? 'failed' : 'done'
      if (outcome === 'done') await deps.store.setMetadata(fact(provider), String(begun))
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
