import type { Stripe } from 'stripe'
import type { OrderState } from '#core/billing/order.ts'
import type { ProviderReport } from '#core/billing/payment.ts'
import type { Payment, PaymentState } from '#core/billing/subscription.ts'
import { SECOND } from '#core/time.ts'
import { idOf } from './client.ts'
import { chargedBy, periodLine, planOf, type Sale } from './invoice.ts'

interface StripeObjects extends Sale {
  /** All invoices of the subscription, in any order, with their payments. */
  invoices: readonly Stripe.Invoice[]
  /** All charges of its customer. */
  charges: readonly Stripe.Charge[]
  /** All disputes of these charges. */
  disputes: readonly Stripe.Dispute[]
}

/** Derives the state of an order, its payments and its source from Stripe's objects. */
export function reportOf(objects: StripeObjects): ProviderReport {
  const { order, subscription } = objects
  const paid = objects.invoices.filter(({ status }) => status === 'paid').toSorted((a, b) => paidAt(a) - paidAt(b))
  const entries = paid.map((invoice) => paymentOf(invoice, objects)).filter((entry) => entry !== undefined)
  const payments = entries.flatMap((entry) => ('payment' in entry ? [entry.payment] : []))
  const [mismatch] = entries.flatMap((entry) => ('mismatch' in entry ? [entry.mismatch] : []))
  const [first] = entries
  const last = payments.at(-1)
  return {
    orderId: order.id,
    state: first === undefined ? stateBeforePayment(objects) : 'payment' in first ? first.payment.state : 'mismatch',
    source: last && {
      provider: 'stripe',
      ref: refOf(subscription),
      orderId: order.id,
      customer: idOf(subscription.customer) ?? null,
      plan: last.plan,
      renews: renews(subscription),
      failingSince: failingSince(objects),
    },
    payments,
    mismatch,
  }
}

/** The `ref` of the source, which is also a subject. */
const refOf = ({ id }: Stripe.Subscription): string => `subscription:${id}`

const paidAt = ({ status_transitions: times, created }: Stripe.Invoice): number => (times.paid_at ?? created) * SECOND

function paymentOf(
  invoice: Stripe.Invoice,
  objects: StripeObjects,
): { payment: Payment } | { mismatch: string } | undefined {
  const line = periodLine(invoice)
  if (!line) return undefined
  const sold = planOf(invoice, line, objects)
  if ('mismatch' in sold) return sold
  const payment: Payment = {
    provider: 'stripe',
    id: invoice.id,
    ref: refOf(objects.subscription),
    plan: sold.plan,
    total: chargedBy(invoice),
    state: paymentState(invoice, objects),
    paidAt: paidAt(invoice),
    pays: { until: line.period.end * SECOND },
  }
  return { payment }
}

/** Dispute states in which the merchant has the money. */
const HARMLESS = new Set<Stripe.Dispute.Status>(['won', 'warning_closed'])

/** Returns the charges of an invoice. */
function chargesOf(invoice: Stripe.Invoice, { charges }: Pick<StripeObjects, 'charges'>): Stripe.Charge[] {
  const paidBy = new Set(
    invoice.payments?.data.map(({ payment }) => idOf(payment.payment_intent) ?? idOf(payment.charge)),
  )
  return charges.filter(({ id, payment_intent: intent }) => paidBy.has(id) || paidBy.has(idOf(intent)))
}

/**
 * A disputed or fully refunded payment pays for nothing. A partial refund is a courtesy of the operator and changes
 * nothing.
 */
function paymentState(invoice: Stripe.Invoice, objects: Pick<StripeObjects, 'charges' | 'disputes'>): PaymentState {
  const { disputes } = objects
  const own = chargesOf(invoice, objects).filter(({ status }) => status === 'succeeded')
  const ids = new Set(own.map(({ id }) => id))
  if (disputes.some(({ charge, status }) => ids.has(idOf(charge) ?? '') && !HARMLESS.has(status))) return 'disputed'
  return own.length > 0 && own.every(({ refunded }) => refunded) ? 'refunded' : 'paid'
}

/** Whether an invoice was paid after a time in seconds, for example by a debit that took days, and not returned. */
export const isPaidAfter = (time: number, invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): boolean =>
  invoice.status === 'paid' &&
  (invoice.status_transitions.paid_at ?? 0) > time &&
  paymentState(invoice, { charges, disputes: [] }) === 'paid'

const ENDED = new Set<Stripe.Subscription.Status>(['incomplete_expired', 'canceled', 'unpaid', 'past_due'])

/**
 * The first payment may take days, for example a direct debit. It is on its way even if the subscription was canceled
 * meanwhile.
 */
function stateBeforePayment(objects: StripeObjects): OrderState {
  const isOnItsWay = objects.invoices.some((invoice) =>
    chargesOf(invoice, objects).some(({ status }) => status === 'pending'),
  )
  return ENDED.has(objects.subscription.status) && !isOnItsWay ? 'declined' : 'pending'
}

const RENEWING = new Set<Stripe.Subscription.Status>(['active', 'trialing', 'past_due'])

/** Whether the subscription will charge again. */
const renews = (subscription: Stripe.Subscription): boolean =>
  RENEWING.has(subscription.status) &&
  !subscription.cancel_at_period_end &&
  subscription.cancel_at === null &&
  subscription.pause_collection === null

/** Whether the subscription may charge again: it renews, or Stripe collects an open invoice. */
export const mayCharge = (subscription: Stripe.Subscription): boolean =>
  renews(subscription) || subscription.status === 'past_due'

/** Whether a payment failed and Stripe tries again or has given up. The subscriber ends a subscription for another reason. */
const fails = ({ status, cancellation_details: details }: Stripe.Subscription): boolean =>
  status === 'past_due' || status === 'unpaid' || (status === 'canceled' && details?.reason === 'payment_failed')

/** Stripe may mark the invoices of a subscription that it gives up as uncollectible. */
const OWED = new Set<Stripe.Invoice['status']>(['open', 'uncollectible'])

/** Returns since when an invoice is owed whose payment was attempted; null if there is none, or a later one was paid. */
function failingSince({ subscription, invoices }: StripeObjects): number | null {
  if (!fails(subscription)) return null
  const lastPaid = Math.max(...invoices.filter(({ status }) => status === 'paid').map(({ created }) => created))
  const owed = invoices.filter(
    ({ status, attempt_count: attempts, created }) => OWED.has(status) && attempts > 0 && created > lastPaid,
  )
  const since = owed.map(({ status_transitions: times, created }) => (times.finalized_at ?? created) * SECOND)
  return since.length === 0 ? null : Math.min(...since)
}
