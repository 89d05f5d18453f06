import type { PaymentState } from '#core/subscription.ts'
import type { FakeBtcpay } from './fakes/btcpay.ts'
import type { FakeInvoice } from './fakes/btcpay/books.ts'
import type { FakeStripe } from './fakes/stripe.ts'

/** What happens to an order at its provider, one step after the other. */
export interface Step {
  act(orderId: string): void
  /** Not before the service says that the order is paid. */
  afterPaid?: true
}

/** A payment, as the books of a provider have it. */
export interface Booked {
  orderId: string
  state: PaymentState
  amount: number
  /** Milliseconds since the epoch. */
  paidAt: number
  pays: { until: number } | { years: number }
}

/** All that can become of an order by card. */
export function cardFates(stripe: FakeStripe): Step[][] {
  const session = (orderId: string): string => stripe.sessionOf(orderId).id
  const subscription = (orderId: string): string => stripe.subscriptionOf(orderId).id
  const invoiceIds = (orderId: string): string[] =>
    [...stripe.books.invoices.values()]
      .filter(({ parent }) => parent?.subscription_details?.subscription === subscription(orderId))
      .map(({ id }) => id)
  const pay = (orderId: string) => stripe.pay(session(orderId))
  const later = (orderId: string) => stripe.payLater(session(orderId))
  const arrive = (comes: boolean) => (orderId: string) => stripe.arrive(session(orderId), comes)
  const renew = (orderId: string) => stripe.renew(subscription(orderId))
  const fail = (orderId: string) => stripe.failRenewal(subscription(orderId))
  const payOpen = (orderId: string) => stripe.payOpen(subscription(orderId))
  const refund = (which: number) => (orderId: string) => stripe.refund(invoiceIds(orderId)[which] ?? '')
  const disputes = new Map<string, string>()
  const dispute = (orderId: string) => disputes.set(orderId, stripe.dispute(invoiceIds(orderId)[0] ?? ''))
  const decide = (how: 'won' | 'lost') => (orderId: string) => stripe.decide(disputes.get(orderId) ?? '', how)
  const cancel = (orderId: string) => stripe.cancelAtPeriodEnd(subscription(orderId))
  const end = (orderId: string) => stripe.end(subscription(orderId))
  const expire = (orderId: string) => stripe.expire(session(orderId))
  return [
    [],
    [pay],
    [pay, renew],
    [pay, renew, renew, refund(1)],
    [pay, refund(0)],
    [pay, dispute],
    [pay, dispute, decide('won')],
    [pay, renew, dispute, decide('lost')],
    [pay, fail],
    [pay, fail, payOpen],
    [pay, fail, end],
    [pay, cancel],
    [expire],
    [later],
    [later, arrive(true)],
    [later, arrive(false)],
  ].map((acts) => acts.map((act) => ({ act: (orderId) => void act(orderId) })))
}

/** All that can become of an order in crypto. */
export function coinFates(btcpay: FakeBtcpay): Step[][] {
  const step =
    (act: (invoice: FakeInvoice) => void) =>
    (orderId: string): void =>
      act(btcpay.invoiceOf(orderId))
  const receive = (share: number) => step(({ id, amount }) => btcpay.receive(id, Number(amount) * share))
  const confirm = step(({ id }) => btcpay.confirm(id))
  const expire = step(({ id }) => btcpay.expire(id))
  const takeBack: Step = { act: step(({ id }) => btcpay.mark(id, 'Invalid')), afterPaid: true }
  const fates = [
    [],
    [receive(1)],
    [receive(1), confirm],
    [receive(1), confirm],
    [receive(2), confirm],
    [receive(0.5), receive(0.5), confirm],
    [receive(0.5), expire],
    [receive(0.5), expire, receive(0.5), confirm],
    [expire],
    [expire, receive(1)],
    [expire, receive(1), confirm],
    [receive(1), step(({ id }) => btcpay.invalidate(id))],
  ].map((acts): Step[] => acts.map((act) => ({ act })))
  return [...fates, [{ act: receive(1) }, { act: confirm }, takeBack]]
}

/** All payments that the books of Stripe have, by their ids. */
export function cardBooks({ books }: FakeStripe): Map<string, Booked> {
  const booked = new Map<string, Booked>()
  for (const { id, status, parent, payments, lines, subtotal, status_transitions: times } of books.invoices.values()) {
    const subscription = books.subscriptions.get(String(parent?.subscription_details?.subscription))
    if (status !== 'paid' || !subscription) continue
    const intent = payments?.data[0]?.payment.payment_intent
    const charge = [...books.charges.values()].find((each) => each.payment_intent === intent)
    const disputed = [...books.disputes.values()].some((each) => each.charge === charge?.id && each.status !== 'won')
    booked.set(id, {
      orderId: subscription.metadata.mayfly_order ?? '',
      state: disputed ? 'disputed' : charge?.refunded ? 'refunded' : 'paid',
      amount: subtotal,
      paidAt: (times.paid_at ?? 0) * 1000,
      pays: { until: (lines.data[0]?.period.end ?? 0) * 1000 },
    })
  }
  return booked
}

/** All payments that the books of BTCPay Server have. */
export function coinBooks({ invoices }: FakeBtcpay): Map<string, Booked> {
  const booked = new Map<string, Booked>()
  for (const { id, status, additionalStatus, amount, metadata, methods } of invoices.values()) {
    const payments = methods.flatMap((method) => method.payments)
    const late = additionalStatus === 'PaidLate' && payments.every((payment) => payment.status === 'Settled')
    const takenBack = status === 'Invalid' && additionalStatus === 'Marked'
    if (status !== 'Settled' && !late && !takenBack) continue
    const came = payments.reduce(
      (sum, { value }, i) => sum + Number(value) * Number(methods[0]?.rate) * (i >= 0 ? 1 : 0),
      0,
    )
    booked.set(id, {
      orderId: metadata.orderId ?? '',
      state: takenBack ? 'refunded' : 'paid',
      amount: Math.round(100 * (additionalStatus === 'PaidOver' ? came : Number(amount))),
      paidAt: Math.max(...payments.map(({ receivedDate }) => receivedDate)) * 1000,
      pays: { years: Number(amount) / 86 },
    })
  }
  return booked
}
