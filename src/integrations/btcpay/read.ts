import { fromDecimal } from '#core/billing/currency.ts'
import type { Order, OrderState, OrderStore } from '#core/billing/order.ts'
import type { ProviderReport } from '#core/billing/payment.ts'
import type { Money } from '#core/billing/plan.ts'
import type { PaymentState, SubscriptionStore } from '#core/billing/subscription.ts'
import { type Clock, DAY, SECOND } from '#core/time.ts'
import { calendarYears } from '../calendar.ts'
import type { Api, Invoice, PaymentMethod } from './api.ts'

/** Reads the state of an invoice that belongs to an order. */
export function createRead(
  api: Api,
  orders: Pick<OrderStore, 'find'>,
  subscriptions: Pick<SubscriptionStore, 'hasPayment'>,
  clock: Clock,
) {
  /**
   * Returns a mismatch if an invoice got money for an order that was removed, so that no payment was ever recorded. Only
   * the operator can return the money. Then the operator marks the invoice as invalid, or archives it.
   */
  async function orderRemoved(invoice: Invoice, orderId: string): Promise<ProviderReport | undefined> {
    if (OPEN.has(invoice.status) || invoice.archived === true || isRejected(invoice)) return undefined
    const isPaid = invoice.status === 'Settled' || paymentsOf(await api.paymentMethods(invoice.id)).length > 0
    if (!isPaid || (await subscriptions.hasPayment('btcpay', invoice.id))) return undefined
    const mismatch = `invoice ${invoice.id} was paid, but its order was removed`
    return { orderId, state: 'mismatch', source: undefined, payments: [], mismatch }
  }

  return async (invoiceId: string): Promise<ProviderReport | undefined> => {
    const invoice = await api.findInvoice(invoiceId)
    const orderId = invoice?.metadata?.orderId
    if (!invoice || orderId === undefined) return undefined
    const order = await orders.find(orderId)
    if (!order) return ORDER_ID.test(orderId) ? orderRemoved(invoice, orderId) : undefined
    // Anyone who may create invoices can put the id of any order into one. Mayfly's own invoice is recognized by its
    // id.
    if (order.provider !== 'btcpay' || (order.providerRef ?? invoice.id) !== invoice.id) return undefined
    const all = OPEN.has(invoice.status) ? [] : await api.paymentMethods(invoiceId)
    const methods = withoutLost(invoice, all, clock())
    const isLost = paymentsOf(methods).length < paymentsOf(all).length
    const state = withRefund(stateOf(invoice, methods, isLost), order)
    const report = { orderId: order.id, source: undefined, payments: [], mismatch: undefined }
    if (state !== 'paid' && state !== 'refunded') return { ...report, state }
    const mismatch = differs(invoice, order)
    if (mismatch !== undefined) return { ...report, state: 'mismatch', mismatch }
    return { ...report, state, ...paid(invoice, methods, order, state) }
  }
}

/** Other shops may use the same store, with ids of other forms. */
const ORDER_ID = /^[\w-]{22}$/

const OPEN = new Set<Invoice['status']>(['New', 'Processing'])

/** Nodes forget a transaction that is not confirmed within two weeks, and BTCPay does not notice. */
const CONFIRMED_WITHIN = 21 * DAY

/** Removes the payments of a closed invoice that will probably never be confirmed. They count if they are after all. */
function withoutLost({ status, createdTime }: Invoice, methods: PaymentMethod[], now: number): PaymentMethod[] {
  if (status === 'Settled' || now < createdTime * SECOND + CONFIRMED_WITHIN) return methods
  return methods.map((method) => ({ ...method, payments: method.payments.filter(isConfirmed) }))
}

/** `isLost`: a part is not in `methods`, because it was never confirmed. */
function stateOf(invoice: Invoice, methods: readonly PaymentMethod[], isLost: boolean): OrderState {
  const { status, additionalStatus } = invoice
  if (isRejected(invoice)) return 'declined'
  if (status === 'New') return 'open'
  if (status === 'Processing') return 'pending'
  if (status === 'Settled') return 'paid'
  if (additionalStatus === 'PaidPartial' && status === 'Expired') return 'underpaid'
  if (isLost) return incompleteState(invoice, methods, 'underpaid')
  if (status === 'Invalid') return incompleteState(invoice, methods, 'declined')
  return additionalStatus === 'PaidLate' ? confirmedState(methods, 'expired') : 'expired'
}

/**
 * An invoice that is paid in full after it expired stays expired, and one whose payments are not confirmed within a day
 * stays invalid. The merchant decides about both. Mayfly counts them once all payments are settled.
 */
