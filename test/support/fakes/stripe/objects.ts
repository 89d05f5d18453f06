import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'

/** Objects of this API version, with all fields that Mayfly may read. */
export const API_VERSION = '2026-10-28.endive'

/** An id in Stripe's format, such as `sub_1Q3f…`. */
export const newId = (prefix: string): string =>
  `${prefix}_1${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`

/** Common fields. The fake fills the fields that matter and omits others. */
export const made = <T>(object: string, created: number, fields: Partial<T>): T =>
  ({ object, created, livemode: false, ...fields }) as T

export const list = <T>(data: T[], url = '/v1/list', hasMore = false): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

export interface NewPrice {
  amount: number
  currency: string
  interval: 'month' | 'year'
  /** The product with this id, instead of the one that all prices share. */
  product?: string
}

const PRODUCT = 'prod_premium'

export function newPrice(
  key: string,
  { amount, currency, interval, product = PRODUCT }: NewPrice,
  created: number,
): Stripe.Price {
  return made<Stripe.Price>('price', created, {
    id: newId('price'),
    active: true,
    billing_scheme: 'per_unit',
    currency: currency.toLowerCase(),
    lookup_key: key,
    metadata: {},
    product,
    recurring: { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    type: 'recurring',
    unit_amount: amount,
  })
}

/**
 * The end of a period in seconds: a month or year later, on the day of the anchor, or on the last day of a shorter
 * month.
 */
export function periodEnd(start: number, interval: string | undefined, anchor = start): number {
  const end = new Date(start * 1000)
  const [year, month] = [
    end.getUTCFullYear() + (interval === 'year' ? 1 : 0),
    end.getUTCMonth() + (interval === 'year' ? 0 : 1),
  ]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  end.setUTCFullYear(year, month, Math.min(new Date(anchor * 1000).getUTCDate(), lastDay))
  return end.getTime() / 1000
}

export function newSubscription(
  session: Stripe.Checkout.Session,
  price: Stripe.Price,
  metadata: Stripe.Metadata,
  start: number,
): Stripe.Subscription {
  const id = newId('sub')
  const item = made<Stripe.SubscriptionItem>('subscription_item', start, {
    id: newId('si'),
    current_period_start: start,
    current_period_end: periodEnd(start, price.recurring?.interval),
    metadata: {},
    price,
    quantity: 1,
    subscription: id,
  })
  return made<Stripe.Subscription>('subscription', start, {
    id,
    billing_cycle_anchor: start,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    currency: session.currency ?? price.currency,
    customer: session.customer ?? newId('cus'),
    ended_at: null,
    items: list([item]),
    latest_invoice: null,
    metadata,
    pause_collection: null,
    start_date: start,
    status: 'active',
    trial_end: null,
  })
}

/** An open invoice for a period of a subscription. `tax` is added. */
export function newInvoice(
  subscription: Stripe.Subscription,
  reason: 'subscription_create' | 'subscription_cycle',
  period: { start: number; end: number },
  tax = 0,
): Stripe.Invoice {
  const [item] = subscription.items.data
  if (!item) throw new Error('A subscription has an item')
  const { price } = item
  const amount = price.unit_amount ?? 0
  const id = newId('in')
  const line = {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    discounts: [],
    invoice: id,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
    },
    period,
    pricing: { type: 'price_details', price_details: { price: price.id, product: String(price.product) } },
    quantity: 1,
    subtotal: amount,
  } as unknown as Stripe.InvoiceLineItem
  return made<Stripe.Invoice>('invoice', period.start, {
    id,
    amount_due: amount + tax,
    amount_paid: 0,
    amount_remaining: amount + tax,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: reason,
    currency: subscription.currency,
    customer: subscription.customer,
    lines: list([line]),
    metadata: {},
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    } as Stripe.Invoice['parent'],
    payments: list<Stripe.InvoicePayment>([]),
    period_start: period.start,
    period_end: period.end,
    status: 'open',
    status_transitions: { finalized_at: period.start, paid_at: null, marked_uncollectible_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount + tax,
    total_excluding_tax: amount,
    total_taxes: tax === 0 ? [] : ([{ amount: tax, tax_behavior: 'exclusive' }] as Stripe.Invoice['total_taxes']),
  })
}
