import type { Order, OrderState, OrderStore } from '#core/billing/order.ts'
import type { PaymentTruth } from '#core/billing/payment.ts'
import type { Money } from '#core/billing/plan.ts'
import type { PaymentState } from '#core/billing/subscription.ts'
import { calendarYears } from '../calendar.ts'
import { fromDecimal } from '../money.ts'
import type { Api, Invoice, PaymentMethod } from './api.ts'

/** Reads the truth about an invoice of an order of ours. */
export function createRead(api: Api, orders: Pick<OrderStore, 'find'>) {
  return async (invoiceId: string): Promise<PaymentTruth | undefined> => {
    const invoice = await api.findInvoice(invoiceId)
    const order = invoice?.metadata?.orderId === undefined ? undefined : await orders.find(invoice.metadata.orderId)
    // Whoever may make invoices can put any order's id into one: the one that we made is known by its own id.
    if (!invoice || order?.provider !== 'btcpay' || (order.providerRef ?? invoice.id) !== invoice.id) return undefined
    const methods = OPEN.has(invoice.status) ? [] : await api.paymentMethods(invoiceId)
    const state = withTakenBack(stateOf(invoice, methods), order)
    const truth = { orderId: order.id, source: undefined, payments: [], mismatch: undefined }
    if (state !== 'paid' && state !== 'refunded') return { ...truth, state }
    const mismatch = differs(invoice, order)
    if (mismatch !== undefined) return { ...truth, state: 'mismatch', mismatch }
    return { ...truth, state, ...paid(invoice, methods, order, state) }
  }
}

const OPEN = new Set<Invoice['status']>(['New', 'Processing'])

function stateOf({ status, additionalStatus }: Invoice, methods: readonly PaymentMethod[]): OrderState {
  if (status === 'New') return 'open'
  if (status === 'Processing') return 'pending'
  if (status === 'Settled') return 'paid'
  if (status === 'Invalid') return 'declined'
  if (additionalStatus === 'PaidPartial') return 'underpaid'
  // Paid in full after the end, an invoice stays expired and the choice is the merchant's: it counts once all of it is settled.
  const payments = additionalStatus === 'PaidLate' ? methods.flatMap((method) => method.payments) : []
  if (payments.length === 0) return 'expired'
  return payments.every((payment) => payment.status === 'Settled') ? 'paid' : 'pending'
}

/**
 * BTCPay does not know of money that went back. An invoice that was paid and is not any more was taken back by the operator,
 * and so is one whose order the operator has marked as refunded here.
 */
function withTakenBack(said: OrderState, order: Order): OrderState {
  if (order.state === 'refunded') return 'refunded'
  if (order.state !== 'paid') return said
  // More coins that are on their way take nothing back.
  return said === 'paid' || said === 'pending' ? 'paid' : 'refunded'
}

function differs(invoice: Invoice, { total }: Order): string | undefined {
  const asked = fromDecimal(Number(invoice.amount), invoice.currency)
  if (asked.currency !== total.currency) return `the invoice is in ${asked.currency}, the order in ${total.currency}`
  if (asked.amount !== total.amount) return `the invoice is over ${asked.amount}, the order over ${total.amount}`
  return undefined
}

function paid(
  { id, createdTime, additionalStatus }: Invoice,
  methods: readonly PaymentMethod[],
  order: Order,
  state: PaymentState,
): Pick<PaymentTruth, 'source' | 'payments'> {
  const coins = coinsOf(methods, order.total)
  const paidAt = Math.max(createdTime, paidInFullAt(coins, order.total)) * 1000
  const shared = { provider: 'btcpay', ref: id, plan: order.plan } as const
  const received = coins.at(-1)?.sum ?? 0
  const amount = additionalStatus === 'PaidOver' ? Math.max(received, order.total.amount) : order.total.amount
  const pays = { span: calendarYears(paidAt, order.years) }
  return {
    source: { ...shared, orderId: order.id, customer: null, renews: false, failingSince: null },
    payments: [{ ...shared, id, total: { ...order.total, amount }, state, paidAt, pays }],
  }
}

interface Coins {
  /** Seconds since the epoch. */
  receivedDate: number
  /** All that had come by then, at the invoice's own rates, in the smallest unit of its currency. */
  sum: number
}

/** What came and was not double spent, oldest first. */
function coinsOf(methods: readonly PaymentMethod[], { currency }: Money): Coins[] {
  let sum = 0
  return methods
    .flatMap(({ rate, payments }) =>
      payments.map((payment) => ({ ...payment, worth: Number(rate) * Number(payment.value) })),
    )
    .filter(({ status }) => status !== 'Invalid')
    .toSorted((a, b) => a.receivedDate - b.receivedDate)
    .map(({ receivedDate, worth }) => ({ receivedDate, sum: fromDecimal((sum += worth), currency).amount }))
}

/**
 * When enough was there: a few coins sent to an old invoice must not begin its time anew. Where it never was, for the store
 * tolerates a little less, when the first coins came; 0 without any, for the operator may mark an invoice as settled.
 */
const paidInFullAt = (coins: readonly Coins[], { amount }: Money): number =>
  (coins.find(({ sum }) => sum >= amount) ?? coins[0])?.receivedDate ?? 0
