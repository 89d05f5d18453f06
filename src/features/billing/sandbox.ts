import type { OrderStore, SandboxOutcome } from '#core/billing/order.ts'
import { MayflyError } from '#core/errors.ts'
import type { Billing } from './billing.ts'

/**
 * Simulates the payment of an order in the sandbox. Throws `order_not_found`, or `not_found` if the sandbox is disabled.
 */
export type SimulatePayment = (orderId: string, outcome: SandboxOutcome) => Promise<void>

interface SandboxDeps {
  orders: Pick<OrderStore, 'find'>
  billing: Pick<Billing, 'handle'>
  /** Undefined if the sandbox is disabled. */
  sandbox:
    | {
        paymentEvent(
          order: { id: string },
          outcome: SandboxOutcome,
        ): { body: Uint8Array; headers: Record<string, string> }
      }
    | undefined
}

/** The sandbox signs a payment event, which is handled like the events of the other providers. */
export const simulatePayment =
  ({ orders, billing, sandbox }: SandboxDeps): SimulatePayment =>
  async (orderId, outcome) => {
    if (!sandbox) throw new MayflyError('not_found')
    const order = await orders.find(orderId)
    if (order?.provider !== 'sandbox') throw new MayflyError('order_not_found')
    const { body, headers } = sandbox.paymentEvent(order, outcome)
    await billing.handle('sandbox', body, headers)
  }
