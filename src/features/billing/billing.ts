import { type Order, type OrderState, type OrderStore, SETTABLE_UNPAID } from '#core/billing/order.ts'
import {
  type Difference,
  type PaymentEvent,
  type PaymentProvider,
  PaymentRejected,
  providerNamed,
  type ProviderReport,
} from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/provider.ts'
import type { SubscriptionStore } from '#core/billing/subscription.ts'
import { hasCode, MayflyError } from '#core/errors.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createOneCard } from './one-card.ts'
import type { Settler } from './settler.ts'
import { newSubscription } from './subscriber.ts'

/**
 * The result of a payment event:
 * - `settled`: it changed the ledger
 * - `same`: nothing had to change
 * - `duplicate`: the event was settled before
 * - `ignored`: Mayfly does not need this kind of event
 * - `unknown`: the subject does not exist, or belongs to no order
 * - `mismatch`: the payment differs from the order, so nothing is granted
 * - `rejected`: the provider rejects the subject for good, so a repetition of the event is useless
 */
type SettleResult = 'settled' | 'same' | 'duplicate' | 'ignored' | 'unknown' | 'mismatch' | 'rejected'

interface SettlementOutcome {
  result: SettleResult
  differences: readonly Difference[]
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Billing {
  /**
   * Handles a payment event. Throws `signature_invalid`, `payment_unavailable`, or `not_found` if the provider is not
   * configured.
   */
  handle(provider: ProviderName, body: Uint8Array, headers: Headers): Promise<SettleResult>
  /**
   * Reads a subject from the provider and applies its current state. `event` is null for the reconciliation. Throws
   * `payment_unavailable`.
   */
  settle(provider: ProviderName, subject: string, event: PaymentEvent | null): Promise<SettlementOutcome>
}

interface BillingDeps {
  orders: OrderStore
  subscriptions: SubscriptionStore
  providers: readonly PaymentProvider[]
  settler: Settler
  clock: Clock
  logger: Logger
  metrics: Metrics
}

/**
 * A conflict means that another settlement of the same subscription succeeded. The limit covers this many at the same
 * time.
 */
const ATTEMPTS = 50

/**
 * Turns payment events into settlements. Only the state read back from the provider counts, so events may arrive twice,
 * late or in any order.
 */
export function createBilling(deps: BillingDeps): Billing {
  const { orders, subscriptions, settler, clock, logger, metrics } = deps

  function providerOf(name: ProviderName): PaymentProvider {
    const provider = providerNamed(deps.providers, name)
    if (!provider) throw new MayflyError('not_found')
    return provider
  }

  /** Returns the email key of a subject if the store knows it, without a query to the provider. */
  async function emailKeyOf(provider: ProviderName, subject: string): Promise<string | undefined> {
    const owner = (await subscriptions.ofSource(provider, subject)) ?? (await orders.findByRef(provider, subject))
    return owner?.emailKey
  }

  function mismatchOf({ mismatch }: ProviderReport, { provider, providerRef }: Order): Difference[] {
    if (mismatch === undefined) return []
    logger.warn({ provider, ref: providerRef, mismatch }, 'payment differs from its order')
    return ['mismatch']
  }

  /** Sets the state of an order for which nothing was paid. */
  async function setState(order: Order, state: OrderState): Promise<Difference[]> {
    if (order.state === state || !(await orders.setState(order.id, state, SETTABLE_UNPAID))) return []
    metrics.count('orders', { plan: order.plan, provider: order.provider, state })
    return ['order_state']
  }

  const keepOnly = createOneCard({ ...deps, settle })

  async function settle(name: ProviderName, subject: string, event: PaymentEvent | null): Promise<SettlementOutcome> {
    const provider = providerOf(name)
    const seen = event && { provider: name, id: event.id, receivedAt: clock() }
    let emailKey = await emailKeyOf(name, subject)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Read before the provider is queried: a revision that changes after this may result from newer information.
      const before = emailKey === undefined ? undefined : await subscriptions.findByEmail(emailKey)
      const report = await provider.read(subject)
      if (!report) return { result: 'unknown', differences: [] }
      const order = await orders.find(report.orderId)
      if (order?.provider !== name)
        return { result: 'unknown', differences: report.mismatch === undefined ? [] : ['order_unknown'] }
      const wasKnown = emailKey === order.emailKey
      emailKey = order.emailKey
      if (!wasKnown && (await subscriptions.findByEmail(emailKey))) continue

      const mismatches = mismatchOf(report, order)
      const result = mismatches.length > 0 ? 'mismatch' : 'settled'
      const { source, payments } = report
      if (!source || payments.length === 0) {
        const changed = await setState(order, report.state)
        // A debit failed. The provider would repeat it, although the buyer reads that they can order again.
        const isDeclined = report.state === 'declined' && (await orders.find(order.id))?.state === 'declined'
        if (isDeclined && order.providerRef !== null) await provider.cancel?.(order.providerRef)
        return { result, differences: [...mismatches, ...changed] }
      }
      const subscription = before ?? (await subscriptions.ensure(newSubscription(order, clock())))
      // Another process created it, perhaps with a newer state.
      if (!before && subscription.revision > 0) continue
      const { outcome, differences } = await settler.apply({
        subscription,
        providerState: { source, payments },
        paidFor: { order, state: report.state },
        event: seen,
      })
      if (outcome === 'conflict') continue
      await keepOnly(order, source, subscription)
      return { result: outcome === 'settled' ? result : outcome, differences: [...mismatches, ...differences] }
    }
    throw new MayflyError('unavailable', 'Too many changes at once')
  }

  async function resultOf(name: ProviderName, body: Uint8Array, headers: Headers): Promise<SettleResult> {
    const event = providerOf(name).verify(body, headers)
    if (!event) return 'ignored'
    try {
      return (await settle(name, event.subject, event)).result
    } catch (error) {
      if (!(error instanceof PaymentRejected && error.isFinal)) throw error
      logger.warn({ provider: name, ref: event.subject }, 'payment event dropped: the provider rejects its subject')
      return 'rejected'
    }
  }

  return {
    settle,
    async handle(name, body, headers) {
      const count = (result: string): void => metrics.count('payment_events', { provider: name, result })
      try {
        const result = await resultOf(name, body, headers)
        count(result)
        return result
      } catch (error) {
        count(hasCode(error, 'signature_invalid') ? 'forged' : 'failed')
        throw error
      }
    },
  }
}
