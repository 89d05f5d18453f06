import { isDeepStrictEqual } from 'node:util'
import type { OrderState } from '#core/billing/order.ts'
import { isOf, type Ledger, type Settled } from './settlement.ts'

/**
 * The kinds of differences between the stored state and the provider's: a payment that is missing, or whose state or
 * value differs; the source; the state of the order; the resulting subscription; a payment that does not match its
 * order, or has none.
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

/** Returns what a settlement would change, each kind once. */
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
