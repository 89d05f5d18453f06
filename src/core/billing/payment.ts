import { MayflyError } from '../errors.ts'
import type { Order, OrderState } from './order.ts'
import type { Plan } from './plan.ts'
import type { ProviderName } from './provider.ts'
import type { Payment, PaymentSource } from './subscription.ts'

/**
 * A provider's notification of a change, with a verified signature. Mayfly reads the current state back from the
 * provider.
 */
export interface PaymentEvent {
  /** Unique per provider. */
  id: string
  /**
   * The subject to read back: an id that this provider's `read` accepts. The `ref` of a checkout or a source is such an
   * id, too.
   */
  subject: string
}

/** What a provider reports about one payment source. Times are the provider's. */
export interface ProviderReport {
  orderId: string
  /** The state of the order's checkout. */
  state: OrderState
  /** Undefined before the first payment. */
  source: PaymentSource | undefined
  /** Only confirmed payments that match the order. `total` is the amount paid, without tax that the provider added. */
  payments: Payment[]
  /** How a payment differs from the order (price, currency or amount), without personal data. */
  mismatch: string | undefined
}

/**
 * A provider rejected a call because of its content, so other calls may succeed. Clients get `payment_unavailable`, as
 * for every failed call.
 */
export class PaymentRejected extends MayflyError {
  /** Whether a repetition of the call will be rejected, too. A missing permission, or a conflict, may end. */
  readonly isFinal: boolean

  constructor(isFinal: boolean) {
    super('payment_unavailable')
    this.isFinal = isFinal
  }
}

/** HTTP statuses that depend on nothing but the call. */
const FINAL: ReadonlySet<number> = new Set([400, 404, 410, 422])

/** Returns the error of a call that failed, by the HTTP status of the response; undefined if there was none. */
export function failedCall(status: number | undefined): MayflyError {
  // A wrong key and too many calls concern all calls.
  const isRejected = status !== undefined && status >= 400 && status < 500 && ![401, 408, 429].includes(status)
  return isRejected ? new PaymentRejected(FINAL.has(status)) : new MayflyError('payment_unavailable')
}

export interface CheckoutRequest {
  order: Order
  email: string
  /** The URLs to which the provider sends the browser: after the payment, and when the visitor cancels. */
  doneUrl: string
  backUrl: string
}

/**
 * A payment provider: Stripe, BTCPay or the sandbox. All methods except `verify` reject with `payment_unavailable` if
 * the provider is unreachable.
 */
export interface PaymentProvider {
  name: ProviderName
  plans: readonly Plan[]
  /** Whether the provider adds the tax. The total of an order is then the price alone, whatever PREMIUM_TAX says. */
  addsTax?: boolean
  checkout(request: CheckoutRequest): Promise<{ ref: string; url: string }>
  /**
   * Returns the payment event of a request, or undefined for an event that does not matter to Mayfly. Throws
   * `signature_invalid` if the signature does not match these bytes or is older than the tolerance.
   */
  verify(body: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>): PaymentEvent | undefined
  /**
   * Returns the current state of a subject, or undefined if it does not exist or belongs to no order of this service. A
   * subject that still charges although its order was removed is a mismatch.
   */
  read(subject: string): Promise<ProviderReport | undefined>
  /**
   * Returns the URL of the page where the customer manages cards, invoices and the cancellation; undefined if there is
   * none.
   */
  portal?(customer: string, backUrl: string, language: string): Promise<string>
  /**
   * Ends a source, or what a checkout has started, immediately: nothing further is charged, not even an invoice that is
   * open. Does nothing if it has ended.
   */
  cancel?(ref: string): Promise<void>
  /**
   * Closes a checkout so that it takes no payment. Does nothing if the checkout has already ended. Throws
   * `payment_pending` if a part is paid.
   */
  expire?(ref: string): Promise<void>
  /** Yields the subjects that were created or changed since a time, for the reconciliation. */
  subjectsSince(since: number): AsyncIterable<string>
}

/**
 * How the stored data can differ from the provider's:
 * - `payment_missing`: the payment is not stored
 * - `payment_changed`: its state or amount differs
 * - `source`: the payment source differs
 * - `order_state`: the state of the order differs
 * - `subscription`: the resulting subscription differs
 * - `mismatch`: the payment is not for what was ordered
 * - `order_unknown`: the payment belongs to no order
 * - `rejected`: the provider rejects a call about the subject, so it cannot be compared
 */
export const DIFFERENCES = [
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

/** The provider with this name, if it is configured. */
export const providerNamed = (providers: readonly PaymentProvider[], name: string): PaymentProvider | undefined =>
  providers.find((each) => each.name === name)
