import type { Order, OrderState, OrderStore } from '#core/billing/order.ts'
import type { PaymentEvent, PaymentProvider, PaymentTruth } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/plan.ts'
import type { SubscriptionStore } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Difference } from './differences.ts'
import type { Settler } from './settler.ts'
import { newSubscription } from './subscriber.ts'

/**
 * `same`: all was so already. `duplicate`: the event was settled before. `ignored`: it is of no interest. `unknown`: there is
 * no such thing, or no order that it is of. `mismatch`: what was paid is not what was ordered; nothing is granted.
 */
export type SettleResult = 'settled' | 'same' | 'duplicate' | 'ignored' | 'unknown' | 'mismatch'

export interface SettlementOutcome {
  result: SettleResult
  differences: readonly Difference[]
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Billing {
  /** What to do with a webhook. Throws `not_found` where this provider is not used here, `signature_invalid`, `payment_unavailable`. */
  handle(provider: ProviderName, body: Uint8Array, headers: Headers): Promise<SettleResult>
  /** Reads back all about a subject and makes it true here, whatever came before. Throws `payment_unavailable`. */
  settle(provider: ProviderName, subject: string, event: PaymentEvent | null): Promise<SettlementOutcome>
}

export interface BillingDeps {
  orders: OrderStore
  subscriptions: SubscriptionStore
  providers: readonly PaymentProvider[]
  settler: Settler
  clock: Clock
  logger: Logger
  metrics: Metrics
}

/** Each conflict means that somebody else was through; so many at once have something to say about one subscription. */
const ATTEMPTS = 50
/** Only the ledger says that an order is paid, and that it is not any more. */
const UNPAID: readonly OrderState[] = ['open', 'pending', 'underpaid', 'declined', 'expired', 'mismatch']

/** Turns what a provider reports into what it grants. Only what is read back from it counts, so events may come twice, late or in any order. */
export function createBilling(deps: BillingDeps): Billing {
  const { orders, subscriptions, settler, clock, logger, metrics } = deps

  function providerOf(name: ProviderName): PaymentProvider {
    const provider = deps.providers.find((each) => each.name === name)
    if (!provider) throw new MayflyError('not_found')
    return provider
  }

  /** Whose subject it is, as far as that is known without asking the provider. */
  async function emailKeyOf(provider: ProviderName, subject: string): Promise<string | undefined> {
    const known = (await subscriptions.ofSource(provider, subject)) ?? (await orders.findByRef(provider, subject))
    return known?.emailKey
  }

  function mismatchOf({ mismatch }: PaymentTruth, { provider, providerRef }: Order): Difference[] {
    if (mismatch === undefined) return []
    logger.warn({ provider, ref: providerRef, mismatch }, 'payment is not what was ordered')
    return ['mismatch']
  }

  /** Nothing was paid: only the order can have changed. */
  async function setState(order: Order, state: OrderState): Promise<Difference[]> {
    if (order.state === state || !(await orders.setState(order.id, state, UNPAID))) return []
    metrics.count('orders', { plan: order.plan, provider: order.provider, state })
    return ['order_state']
  }

  async function settle(name: ProviderName, subject: string, update: PaymentEvent | null): Promise<SettlementOutcome> {
    const provider = providerOf(name)
    const event = update && { provider: name, id: update.id, receivedAt: clock() }
    let emailKey = await emailKeyOf(name, subject)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Before the provider is asked: whoever changes it from here on may know something newer.
      const before = emailKey === undefined ? undefined : await subscriptions.findByEmail(emailKey)
      const truth = await provider.read(subject)
      if (!truth) return { result: 'unknown', differences: [] }
      const order = await orders.find(truth.orderId)
      if (order?.provider !== name)
        return { result: 'unknown', differences: truth.mismatch === undefined ? [] : ['order_unknown'] }
      const wasKnown = emailKey === order.emailKey
      emailKey = order.emailKey
      if (!wasKnown && (await subscriptions.findByEmail(emailKey))) continue

      const found = mismatchOf(truth, order)
      const result = found.length > 0 ? 'mismatch' : 'settled'
      const { source, payments } = truth
      if (!source || payments.length === 0)
        return { result, differences: [...found, ...(await setState(order, truth.state))] }
      const subscription = before ?? (await subscriptions.ensure(newSubscription(order, clock())))
      // Another process made it meanwhile, perhaps with a later state.
      if (!before && subscription.revision > 0) continue
      const { outcome, differences } = await settler.apply({
        subscription,
        providerState: { source, payments },
        order: { order, state: truth.state },
        event,
      })
      if (outcome !== 'conflict')
        return { result: outcome === 'settled' ? result : outcome, differences: [...found, ...differences] }
    }
    throw new MayflyError('unavailable', 'Too many changes at once')
  }

  async function resultOf(name: ProviderName, body: Uint8Array, headers: Headers): Promise<SettleResult> {
    const event = providerOf(name).verify(body, headers)
    if (!event) return 'ignored'
    if (await subscriptions.hasSeen(name, event.id)) return 'duplicate'
    return (await settle(name, event.subject, event)).result
  }

  return {
    settle,
    async handle(name, body, headers) {
      const count = (result: string): void => metrics.count('webhooks', { provider: name, result })
      try {
        const result = await resultOf(name, body, headers)
        count(result)
        return result
      } catch (error) {
        count(error instanceof MayflyError && error.code === 'signature_invalid' ? 'forged' : 'failed')
        throw error
      }
    },
  }
}
