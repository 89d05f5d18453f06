import { isDeepStrictEqual } from 'node:util'
import type { OrderState } from '#core/billing/order.ts'
import { isOf, type Ledger, type Settled } from './settlement.ts'

/**
 * How the stored data differs from the provider's:
 * - `payment_missing`: the payment is not stored
 * - `payment_changed`: its state or amount differs
 * - `source`: the payment source differs
 * - `order_state`: the state of the order differs
 * - `subscription`: the resulting subscription differs
 * - `mismatch`: the payment is not for what was ordered
 * - `order_unknown`: the payment belongs to no order
 * - `rejected`: the provider rejects a call about the subject, so it cannot be compared
 */
const DIFFERENCES = [
  'payment_missing',
  'payment_changed',
  'source',
  'order_state',
  'subscription',
  'mismatch',
  'order_unknown',
  'rejected',
] as const
export type Difference = (typeof DIFFERENCES)[number]

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
