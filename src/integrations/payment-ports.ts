import type { OrderStore } from '#core/order.ts'
import type { Clock, Logger } from '#core/ports.ts'

/** What providers need of the house: what was paid is compared with the order itself, not with what a provider keeps of it. */
export interface PaymentPorts {
  orders: Pick<OrderStore, 'find'>
  clock: Clock
  logger: Logger
}
