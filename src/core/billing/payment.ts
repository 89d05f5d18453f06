import type { Order, OrderState } from './order.ts'
import type { Plan, ProviderName } from './plan.ts'
import type { Payment, PaymentSource } from './subscription.ts'

/** A provider's word that something changed, its signature checked. What changed is read back. */
export interface PaymentEvent {
  /** Unique at the provider. */
  id: string
  /** What to read back: a name that `read` of this provider understands. The `ref` of a checkout or of a source is one, too. */
  subject: string
}

/** All that a provider knows about one thing that pays, read back. The times in it are the provider's. */
export interface PaymentTruth {
  orderId: string
  /** How the checkout of the order stands. */
  state: OrderState
  /** Undefined while nothing was ever paid. */
  source: PaymentSource | undefined
  /** Only those that are sure and as they were asked for; `total` is what was really paid, without tax that the provider added. */
  payments: Payment[]
  /** In what something that was paid is not what was asked for (another price, currency or amount), without personal data. */
  mismatch: string | undefined
}

export interface CheckoutRequest {
  order: Order
  email: string
  /** Where the provider sends the browser when all is done, and where it goes back to. */
  doneUrl: string
  backUrl: string
}

/** One who takes money (Stripe, BTCPay, or the sandbox). All but `verify` rejects with `payment_unavailable` where it can't be reached. */
export interface PaymentProvider {
  name: ProviderName
  plans: readonly Plan[]
  /** Whether it reckons the tax itself: then an order's total is the price alone, whatever PREMIUM_TAX says. */
  addsTax?: boolean
  checkout(request: CheckoutRequest): Promise<{ ref: string; url: string }>
  /**
   * The event of a webhook; undefined for one that is of no interest. Throws `signature_invalid` for a signature that is not
   * the provider's over these bytes, or older than the tolerance.
   */
  verify(body: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>): PaymentEvent | undefined
  /**
   * The truth about a subject; undefined where there is no such thing, or it is not of an order of ours. Of one whose order is
   * gone and that goes on charging: a mismatch.
   */
  read(subject: string): Promise<PaymentTruth | undefined>
  /** The page on which the customer manages cards, invoices and the end; undefined where there is none. */
  portal?(customer: string, backUrl: string, language: string): Promise<string>
  /** No further renewals. */
  cancel?(source: PaymentSource): Promise<void>
  /** Nobody can pay at this checkout any more; nothing where it is over already. */
  expire?(ref: string): Promise<void>
  /** Subjects of all that changed or was made since a time, for the reconciliation. */
  subjectsSince(since: number): AsyncIterable<string>
}
