import { stepOf } from '#core/billing/currency.ts'
import type { Order, OrderStore } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { type Money, type Plan, PLANS } from '#core/billing/plan.ts'
import { type EndRules, isActive, type Subscription } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { hashOf, randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { refuseOurEmail, subscriberEmail } from './subscriber.ts'

export interface Prices {
  currency: string
  month: number
  year: number
  /** Price of each year that is paid in crypto. */
  cryptoYear: number
  cryptoYearsMax: number
  /**
   * Tax in basis points (0.01 %) that is added to the prices if the provider does not add taxes. 0 if the prices
   * include tax.
   */
  addedTaxBasisPoints: number
}

/** The order form before validation. */
export interface OrderForm {
  plan: string | undefined
  years: number | undefined
  email: string
  language: string
}

interface CheckedOrder {
  plan: Plan
  years: number
  email: string
  emailKey: string
  language: string
}

interface OrderView extends Pick<Order, 'id' | 'plan' | 'years' | 'total' | 'state'> {
  /** Whether the sandbox is the provider. */
  sandbox: boolean
  /** Whether the order is for the account of `buyer`. */
  forAccount: boolean
}

type Buyer = Pick<Subscription, 'emailKey' | 'paidUntil' | 'renews' | 'failingSince'>

export interface Orders {
  /**
   * Validates the form. Throws `plan_invalid` for a plan that is not for sale, `email_invalid`, and `email_ours` for
   * an address at a domain of this service or of a subscriber, unless it is that of `buyer`. Throws `already_renews` if
   * `buyer`, who is signed in, would get a second subscription that renews. One whose benefits have ended, for example
   * by a refund, may be replaced. Without `buyer` it does not throw this, because the error would tell
   * strangers who subscribes.
   */
  check(form: OrderForm, buyer?: Buyer): Promise<CheckedOrder>
  /**
   * Creates the order and its checkout. `browser` is the cookie of the browser that places it, `sessionId` its session if it
   * is signed in to the account that the order is for. Throws `payment_unavailable`.
   */
  create(order: CheckedOrder, browser: string, sessionId?: string): Promise<{ id: string; url: string }>
  /** Returns an order with its state. `buyer` is signed in. Throws `order_not_found`. */
  view(id: string, buyer?: Pick<Subscription, 'emailKey'>): Promise<OrderView>
}

interface OrdersDeps {
  orders: OrderStore
  providers: readonly PaymentProvider[]
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  prices: Prices
  rules: EndRules
  isOurs: IsOurs
  /** URLs of the page with the state of an order and of the page with the plans. */
  orderUrl: (id: string, language: string) => string
  premiumUrl: (language: string) => string
}

/** Returns the amount to charge. Includes the tax unless the provider adds it, rounded to what can be charged: half a cent up. */
export function totalOf(
  { plan, years }: Pick<Order, 'plan' | 'years'>,
  { addsTax = false }: Pick<PaymentProvider, 'addsTax'>,
  prices: Prices,
): Money {
  const price = plan === 'crypto' ? years * prices.cryptoYear : prices[plan]
  const step = stepOf(prices.currency)
  const tax = addsTax ? 0 : Math.round((price * prices.addedTaxBasisPoints) / 10_000 / step) * step
  return { amount: price + tax, currency: prices.currency }
}

export function createOrders(deps: OrdersDeps): Orders {
  const { orders, wrap, clock, metrics, prices } = deps
  const providerFor = (plan: Plan | undefined): PaymentProvider | undefined =>
    deps.providers.find(({ plans }) => plan !== undefined && plans.includes(plan))

  return {
    async check({ plan, years = 1, email, language }, buyer) {
      const knownPlan = PLANS.find((each) => each === plan)
      const provider = providerFor(knownPlan)
      if (knownPlan === undefined || !provider) throw new MayflyError('plan_invalid')
      const isYears = knownPlan === 'crypto'
      if (isYears && (!Number.isInteger(years) || years < 1 || years > prices.cryptoYearsMax))
        throw new MayflyError('plan_invalid', `1 to ${prices.cryptoYearsMax} years`)
      const address = subscriberEmail(wrap, email)
      const isOwn = buyer?.emailKey === address.emailKey
      if (!isOwn) await refuseOurEmail(address.email, deps.isOurs)
      // A subscription whose renewal fails may be replaced by another one. Only what renews can be canceled.
      const renews = isOwn && buyer.renews && buyer.failingSince === null && isActive(buyer, deps.rules, clock())
      if (!isYears && provider.cancel && renews) throw new MayflyError('already_renews')
      return { plan: knownPlan, years: isYears ? years : 1, language, ...address }
    },

    async create({ plan, years, email, emailKey, language }, browser, sessionId) {
      const provider = providerFor(plan)
      if (!provider) throw new MayflyError('plan_invalid')
      const order: Order = {
        id: randomId(),
        emailKey,
        sealedEmail: wrap.wrap('email', email, emailKey),
        language,
        provider: provider.name,
        plan,
        years,
        total: totalOf({ plan, years }, provider, prices),
        state: 'open',
        providerRef: null,
        browserHash: hashOf(browser),
        sessionId: sessionId ?? null,
        createdAt: clock(),
      }
      // Stored before the checkout exists, because its first event must find the order.
      await orders.insert(order)
      metrics.count('orders', { plan, provider: provider.name, state: 'open' })
      const { ref, url } = await provider.checkout({
        order,
        email,
        doneUrl: deps.orderUrl(order.id, language),
        backUrl: deps.premiumUrl(language),
      })
      if (!(await orders.setRef(order.id, ref))) {
        // The account was deleted in the meantime. The URL has not been returned to anyone, so the checkout can be closed.
        await provider.expire?.(ref)
        throw new MayflyError('payment_unavailable')
      }
      return { id: order.id, url }
    },

    async view(id, buyer) {
      const order = await orders.find(id)
      if (!order) throw new MayflyError('order_not_found')
      const { plan, years, total, state, provider, emailKey } = order
      const forAccount = buyer?.emailKey === emailKey
      return { id, plan, years, total, state, sandbox: provider === 'sandbox', forAccount }
    },
  }
}
