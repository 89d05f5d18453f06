import type { OrderStore } from '#core/billing/order.ts'
import type { ProviderName } from '#core/billing/plan.ts'
import type { Payment, PaymentSource, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { type Clock, DAY } from '#core/time.ts'
import { BATCH_SIZE } from '#lib/batches.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { isOf } from './settlement.ts'
import type { ProviderUpdate, Settler } from './settler.ts'
import { newSubscription, subscriberEmail } from './subscriber.ts'

/** What the operator does to subscriptions by hand: lines of the ledger like all others, never a deletion. */
export interface Grants {
  /** Premium for so many milliseconds from now, or from the end of what is paid. Throws `email_invalid`. */
  grant(email: string, span: number, language: string): Promise<Subscription>
  /** Takes back all that the operator granted; answers how many grants that were. Throws `not_found`. */
  revoke(id: SubscriptionId): Promise<number>
  /** Takes back all that the built-in checkout granted to anybody; answers how many payments that were. For where it is off. */
  endSandbox(): Promise<number>
  /** Writes down that a payment was given back where its provider can't say so itself. Throws `not_found`, `invalid_request`. */
  markRefunded(id: SubscriptionId, payment: string): Promise<void>
}

export interface GrantsDeps {
  orders: Pick<OrderStore, 'find'>
  subscriptions: SubscriptionStore
  settler: Settler
  wrap: Wrap
  clock: Clock
  /** ISO 4217. */
  currency: string
}

/** The others say themselves what was given back. */
const KNOWS_NO_REFUNDS: ReadonlySet<ProviderName> = new Set(['btcpay', 'sandbox', 'operator'])
/** What a grant of so long counts as. */
const YEAR_FROM = 360 * DAY

export function createGrants(deps: GrantsDeps): Grants {
  const { subscriptions, settler, wrap, clock } = deps

  /** Settles what the operator says of a subscription, as it is when he says it. */
  async function settle(
    find: () => Promise<Subscription>,
    say: (id: SubscriptionId) => Promise<Pick<ProviderUpdate, 'providerState' | 'order'>>,
  ): Promise<void> {
    let outcome
    do {
      const subscription = await find()
      const said = await say(subscription.id)
      ;({ outcome } = await settler.apply({ subscription, ...said, event: null }))
    } while (outcome === 'conflict')
  }

  async function existing(id: SubscriptionId): Promise<Subscription> {
    const subscription = await subscriptions.find(id)
    if (!subscription) throw new MayflyError('not_found', 'There is no such subscription')
    return subscription
  }

  /** Marks payments of a source as given back; their order, where there is one, is what providers without refunds go by. */
  const refund = (id: SubscriptionId, source: PaymentSource, chosen: (payment: Payment) => boolean): Promise<void> =>
    settle(
      () => existing(id),
      async () => {
        const own = (await subscriptions.payments(id)).filter(isOf(source))
        const payments = own.map((each) => (chosen(each) ? { ...each, state: 'refunded' as const } : each))
        const order = await deps.orders.find(source.orderId)
        return { providerState: { source, payments }, order: order ? { order, state: 'refunded' } : null }
      },
    )

  async function takeBack(id: SubscriptionId, from: ProviderName): Promise<number> {
    const [payments, sources] = await Promise.all([subscriptions.payments(id), subscriptions.sources(id)])
    const granted = payments.filter(({ provider, state }) => provider === from && state === 'paid')
    for (const source of sources.filter((each) => granted.some(isOf(each)))) await refund(id, source, () => true)
    return granted.length
  }

  return {
    async grant(entered, span, language) {
      const { email, emailKey } = subscriberEmail(wrap, entered)
      const ref = randomId()
      const shared = { provider: 'operator', ref, plan: span < YEAR_FROM ? 'month' : 'year' } as const
      const source: PaymentSource = { ...shared, orderId: ref, customer: null, renews: false, failingSince: null }
      const total = { amount: 0, currency: deps.currency }
      const payment: Payment = { ...shared, id: ref, total, state: 'paid', paidAt: clock(), pays: { span } }
      const wanted = newSubscription({ emailKey, sealedEmail: wrap.wrap('email', email, emailKey), language }, clock())
      const find = (): Promise<Subscription> => subscriptions.ensure(wanted)
      await settle(find, async () => ({ providerState: { source, payments: [payment] }, order: null }))
      return find()
    },

    async revoke(id) {
      await existing(id)
      return takeBack(id, 'operator')
    },

    async endSandbox() {
      let ended = 0
      let before: number
      do {
        before = ended
        for (const id of await subscriptions.paidBy('sandbox', BATCH_SIZE)) ended += await takeBack(id, 'sandbox')
      } while (ended > before)
      return ended
    },

    async markRefunded(id, paymentId) {
      const [payments, sources] = await Promise.all([subscriptions.payments(id), subscriptions.sources(id)])
      const payment = payments.find((each) => each.id === paymentId)
      const source = payment && sources.find(isOf(payment))
      if (!source) throw new MayflyError('not_found', 'There is no such payment')
      if (!KNOWS_NO_REFUNDS.has(source.provider))
        throw new MayflyError('invalid_request', `Give it back at ${source.provider}: what is said there is read back`)
      await refund(id, source, (each) => each.id === paymentId)
    },
  }
}
