import type { Stripe } from 'stripe'
import { API_VERSION, made, newId, newInvoice, newSubscription, periodEnd } from './objects.ts'

/** All objects of the fake, newest last. */
export interface Books {
  prices: Map<string, Stripe.Price>
  sessions: Map<string, Stripe.Checkout.Session>
  /** Metadata for the subscription that a session will create, and its price. */
  sold: Map<string, { price: string; metadata: Stripe.Metadata }>
  subscriptions: Map<string, Stripe.Subscription>
  invoices: Map<string, Stripe.Invoice>
  invoicePayments: Map<string, Stripe.InvoicePayment>
  charges: Map<string, Stripe.Charge>
  disputes: Map<string, Stripe.Dispute>
}

export const newBooks = (): Books => ({
  prices: new Map(),
  sessions: new Map(),
  sold: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  invoicePayments: new Map(),
  charges: new Map(),
  disputes: new Map(),
})

export const must = <T>(map: ReadonlyMap<string, T>, id: string): T => {
  const thing = map.get(id)
  if (thing === undefined) throw new Error(`The fake has no ${id}`)
  return thing
}

/** What happens to customers and their cards. Each change creates the events that Stripe would send. */
export type Bookkeeping = ReturnType<typeof createBookkeeping>

export function createBookkeeping(books: Books, clock: () => number, add: (event: Stripe.Event) => void) {
  const now = (): number => Math.floor(clock() / 1000)

  function emit(type: Stripe.Event['type'], object: object): Stripe.Event {
    const event = made<Stripe.Event>('event', now(), { id: newId('evt'), api_version: API_VERSION, type } as never)
    Object.assign(event, { data: { object: structuredClone(object) }, pending_webhooks: 1, request: null })
    add(event)
    return event
  }

  const subscriptionOf = (invoice: Stripe.Invoice): Stripe.Subscription =>
    must(books.subscriptions, String(invoice.parent?.subscription_details?.subscription))

  /** The newest unpaid invoice of a subscription. */
  function openInvoice(subscriptionId: string): Stripe.Invoice {
    const open = [...books.invoices.values()].filter(
      (invoice) => invoice.status === 'open' && subscriptionOf(invoice).id === subscriptionId,
    )
    const last = open.at(-1)
    if (!last) throw new Error(`${subscriptionId} has no open invoice`)
    return last
  }

  /** Charges an invoice. The money of a direct debit is pending for days. */
  function chargeFor(invoice: Stripe.Invoice, time: number, isPending = false): Stripe.Charge {
    const charge = made<Stripe.Charge>('charge', time, {
      id: newId('ch'),
      amount: invoice.total,
      amount_captured: invoice.total,
      amount_refunded: 0,
      captured: true,
      currency: invoice.currency,
      customer: invoice.customer as string,
      disputed: false,
      metadata: {},
      paid: !isPending,
      payment_intent: newId('pi'),
      refunded: false,
      status: isPending ? 'pending' : 'succeeded',
    })
    const payment = made<Stripe.InvoicePayment>('invoice_payment', time, {
      id: newId('inpay'),
      amount_paid: invoice.total,
      amount_requested: invoice.total,
      currency: invoice.currency,
      invoice: invoice.id,
      is_default: true,
      payment: { type: 'payment_intent', payment_intent: charge.payment_intent as string },
      status: isPending ? 'open' : 'paid',
      status_transitions: { canceled_at: null, paid_at: isPending ? null : time },
    })
    books.charges.set(charge.id, charge)
    books.invoicePayments.set(payment.id, payment)
    invoice.payments?.data.push(payment)
    return charge
  }

  const pendingCharge = (invoice: Stripe.Invoice): Stripe.Charge | undefined =>
    chargesOf(invoice.id).find(({ status }) => status === 'pending')

  function payInvoice(invoice: Stripe.Invoice, time: number): Stripe.Invoice {
    const charge = pendingCharge(invoice) ?? chargeFor(invoice, time)
    Object.assign(charge, { status: 'succeeded', paid: true })
    invoice.status = 'paid'
    invoice.amount_paid = invoice.total
    invoice.amount_remaining = 0
    invoice.attempted = true
    invoice.attempt_count++
    invoice.status_transitions.paid_at = time
    emit('charge.succeeded', charge)
    emit('invoice.paid', invoice)
    return invoice
  }

  function failInvoice(invoice: Stripe.Invoice): Stripe.Invoice {
    const subscription = subscriptionOf(invoice)
    const charge = pendingCharge(invoice)
    if (charge) charge.status = 'failed'
    invoice.attempted = true
    invoice.attempt_count++
    if (subscription.ended_at === null) subscription.status = 'past_due'
    emit('invoice.payment_failed', invoice)
    emit('customer.subscription.updated', subscription)
    return invoice
  }

  /** The visitor completed Checkout: creates a customer, a subscription and its first invoice. */
  function complete(sessionId: string, status: Stripe.Checkout.Session.PaymentStatus, tax: number): Stripe.Invoice {
    const session = must(books.sessions, sessionId)
    if (session.status !== 'open') throw new Error(`${sessionId} is ${session.status}`)
    const { price, metadata } = must(books.sold, sessionId)
    session.customer = newId('cus')
    session.customer_details = { email: session.customer_email } as Stripe.Checkout.Session['customer_details']
    const subscription = newSubscription(session, must(books.prices, price), metadata, now())
    const [item] = subscription.items.data
    const period = { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
    const invoice = newInvoice(subscription, 'subscription_create', period, tax)
    Object.assign(session, {
      status: 'complete',
      payment_status: status,
      subscription: subscription.id,
      invoice: invoice.id,
    })
    subscription.latest_invoice = invoice.id
    books.subscriptions.set(subscription.id, subscription)
    books.invoices.set(invoice.id, invoice)
    emit('customer.subscription.created', subscription)
    return invoice
  }

  /** Starts the next period with an invoice. */
  function nextPeriod(subscriptionId: string): Stripe.Invoice {
    const subscription = must(books.subscriptions, subscriptionId)
    const [item] = subscription.items.data
    if (!item) throw new Error('A subscription has an item')
    item.current_period_start = item.current_period_end
    item.current_period_end = periodEnd(
      item.current_period_start,
      item.price.recurring?.interval,
      subscription.billing_cycle_anchor,
    )
    const period = { start: item.current_period_start, end: item.current_period_end }
    const invoice = newInvoice(subscription, 'subscription_cycle', period)
    subscription.latest_invoice = invoice.id
    books.invoices.set(invoice.id, invoice)
    return invoice
  }

  const chargesOf = (invoiceId: string): Stripe.Charge[] => {
    const intents = must(books.invoices, invoiceId).payments?.data.map(({ payment }) => payment.payment_intent)
    return [...books.charges.values()].filter((charge) => intents?.includes(charge.payment_intent ?? ''))
  }

  const chargeOf = (invoiceId: string): Stripe.Charge => {
    const [charge] = chargesOf(invoiceId)
    if (!charge) throw new Error(`Nothing was paid for ${invoiceId}`)
    return charge
  }

  return {
    /** Pays a session with a valid card. `tax` is added to the price. */
    pay(sessionId: string, tax = 0): Stripe.Invoice {
      const invoice = payInvoice(complete(sessionId, 'paid', tax), now())
      emit('checkout.session.completed', must(books.sessions, sessionId))
      return invoice
    },
    /** Pays by direct debit, whose money arrives days later. */
    payLater(sessionId: string): Stripe.Invoice {
      const invoice = complete(sessionId, 'unpaid', 0)
      chargeFor(invoice, now(), true)
      emit('checkout.session.completed', must(books.sessions, sessionId))
      return invoice
    },
    /** The money of the direct debit arrived or failed. */
    arrive(sessionId: string, comes: boolean): void {
      const session = must(books.sessions, sessionId)
      const invoice = must(books.invoices, String(session.invoice))
      if (comes) {
        payInvoice(invoice, now())
        session.payment_status = 'paid'
      } else failInvoice(invoice)
      emit(`checkout.session.async_payment_${comes ? 'succeeded' : 'failed'}`, session)
    },
    expire(sessionId: string): void {
      const session = must(books.sessions, sessionId)
      session.status = 'expired'
      session.url = null
      emit('checkout.session.expired', session)
    },
    /** Ends a period and pays the next one. */
    renew(subscriptionId: string): Stripe.Invoice {
      const invoice = nextPeriod(subscriptionId)
      emit('customer.subscription.updated', must(books.subscriptions, subscriptionId))
      return payInvoice(invoice, invoice.created)
    },
    /** Ends a period; the card is declined for the next one. */
    failRenewal: (subscriptionId: string): Stripe.Invoice => failInvoice(nextPeriod(subscriptionId)),
    /**
     * A later attempt to charge the card succeeds, this many seconds after the start of the period. Stripe makes it
     * even if the subscription is to end with its period, but not after it was canceled.
     */
    payOpen(subscriptionId: string, after = 86_400): Stripe.Invoice {
      const invoice = openInvoice(subscriptionId)
      if (!invoice.auto_advance) throw new Error(`${invoice.id} is no longer collected`)
      const subscription = must(books.subscriptions, subscriptionId)
      subscription.status = 'active'
      payInvoice(invoice, invoice.created + after)
      emit('customer.subscription.updated', subscription)
      return invoice
    },
    cancelAtPeriodEnd(subscriptionId: string): Stripe.Subscription {
      const subscription = must(books.subscriptions, subscriptionId)
      subscription.cancel_at_period_end = true
      subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? null
      subscription.canceled_at = now()
      emit('customer.subscription.updated', subscription)
      return subscription
    },
    /**
     * Ends the subscription: it was canceled, at once or at the end of its period, or the attempts are used up
     * (`payment_failed`). Its open invoices are no longer collected.
     */
    end(
      subscriptionId: string,
      status: 'canceled' | 'unpaid' | 'incomplete_expired' = 'canceled',
      reason: Stripe.Subscription.CancellationDetails.Reason = 'cancellation_requested',
    ): void {
      const subscription = must(books.subscriptions, subscriptionId)
      subscription.status = status
      if (status === 'canceled') subscription.cancellation_details = { ...subscription.cancellation_details!, reason }
      if (status !== 'unpaid') subscription.ended_at = now()
      for (const invoice of books.invoices.values())
        if (invoice.status === 'open' && subscriptionOf(invoice).id === subscriptionId) invoice.auto_advance = false
      emit(status === 'unpaid' ? 'customer.subscription.updated' : 'customer.subscription.deleted', subscription)
    },
    /** Refunds everything, or an amount. */
    refund(invoiceId: string, amount?: number): void {
      const charge = chargeOf(invoiceId)
      charge.amount_refunded = Math.min(charge.amount, charge.amount_refunded + (amount ?? charge.amount))
      charge.refunded = charge.amount_refunded === charge.amount
      emit('charge.refunded', charge)
    },
    /** The refund failed at the bank. */
    refundFails(invoiceId: string): void {
      const charge = chargeOf(invoiceId)
      Object.assign(charge, { amount_refunded: 0, refunded: false })
      const { id, payment_intent: intent, amount } = charge
      emit('refund.failed', {
        id: newId('re'),
        object: 'refund',
        charge: id,
        payment_intent: intent,
        amount,
        status: 'failed',
      })
    },
    dispute(invoiceId: string, status: Stripe.Dispute.Status = 'needs_response'): string {
      const charge = chargeOf(invoiceId)
      charge.disputed = true
      const dispute = made<Stripe.Dispute>('dispute', now(), {
        id: newId('du'),
        amount: charge.amount,
        charge: charge.id,
        currency: charge.currency,
        payment_intent: charge.payment_intent,
        reason: 'fraudulent',
        status,
      })
      books.disputes.set(dispute.id, dispute)
      emit('charge.dispute.created', dispute)
      return dispute.id
    },
    decide(disputeId: string, status: Stripe.Dispute.Status): void {
      const dispute = must(books.disputes, disputeId)
      dispute.status = status
      emit('charge.dispute.closed', dispute)
    },
    emit,
  }
}
