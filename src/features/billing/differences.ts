import { isDeepStrictEqual } from 'node:util'
import type { OrderState } from '#core/billing/order.ts'
import { isOf, type Ledger, type Settled } from './settlement.ts'

/**
 * How what is known differs from what a provider says: a payment that was not known, or whose state or worth is another;
 * the source itself; the state of the order; what follows from all that; a payment of something else than was ordered, or of
 * no order.
 */
export const DIFFERENCES = [
  'payment_missing',
  'payment_changed',
  'source',
  'order_state',
  'subscription',
  'mismatch',
  'order_unknown',
] as const
export type Difference = (typeof DIFFERENCES)[number]

/** What a settlement would change, each kind once. */
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
