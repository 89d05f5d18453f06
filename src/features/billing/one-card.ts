import { type Order, type OrderStore, PAYMENT_BEGUN } from '#core/billing/order.ts'
import { type PaymentProvider, providerNamed } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/provider.ts'
import type { Payment, PaymentSource, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import type { Logger } from '#core/telemetry.ts'
import { SECOND } from '#core/time.ts'
import { closeCheckout } from './close-checkout.ts'
import { isOf } from './settlement.ts'

interface OneCardDeps {
  orders: Pick<OrderStore, 'find' | 'ofEmail' | 'setState'>
  subscriptions: Pick<SubscriptionStore, 'sources' | 'payments'>
  providers: readonly PaymentProvider[]
  logger: Logger
  /** Reads a checkout or a source back. */
  settle(provider: ProviderName, ref: string, event: null): Promise<unknown>
}

/**
 * Whether an order is of the same buyer as another one: it was placed in the same browser, or by somebody who was
 * signed in and may decide about the other's money, too.
 */
const isOfBuyer = (order: Order, other: Order, { confirmed }: Pick<Subscription, 'confirmed'>): boolean =>
  order.browserHash === other.browserHash ||
  (order.sessionId !== null && (confirmed || order.sessionId === other.sessionId))

/**
 * Returns when a source that may charge again stopped paying: when a renewal failed or was due, or when the payment was
 * made that was returned last. The time is in the future while the source pays. Null if it will not charge.
 */
function uselessSince(source: PaymentSource, payments: readonly Payment[]): number | null {
  if (source.failingSince !== null) return source.failingSince
  const last = payments.filter(isOf(source)).toSorted((a, b) => b.paidAt - a.paidAt)[0]
  if (!source.renews || last === undefined) return null
  return last.state === 'paid' && 'until' in last.pays ? last.pays.until : last.paidAt
}

/**
 * Lets only one card of a buyer renew. Call it whenever a card has paid or was read again. Closes the other checkouts
 * that would renew and were ordered before the payment, and cancels what pays for nothing and was replaced by this card.
 * A debit that is on its way still pays for its period. What fails here is done at the next call, at the latest by the
 * reconciliation.
 */
export function createOneCard(deps: OneCardDeps) {
  const { orders, subscriptions, providers, logger } = deps

  async function cancel(provider: ProviderName, ref: string): Promise<void> {
    await providerNamed(providers, provider)?.cancel?.(ref)
    await deps.settle(provider, ref, null)
  }

  async function keepOnly(order: Order, source: PaymentSource, subscription: Subscription): Promise<void> {
    // Only what renews can be canceled.
    const others = (await orders.ofEmail(order.emailKey)).filter(
      ({ id, provider }) => id !== order.id && providerNamed(providers, provider)?.cancel,
    )
    const [sources, payments] = await Promise.all([
      subscriptions.sources(subscription.id),
      subscriptions.payments(subscription.id),
    ])
    const paid = payments.filter(isOf(source)).filter(({ state }) => state === 'paid')
    // Stripe counts in seconds.
    const paidAt = Math.max(...paid.map((payment) => payment.paidAt))
    for (const other of others) {
      // This runs on every read. An order placed after the payment may replace this card.
      if (other.createdAt - (other.createdAt % SECOND) > paidAt) continue
      if (other.state === 'open' && isOfBuyer(other, order, subscription)) await closeCheckout(other, deps)
      if (other.providerRef === null || !PAYMENT_BEGUN.includes(other.state)) continue
      if (isOfBuyer(order, other, subscription) && sources.every(({ orderId }) => orderId !== other.id))
        await cancel(other.provider, other.providerRef)
    }

    for (const each of sources) {
      const replaced = others.find(({ id }) => id === each.orderId)
      const since = uselessSince(each, payments)
      if (!replaced || since === null || since > order.createdAt || isOf(source)(each)) continue
      if (isOfBuyer(order, replaced, subscription)) await cancel(each.provider, each.ref)
    }
  }

  return async (order: Order, source: PaymentSource, subscription: Subscription): Promise<void> => {
    if (!source.renews || source.failingSince !== null) return
    await keepOnly(order, source, subscription).catch((error: unknown) =>
      logger.error({ err: error, provider: order.provider }, 'another card of a subscriber not ended'),
    )
  }
}
