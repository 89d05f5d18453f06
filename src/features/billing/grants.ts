import type { OrderStore } from '#core/billing/order.ts'
import { type ProviderName, PROVIDERS } from '#core/billing/provider.ts'
import type { Payment, PaymentSource, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import { type Clock, DAY } from '#core/time.ts'
import { BATCH_SIZE } from '#lib/batches.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { isOf } from './settlement.ts'
import type { ProviderUpdate, Settler } from './settler.ts'
import { newSubscription, refuseOurEmail, subscriberEmail } from './subscriber.ts'

/** Manual changes by the operator. They add to the ledger and never delete from it. */
export interface Grants {
  /**
   * Grants Premium for `span` milliseconds from now or from the end of the paid time. Throws `email_invalid`, and
   * `email_ours` for an address of this service that has no account.
   */
  grant(email: string, span: number, language: string): Promise<Subscription>
  /** Returns the subscription of the developer of a service on localhost, with Premium that was granted once. */
  local(): Promise<Subscription>
  /** Revokes everything that the operator granted. Returns the number of revoked grants. Throws `not_found`. */
  revoke(id: SubscriptionId): Promise<number>
  /**
   * Revokes everything that the sandbox granted to all subscriptions. Returns the number of payments. Called when the
   * sandbox is disabled.
   */
  endSandbox(): Promise<number>
  /** Marks a payment as refunded if its provider cannot report that. Throws `not_found` or `invalid_request`. */
  markRefunded(id: SubscriptionId, payment: string): Promise<void>
}

interface GrantsDeps {
  orders: Pick<OrderStore, 'find'>
  subscriptions: SubscriptionStore
  settler: Settler
  wrap: Wrap
  clock: Clock
  /** ISO 4217. */
  currency: string
  isOurs: IsOurs
}

/** RFC 2606 reserves the domain, so nobody can sign in with this email address. */
const LOCAL = { email: 'developer@localhost.invalid', span: 36_500 * DAY }

/** From this duration on, a grant has the plan `year`. */
const YEAR_FROM = 360 * DAY

export function createGrants(deps: GrantsDeps): Grants {
  const { subscriptions, settler, wrap, clock } = deps

  /**
   * Applies a change to the current state of a subscription. Computes it again if the subscription changed meanwhile.
   */
  async function settle(
    find: () => Promise<Subscription>,
    changeOf: (id: SubscriptionId) => Promise<Pick<ProviderUpdate, 'providerState' | 'paidFor'>>,
  ): Promise<void> {
    let outcome
    do {
      const subscription = await find()
      const change = await changeOf(subscription.id)
      ;({ outcome } = await settler.apply({ subscription, ...change, event: null }))
    } while (outcome === 'conflict')
  }

  async function existing(id: SubscriptionId): Promise<Subscription> {
    const subscription = await subscriptions.find(id)
    if (!subscription) throw new MayflyError('not_found', 'There is no such subscription')
    return subscription
  }

  /**
   * Marks the payments of a source that match `isRefunded` as refunded, and their order if there is one. Providers
   * without refunds read the state of the order.
   */
  const refund = (
    id: SubscriptionId,
    source: PaymentSource,
    isRefunded: (payment: Payment) => boolean,
  ): Promise<void> =>
    settle(
      () => existing(id),
      async () => {
        const own = (await subscriptions.payments(id)).filter(isOf(source))
        const payments = own.map((each) => (isRefunded(each) ? { ...each, state: 'refunded' as const } : each))
        const order = await deps.orders.find(source.orderId)
        return { providerState: { source, payments }, paidFor: order ? { order, state: 'refunded' } : null }
      },
    )

  async function revokeFrom(id: SubscriptionId, provider: ProviderName): Promise<number> {
    const [payments, sources] = await Promise.all([subscriptions.payments(id), subscriptions.sources(id)])
    const granted = payments.filter((each) => each.provider === provider && each.state === 'paid')
    for (const source of sources.filter((each) => granted.some(isOf(each)))) await refund(id, source, () => true)
    return granted.length
  }

  async function grant(input: string, span: number, language: string): Promise<Subscription> {
    const { email, emailKey } = subscriberEmail(wrap, input)
    if (!(await subscriptions.findByEmail(emailKey))) await refuseOurEmail(email, deps.isOurs)
    const ref = randomId()
    const shared = { provider: 'operator', ref, plan: span < YEAR_FROM ? 'month' : 'year' } as const
    const source: PaymentSource = { ...shared, orderId: ref, customer: null, renews: false, failingSince: null }
    const total = { amount: 0, currency: deps.currency }
    const payment: Payment = { ...shared, id: ref, total, state: 'paid', paidAt: clock(), pays: { span } }
    const subscription = newSubscription(
      { emailKey, sealedEmail: wrap.wrap('email', email, emailKey), language },
      clock(),
    )
    const find = (): Promise<Subscription> => subscriptions.ensure(subscription)
    await settle(find, async () => ({ providerState: { source, payments: [payment] }, paidFor: null }))
    return find()
  }

  return {
    grant,

    async local() {
      const { emailKey } = subscriberEmail(wrap, LOCAL.email)
      const found = await subscriptions.findByEmail(emailKey)
      const granted = found && found.paidUntil > clock() ? found : await grant(LOCAL.email, LOCAL.span, 'en')
      // There is no email address to confirm: whoever runs the command runs the service.
      return { ...granted, confirmed: true }
    },

    async revoke(id) {
      await existing(id)
      return revokeFrom(id, 'operator')
    },

    async endSandbox() {
      let revoked = 0
      let before: number
      do {
        before = revoked
        for (const id of await subscriptions.paidBy('sandbox', BATCH_SIZE)) revoked += await revokeFrom(id, 'sandbox')
      } while (revoked > before)
      return revoked
    },

    async markRefunded(id, paymentId) {
      const [payments, sources] = await Promise.all([subscriptions.payments(id), subscriptions.sources(id)])
      const payment = payments.find((each) => each.id === paymentId)
      const source = payment && sources.find(isOf(payment))
      if (!source) throw new MayflyError('not_found', 'There is no such payment')
      if (PROVIDERS[source.provider].reportsRefunds)
        throw new MayflyError('invalid_request', `Refund it at ${source.provider}. Mayfly reads the refund from there.`)
      await refund(id, source, (each) => each.id === paymentId)
    },
  }
}
