import type { AccountStore } from '#core/account/account.ts'
import type { OrderStore } from '#core/billing/order.ts'
import type { SubscriptionStore } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import { type Clock, DAY } from '#core/time.ts'
import { hashOf } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type NewSession, newSession, sessionExists } from './new-session.ts'

/**
 * How long an order can sign its browser in after its payment is known, which created the subscription: as long as the
 * cookie of that browser lasts. A debit or crypto may need many days.
 */
export const ORDER_SIGN_IN = DAY

/**
 * Signs in the browser that paid, without an email. Each order has one session, in the browser that placed it, and only
 * while this order alone pays for the subscription and nobody has signed in by email. A repetition gets that session
 * again while it exists, because the response may have been lost (docs/decisions/028-sign-in-after-payment.md).
 */
export interface PaidSignIn {
  /** Whether `open` would sign this browser in now. */
  isPossible(orderId: string, browser: string | undefined): Promise<boolean>
  /** Returns the token of the session of the order. Throws `sign_in_by_email` if the order cannot sign this browser in. */
  open(order: { id: string; browser: string | undefined; userAgent: string }): Promise<string>
}

interface PaidSignInDeps {
  orders: Pick<OrderStore, 'find'>
  accounts: Pick<AccountStore, 'addPaidSession' | 'findSession'>
  subscriptions: Pick<SubscriptionStore, 'findByEmail' | 'sources'>
  wrap: Wrap
  clock: Clock
  sessionLifetime: number
}

export function createPaidSignIn(deps: PaidSignInDeps): PaidSignIn {
  const { orders, accounts, subscriptions, wrap, clock } = deps

  /** Returns the session of the order, new or not, if the browser may have it. */
  async function sessionOf(
    orderId: string,
    browser: string | undefined,
    userAgent = '',
  ): Promise<NewSession | undefined> {
    const order = browser === undefined ? undefined : await orders.find(orderId)
    if (!order || browser === undefined || order.browserHash !== hashOf(browser)) return undefined
    if (order.state !== 'paid') return undefined
    const subscription = await subscriptions.findByEmail(order.emailKey)
    if (!subscription || subscription.confirmed || clock() - subscription.createdAt >= ORDER_SIGN_IN) return undefined
    const by = { cause: `order ${orderId}`, browser, userAgent }
    const made = newSession(wrap, subscription.id, by, clock(), deps.sessionLifetime)
    if (order.sessionId !== null) return (await sessionExists(accounts, made, clock())) ? made : undefined
    const sources = await subscriptions.sources(subscription.id)
    return sources.length > 0 && sources.every((source) => source.orderId === orderId) ? made : undefined
  }

  return {
    isPossible: async (orderId, browser) => (await sessionOf(orderId, browser)) !== undefined,

    async open({ id, browser, userAgent }) {
      const made = await sessionOf(id, browser, userAgent)
      // Checks all conditions again, in the transaction that adds the session.
      if (
        !made ||
        !((await accounts.addPaidSession(made.session, id)) || (await sessionExists(accounts, made, clock())))
      )
        throw new MayflyError('sign_in_by_email')
      return made.token
    },
  }
}
