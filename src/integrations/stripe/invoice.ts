import type { Stripe } from 'stripe'
import type { Order } from '#core/billing/order.ts'
import type { Money, Plan } from '#core/billing/plan.ts'
import { idOf, PRICE } from './client.ts'
import type { StripeOptions } from './options.ts'

/** Returns the line of an invoice that pays for a period of the subscription. Ignores prorated and free lines. */
export const periodLine = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  invoice.lines.data.find(({ parent, amount }) => parent?.subscription_item_details?.proration === false && amount > 0)

export const priceId = (line: Stripe.InvoiceLineItem | undefined): string | undefined =>
  idOf(line?.pricing?.price_details?.price)

export interface Sale {
  order: Order
  subscription: Stripe.Subscription
  prices: ReadonlyMap<string, Stripe.Price>
  lookupKeys: StripeOptions['lookupKeys']
}

/** Returns the plan of an invoice line, or how the line differs from the order. */
export function planOf(
  invoice: Stripe.Invoice,
  line: Stripe.InvoiceLineItem,
  { order, subscription, prices, lookupKeys }: Sale,
): { plan: Plan } | { mismatch: string } {
  const price = prices.get(priceId(line) ?? '')
  if (!price) return { mismatch: `invoice ${invoice.id} is for no price` }
  const plan = planOfPrice(price, order, subscription, lookupKeys)
  if (plan === undefined) return { mismatch: `invoice ${invoice.id} is for the price ${price.id}, which is not sold` }
  const isFirst = invoice.billing_reason === 'subscription_create'
  if (isFirst && plan !== order.plan)
    return { mismatch: `invoice ${invoice.id} is for a ${plan}, the order for a ${order.plan}` }
  const expected: Money = isFirst
    ? order.total
    : { amount: price.unit_amount ?? 0, currency: price.currency.toUpperCase() }
  const actual: Money = { amount: line.amount, currency: invoice.currency.toUpperCase() }
  if (actual.currency !== expected.currency || actual.amount !== expected.amount)
    return {
      mismatch: `invoice ${invoice.id} is over ${actual.amount} ${actual.currency} instead of ${expected.amount} ${expected.currency}`,
    }
  return { plan }
}

/** Returns the plan of a price by its look-up key, or because the subscription started with this price. */
function planOfPrice(
  { id, lookup_key: key }: Stripe.Price,
  order: Order,
  subscription: Stripe.Subscription,
  lookupKeys: StripeOptions['lookupKeys'],
): Plan | undefined {
  if (key === lookupKeys.month) return 'month'
  if (key === lookupKeys.year) return 'year'
  return subscription.metadata[PRICE] === id ? order.plan : undefined
}

/** Returns the charged amount without added tax, in the invoice's currency. */
export function chargedBy({ total, total_taxes: taxes, currency }: Stripe.Invoice): Money {
  const added = (taxes ?? []).filter((tax) => tax.tax_behavior === 'exclusive')
  return { amount: total - added.reduce((sum, tax) => sum + tax.amount, 0), currency: currency.toUpperCase() }
}
