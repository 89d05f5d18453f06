import type { OrderStore } from '#core/billing/order.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'

/** What providers need from orders: a payment is compared with the order itself, not with the provider's copy. */
export interface PaymentPorts {
  orders: Pick<OrderStore, 'find'>
  clock: Clock
  logger: Logger
}
