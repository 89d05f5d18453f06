import type { Money, Plan, ProviderName } from './plan.ts'

/**
 * `open`: at the provider's checkout. `pending`: paid, but not yet sure (crypto that waits for confirmations). `mismatch`: paid,
 * but not what was asked for; nothing is granted and the operator is told.
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

/** What somebody wants to buy. Times are milliseconds since the epoch. */
export interface Order {
  /** 22 random characters (128 bits): whoever has it may see how the order stands, and nothing else. */
  id: string
  /** A keyed hash of the canonical email, 22 characters. */
  emailKey: string
  /** The email, wrapped with the service's key. */
  sealedEmail: Uint8Array
  language: string
  provider: ProviderName
  plan: Plan
  /** Years that are paid in crypto; 1 for the other plans. */
  years: number
  /** What the provider is asked to take, tax included where it is added here. */
  total: Money
  state: OrderState
  /** Name of the checkout at the provider; null until it is made. */
  providerRef: string | null
  /** A hash of the cookie of the browser that ordered. */
  browserHash: string
  createdAt: number
}

export interface OrderStore {
  insert(order: Order): Promise<void>
  find(id: string): Promise<Order | undefined>
  findByRef(provider: ProviderName, ref: string): Promise<Order | undefined>
  /** All of an email, oldest first. */
  ofEmail(emailKey: string): Promise<Order[]>
  setRef(id: string, ref: string): Promise<void>
  /** From any of the states `from`; false where it is in another. */
  setState(id: string, state: OrderState, from: readonly OrderState[]): Promise<boolean>
  /** Orders since a time, oldest first, for the reconciliation. */
  since(createdAt: number, limit: number, after?: string): Promise<Order[]>
  /** Forgets up to `limit` orders from before a time that were never paid; answers how many. */
  forget(before: number, limit: number): Promise<number>
}
