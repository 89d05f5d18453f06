import type { Order, OrderStore } from '#core/billing/order.ts'
import { type PaymentProvider, providerNamed } from '#core/billing/payment.ts'
import type { ProviderName } from '#core/billing/provider.ts'

interface CloseCheckoutDeps {
  orders: Pick<OrderStore, 'find' | 'setState'>
  providers: readonly PaymentProvider[]
  settle(provider: ProviderName, ref: string, event: null): Promise<unknown>
}

/**
 * Closes the checkout of an order that is open, and settles what was paid in it. Throws `payment_unavailable` if it may
 * still be paid, and `payment_pending` if a part is paid.
 */
export async function closeCheckout(
  { id, provider: name, providerRef, state }: Order,
  { orders, providers, settle }: CloseCheckoutDeps,
): Promise<void> {
  // Once it is expired, `setRef` adds no checkout. One may have been added just before.
  if (providerRef === null) await orders.setState(id, 'expired', ['open'])
  const ref = providerRef ?? (await orders.find(id))?.providerRef
  if (ref === null || ref === undefined) return
  let refused: unknown
  if (state === 'open')
    await providerNamed(providers, name)
      ?.expire?.(ref)
      .catch((error: unknown) => (refused = error))
  await settle(name, ref, null)
  // A checkout that was paid in the meantime cannot be closed, and does not need to be.
  if (refused !== undefined && (await orders.find(id))?.state === 'open') throw refused
}
