import type { OrderStore } from '#core/billing/order.ts'
import type { SubscriptionStore } from '#core/billing/subscription.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'

/** The dependencies of payment providers. Payments are compared with the stored order, not with the provider's copy. */
export interface PaymentPorts {
  orders: Pick<OrderStore, 'find'>
  subscriptions: Pick<SubscriptionStore, 'hasPayment'>
  clock: Clock
  logger: Logger
}
