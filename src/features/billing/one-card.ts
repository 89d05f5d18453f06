import type { Order, OrderStore } from '#core/billing/order.ts'
import { type PaymentProvider, providerNamed } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/provider.ts'
import type { PaymentSource, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import type { Logger } from '#core/telemetry.ts'
import { closeCheckout } from './close-checkout.ts'
import { isOf } from './settlement.ts'

interface OneCardDeps {
  orders: Pick<OrderStore, 'find' | 'ofEmail' | 'setState'>
  subscriptions: Pick<SubscriptionStore, 'sources'>
  providers: readonly PaymentProvider[]
  logger: Logger
  /** Reads a checkout or a source back. */
  settle(provider: ProviderName, ref: string, event: null): Promise<unknown>
}

/**
 * Whether an order is of the same buyer as an earlier one: it was placed in the same browser, or by somebody who was
 * signed in and may decide about the other's money, too.
 */
const isOfBuyer = (later: Order, earlier: Order, { confirmed }: Pick<Subscription, 'confirmed'>): boolean =>
  later.browserHash === earlier.browserHash ||
  (later.sessionId !== null && (confirmed || later.sessionId === earlier.sessionId))

/**
 * Lets only one card of a buyer renew. Call it whenever a card has paid. Closes the other checkouts that would renew, and
 * cancels what fails and was replaced. What fails here is done at the next call, at the latest by the reconciliation.
 */
export function createOneCard(deps: OneCardDeps) {
  const { orders, subscriptions, providers, logger } = deps

  async function keepOnly(order: Order, source: PaymentSource, subscription: Subscription): Promise<void> {
    // Only what renews can be canceled.
    const others = (await orders.ofEmail(order.emailKey)).filter(
      ({ id, provider }) => id !== order.id && providerNamed(providers, provider)?.cancel,
    )
    for (const other of others)
      if (other.state === 'open' && isOfBuyer(other, order, subscription)) await closeCheckout(other, deps)

    for (const { provider, ref, orderId, failingSince } of await subscriptions.sources(subscription.id)) {
      const replaced = others.find(({ id }) => id === orderId)
      if (!replaced || failingSince === null || failingSince > order.createdAt || isOf(source)({ provider, ref }))
        continue
      if (!isOfBuyer(order, replaced, subscription)) continue
      await providerNamed(providers, provider)?.cancel?.(ref)
      await deps.settle(provider, ref, null)
    }
  }

  return async (order: Order, source: PaymentSource, subscription: Subscription): Promise<void> => {
    if (!source.renews || source.failingSince !== null) return
    await keepOnly(order, source, subscription).catch((error: unknown) =>
      logger.error({ err: error, provider: order.provider }, 'another card of a subscriber not ended'),
    )
  }
}
