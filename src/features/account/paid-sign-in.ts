import type { AccountStore } from '#core/account/account.ts'
import type { OrderStore } from '#core/billing/order.ts'
import type { Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import { type Clock, DAY } from '#core/time.ts'
import { hashOf } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { newSession } from './new-session.ts'

/** How long an order can sign its browser in: as long as the cookie of that browser lasts. */
export const ORDER_SIGN_IN = DAY

/**
 * Signs in the browser that paid, without an email. It works once for each order, in the browser that placed it, and
 * only while this order alone pays for the subscription and nobody has signed in by email
 * (docs/decisions/028-sign-in-after-payment.md).
 */
export interface PaidSignIn {
  /** Whether `open` would sign this browser in now. */
  isPossible(orderId: string, browser: string | undefined): Promise<boolean>
  /** Returns the token of the new session. Throws `sign_in_by_email` if the order cannot sign this browser in. */
  open(order: { id: string; browser: string | undefined; userAgent: string }): Promise<string>
}

interface PaidSignInDeps {
  orders: Pick<OrderStore, 'find'>
  accounts: Pick<AccountStore, 'addPaidSession'>
  subscriptions: Pick<SubscriptionStore, 'findByEmail' | 'sources'>
  wrap: Wrap
  clock: Clock
  sessionLifetime: number
}

export function createPaidSignIn(deps: PaidSignInDeps): PaidSignIn {
  const { orders, accounts, subscriptions, wrap, clock } = deps

  /** Returns the subscription of the order if the browser may be signed in. */
  async function paidBy(orderId: string, browser: string | undefined): Promise<Subscription | undefined> {
    const order = browser === undefined ? undefined : await orders.find(orderId)
    if (!order || browser === undefined || order.browserHash !== hashOf(browser)) return undefined
    if (order.state !== 'paid' || order.sessionId !== null) return undefined
    if (clock() - order.createdAt >= ORDER_SIGN_IN) return undefined
    const subscription = await subscriptions.findByEmail(order.emailKey)
    if (!subscription || subscription.confirmed) return undefined
    const sources = await subscriptions.sources(subscription.id)
    return sources.length > 0 && sources.every((source) => source.orderId === orderId) ? subscription : undefined
  }

  return {
    isPossible: async (orderId, browser) => (await paidBy(orderId, browser)) !== undefined,

    async open({ id, browser, userAgent }) {
      const subscription = await paidBy(id, browser)
      if (!subscription) throw new MayflyError('sign_in_by_email')
      const { token, session } = newSession(wrap, subscription.id, userAgent, clock(), deps.sessionLifetime)
      // Checks all conditions again, in the transaction that adds the session.
      if (!(await accounts.addPaidSession(session, id))) throw new MayflyError('sign_in_by_email')
      return token
    },
  }
}
