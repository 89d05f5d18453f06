import type { Order, OrderState, OrderStore } from '#core/billing/order.ts'
import type { PaymentTruth } from '#core/billing/payment.ts'
import type { Money } from '#core/billing/plan.ts'
import type { PaymentState } from '#core/billing/subscription.ts'
import { calendarYears } from '../calendar.ts'
import { fromDecimal } from '../money.ts'
import type { Api, Invoice, PaymentMethod } from './api.ts'

/** Reads the current state of an invoice of one of this service's orders. */
export function createRead(api: Api, orders: Pick<OrderStore, 'find'>) {
  return async (invoiceId: string): Promise<PaymentTruth | undefined> => {
    const invoice = await api.findInvoice(invoiceId)
    const order = invoice?.metadata?.orderId === undefined ? undefined : await orders.find(invoice.metadata.orderId)
    // Anyone who may create invoices can put any order's id into one. The invoice of this service is known by its own
    // id.
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
  // An invoice that is paid in full after its end stays expired, and the merchant decides. It counts once everything is
  // settled.
  const payments = additionalStatus === 'PaidLate' ? methods.flatMap((method) => method.payments) : []
  if (payments.length === 0) return 'expired'
  return payments.every((payment) => payment.status === 'Settled') ? 'paid' : 'pending'
}

/**
 * BTCPay does not report refunds. An invoice that was paid and no longer is was refunded by the operator, and so is one
 * whose order the operator has marked as refunded here.
 */
function withTakenBack(said: OrderState, order: Order): OrderState {
  if (order.state === 'refunded') return 'refunded'
  if (order.state !== 'paid') return said
  // Further coins that are unconfirmed do not undo a payment.
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
  /** The sum received by then at the invoice's rates, in the smallest unit of its currency. */
  sum: number
}

/** Received payments that were not double spent, oldest first. */
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
 * When enough was received: a few coins sent to an old invoice must not restart its time. If it never was enough,
 * because the store tolerates a little less: when the first coins were received. 0 without any, because the operator
 * may mark an invoice as settled.
 */
const paidInFullAt = (coins: readonly Coins[], { amount }: Money): number =>
  (coins.find(({ sum }) => sum >= amount) ?? coins[0])?.receivedDate ?? 0