function confirmedState(methods: readonly PaymentMethod[], unpaid: OrderState): OrderState {
  const payments = paymentsOf(methods)
  if (payments.length === 0) return unpaid
  return payments.every(isConfirmed) ? 'paid' : 'pending'
}

/**
 * The state of an invoice that BTCPay or Mayfly made invalid, or of which a part was lost. It was paid in full before, or
 * in any way afterwards.
 */
function incompleteState(invoice: Invoice, methods: readonly PaymentMethod[], unpaid: OrderState): OrderState {
  const due = totalOf(invoice)
  const received = receiptsOf(methods, due).at(-1)?.sum ?? 0
  const state = confirmedState(methods, unpaid)
  return state === 'paid' && received < due.amount ? 'underpaid' : state
}

/** Whether the operator marked an invoice as invalid. */
const isRejected = ({ status, additionalStatus, metadata }: Invoice): boolean =>
  status === 'Invalid' && additionalStatus === 'Marked' && metadata?.closed !== true

const isConfirmed = ({ status }: PaymentMethod['payments'][number]): boolean => status === 'Settled'
const counts = ({ status }: PaymentMethod['payments'][number]): boolean => status !== 'Invalid'

/** Returns the payments that were not double-spent. */
export const paymentsOf = (methods: readonly PaymentMethod[]): PaymentMethod['payments'] =>
  methods.flatMap((method) => method.payments).filter(counts)

const totalOf = ({ amount, currency }: Invoice): Money => fromDecimal(Number(amount), currency)

/**
 * Adds refunds, which BTCPay does not know. An invoice that was paid and no longer is was refunded by the operator, and
 * so was one whose order the operator marked as refunded in Mayfly.
 */
function withRefund(reported: OrderState, order: Order): OrderState {
  if (order.state === 'refunded') return 'refunded'
  if (order.state !== 'paid') return reported
  // Additional unconfirmed payments do not refund the invoice.
  return reported === 'paid' || reported === 'pending' ? 'paid' : 'refunded'
}

function differs(invoice: Invoice, { total }: Order): string | undefined {
  const invoiced = totalOf(invoice)
  if (invoiced.currency !== total.currency)
    return `the invoice is in ${invoiced.currency}, the order in ${total.currency}`
  if (invoiced.amount !== total.amount)
    return `the invoice amount is ${invoiced.amount}, the order amount ${total.amount}`
  return undefined
}

function paid(
  { id, createdTime, additionalStatus }: Invoice,
  methods: readonly PaymentMethod[],
  order: Order,
  state: PaymentState,
): Pick<ProviderReport, 'source' | 'payments'> {
  const receipts = receiptsOf(methods, order.total)
  const paidAt = Math.max(createdTime, paidInFullAt(receipts, order.total)) * 1000
  const shared = { provider: 'btcpay', ref: id, plan: order.plan } as const
  const received = receipts.at(-1)?.sum ?? 0
  const amount = additionalStatus === 'PaidOver' ? Math.max(received, order.total.amount) : order.total.amount
  const pays = { span: calendarYears(paidAt, order.years) }
  return {
    source: { ...shared, orderId: order.id, customer: null, renews: false, failingSince: null },
    payments: [{ ...shared, id, total: { ...order.total, amount }, state, paidAt, pays }],
  }
}

interface Receipt {
  /** Seconds since the epoch. */
  receivedDate: number
  /** Total received by then, at the rates of the invoice, in the smallest unit of its currency. */
  sum: number
}

/** Returns the payments that were not double-spent, oldest first. */
function receiptsOf(methods: readonly PaymentMethod[], { currency }: Money): Receipt[] {
  let sum = 0
  return methods
    .flatMap(({ rate, payments }) =>
      payments.filter(counts).map((payment) => ({ ...payment, value: Number(rate) * Number(payment.value) })),
    )
    .toSorted((a, b) => a.receivedDate - b.receivedDate)
    .map(({ receivedDate, value }) => ({ receivedDate, sum: fromDecimal((sum += value), currency).amount }))
}

/**
 * Returns when the amount was complete: a later payment to the same invoice must not restart the paid time. If the
 * amount was never complete, because the store tolerates slightly less, returns when the first payment arrived. Returns
 * 0 without payments, because the operator may mark an invoice as settled.
 */
const paidInFullAt = (receipts: readonly Receipt[], { amount }: Money): number =>
  (receipts.find(({ sum }) => sum >= amount) ?? receipts[0])?.receivedDate ?? 0
