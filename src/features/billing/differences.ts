import { isDeepStrictEqual } from 'node:util'
import type { OrderState } from '#core/billing/order.ts'
import type { Difference } from '#core/billing/payment.ts'
import { isOf, type Ledger, type Settled } from './settlement.ts'

/** Returns the kinds of changes that a settlement makes, without duplicates. */
export function differencesOf(
  { subscription, sources, payments }: Ledger,
  { source, payments: own, change }: Settled['settlement'],
  order: { was: OrderState; is: OrderState } | null,
): Difference[] {
  const found = new Set<Difference>()
  for (const payment of own) {
    const known = payments.filter(isOf(source)).find(({ id }) => id === payment.id)
    if (!known) found.add('payment_missing')
    else if (!isDeepStrictEqual(known, payment)) found.add('payment_changed')
  }
  const known = sources.find(isOf(source))
  if (!isDeepStrictEqual(known, source)) found.add('source')
  if (order && order.was !== order.is) found.add('order_state')
  if (!isDeepStrictEqual({ ...subscription, ...change }, subscription)) found.add('subscription')
  return [...found]
}
