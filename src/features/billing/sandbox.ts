import type { OrderState, OrderStore } from '#core/billing/order.ts'
import { MayflyError } from '#core/errors.ts'
import type { Billing } from './billing.ts'

export type SandboxOutcome = Extract<OrderState, 'paid' | 'declined' | 'expired' | 'underpaid'>

/** Lets the built-in checkout say what became of an order. Throws `not_found` where it is off, `order_not_found`. */
export type PlayOutcome = (orderId: string, outcome: SandboxOutcome) => Promise<void>

export interface SandboxDeps {
  orders: Pick<OrderStore, 'find'>
  billing: Pick<Billing, 'handle'>
  /** Undefined where it is off. */
  sandbox:
    | { webhook(order: { id: string }, outcome: SandboxOutcome): { body: Uint8Array; headers: Record<string, string> } }
    | undefined
}

/** The sandbox signs an event of its own, which goes the same way as those of real payment services. */
export const playOutcome =
  ({ orders, billing, sandbox }: SandboxDeps): PlayOutcome =>
  async (orderId, outcome) => {
    if (!sandbox) throw new MayflyError('not_found')
    const order = await orders.find(orderId)
    if (order?.provider !== 'sandbox') throw new MayflyError('order_not_found')
    const { body, headers } = sandbox.webhook(order, outcome)
    await billing.handle('sandbox', body, headers)
  }
