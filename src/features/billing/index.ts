/** Premium: orders, payments and their reconciliation, grants by the operator, and the end of subscriptions. */
export { type Billing, createBilling } from './billing.ts'
export { closeCheckout } from './close-checkout.ts'
export { createEndings } from './endings.ts'
export { foldEmails } from './fold-emails.ts'
export { createGrants, type Grants } from './grants.ts'
export { createOrders, type OrderForm, type Orders } from './orders.ts'
export { createReconciliation, type Reconciliation } from './reconciliation.ts'
export { simulatePayment, type SimulatePayment } from './sandbox.ts'
export { createSettler } from './settler.ts'
export { expectedLapse, stateOf } from './subscription-state.ts'
export {
  createSubscriptions,
  type SubscriptionDetails,
  type Subscriptions,
  type SubscriptionView,
} from './subscriptions.ts'
