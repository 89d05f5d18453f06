import type { Money, Plan } from './plan.ts'
import type { ProviderName } from './provider.ts'

/**
 * `open`: at the provider's checkout. `pending`: paid but unconfirmed (a crypto payment waits for confirmations).
 * `mismatch`: the payment differs from the order. Mayfly grants nothing and notifies the operator.
 */
export const ORDER_STATES = [
  'open',
  'pending',
  'paid',
  'underpaid',
  'declined',
  'expired',
  'mismatch',
  'refunded',
  'disputed',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** States that may be set without a payment. Only a settlement makes an order paid, refunded or disputed. */
export const SETTABLE_UNPAID: readonly OrderState[] = [
  'open',
  'pending',
  'underpaid',
  'declined',
  'expired',
  'mismatch',
]
/** States of orders that a provider may still charge for, although they have no payment source. */
export const MAY_STILL_CHARGE: readonly OrderState[] = ['pending', 'declined', 'mismatch']
/**
 * States of orders without a counted payment that already have a subscription at the provider: a debit is on its way, or
 * the amount differs.
 */
export const PAYMENT_BEGUN: readonly OrderState[] = ['pending', 'mismatch']
export const NEVER_PAID: readonly OrderState[] = ['open', 'declined', 'expired']
/** Something was paid, but not what was ordered, or it was never confirmed. The operator may still settle it. */
export const UNSETTLED: readonly OrderState[] = ['pending', 'underpaid', 'mismatch']

/** The results that the checkout of the sandbox can simulate. */
export const SANDBOX_OUTCOMES = ['paid', 'declined', 'expired', 'underpaid'] as const satisfies readonly OrderState[]
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number]

/** What a visitor wants to buy. Times are milliseconds since the epoch. */
export interface Order {
  /** 22 random characters (128 bits). They give access to the state of the order and to nothing else. */
  id: string
  /** A keyed hash of the canonical email address, 22 characters. */
  emailKey: string
  /** The email address, wrapped with the service key. */
  sealedEmail: Uint8Array
  language: string
  provider: ProviderName
  plan: Plan
  /** Number of years for the plan `crypto`; 1 for the other plans. */
  years: number
  /** The amount that the provider charges, including tax if Mayfly adds it. */
  total: Money
  state: OrderState
  /** The provider's id of the checkout; null until the checkout exists. */
  providerRef: string | null
  /** A hash of the cookie of the browser that placed the order. */
  browserHash: string
  /** The session in which it was placed, or that it opened in that browser; null if there is neither. */
  sessionId: string | null
  createdAt: number
}

/** Stores orders. Writes are durable when the promise resolves. Errors as in `Store`. */
export interface OrderStore {
  insert(order: Order): Promise<void>
  find(id: string): Promise<Order | undefined>
  findByRef(provider: ProviderName, ref: string): Promise<Order | undefined>
  /** Returns all orders of an email address, oldest first. */
  ofEmail(emailKey: string): Promise<Order[]>
  /** Returns false if the order was removed or is no longer open. */
  setRef(id: string, ref: string): Promise<boolean>
  /** Sets the state in one atomic step. Returns false if the current state is not in `from`. */
  setState(id: string, state: OrderState, from: readonly OrderState[]): Promise<boolean>
  /**
   * Returns up to `limit` orders created at or after `createdAt`, oldest first. `after` is the id of the last order of
   * the previous batch. Used by the reconciliation.
   */
  since(createdAt: number, limit: number, after?: string): Promise<Order[]>
  /**
   * Removes up to `limit` orders that were created before `before` and never paid, and those that were created a year
   * earlier and whose payment is pending or differs from the order. Returns the number of removed rows.
   */
  forget(before: number, limit: number): Promise<number>
}
