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
  /** The prices of all invoices, and those with which `planOfPrice` compares a price that is no longer sold. */
  prices: ReadonlyMap<string, Stripe.Price>
  lookupKeys: StripeOptions['lookupKeys']
}

/** Returns the plan of an invoice line, or how the line differs from the order. */
export function planOf(
  invoice: Stripe.Invoice,
  line: Stripe.InvoiceLineItem,
  sale: Sale,
): { plan: Plan } | { mismatch: string } {
  const { order, prices } = sale
  const price = prices.get(priceId(line) ?? '')
  if (!price) return { mismatch: `invoice ${invoice.id} is for no price` }
  const plan = planOfPrice(price, sale)
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

const INTERVALS = ['month', 'year'] as const satisfies readonly Plan[]

/** Returns the plan that a price is sold for now. */
export const planOfKey = (
  { lookup_key: key }: Pick<Stripe.Price, 'lookup_key'>,
  lookupKeys: StripeOptions['lookupKeys'],
): Plan | undefined => INTERVALS.find((plan) => key === lookupKeys[plan])

/** Whether a price is sold now, or is the one that was bought first. */
export const isSold = (
  price: Stripe.Price,
  { subscription, lookupKeys }: Pick<Sale, 'subscription' | 'lookupKeys'>,
): boolean => planOfKey(price, lookupKeys) !== undefined || price.id === subscription.metadata[PRICE]

/**
 * Returns the plan of a price. A price that was raised has lost its look-up key, and the plan may have been changed since
 * the first payment. So a price of the same product is known by its interval.
 */
function planOfPrice(price: Stripe.Price, sale: Sale): Plan | undefined {
  const { order, prices, lookupKeys } = sale
  const current = planOfKey(price, lookupKeys)
  if (current !== undefined) return current
  if (isSold(price, sale)) return order.plan
  const plan =
    price.recurring?.interval_count === 1 ? INTERVALS.find((each) => each === price.recurring?.interval) : undefined
  const product = idOf(price.product)
  return [...prices.values()].some((each) => isSold(each, sale) && idOf(each.product) === product) ? plan : undefined
}

/**
 * Returns the charged amount without added tax, in the invoice's currency. An invoice that credits more than it charges,
 * after a change from a year to months, charges nothing.
 */
export function chargedBy({ total, total_taxes: taxes, currency }: Stripe.Invoice): Money {
  const added = (taxes ?? []).filter((tax) => tax.tax_behavior === 'exclusive')
  const amount = total - added.reduce((sum, tax) => sum + tax.amount, 0)
  return { amount: Math.max(0, amount), currency: currency.toUpperCase() }
}
