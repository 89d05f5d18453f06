import type { OrderStore } from '#core/billing/order.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'

/** What providers need of the fixture: what was paid is compared with the order itself, not with what a provider keeps of it. */
export interface PaymentPorts {
  orders: Pick<OrderStore, 'find'>
  clock: Clock
  logger: Logger
}
