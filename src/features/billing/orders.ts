import type { Order, OrderStore } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { type Money, type Plan, PLANS } from '#core/billing/plan.ts'
import { MayflyError } from '#core/errors.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { hashOf, randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { subscriberEmail } from './subscriber.ts'

/** Amounts in the smallest unit of the currency (ISO 4217). */
export interface Prices {
  currency: string
  month: number
  year: number
  /** For each year, paid in crypto. */
  cryptoYear: number
  cryptoYearsMax: number
  /** Hundredths of a per cent that come on top, where the provider doesn't reckon taxes; 0 where the prices include all. */
  addedTaxBasisPoints: number
}

/** An order as somebody filled it in: nothing of it is checked yet. */
export interface OrderForm {
  plan: string | undefined
  years: number | undefined
  email: string
  language: string
}

export interface CheckedOrder {
  plan: Plan
  years: number
  email: string
  emailKey: string
  language: string
}

export interface OrderView extends Pick<Order, 'id' | 'plan' | 'years' | 'total' | 'state'> {
  /** Whether the built-in checkout plays the provider. */
  sandbox: boolean
}

export interface Orders {
  /** Throws `plan_invalid` for what is not sold here, and `email_invalid`. */
  check(form: OrderForm): CheckedOrder
  /** Makes the order and its checkout. `browser` is the cookie of the one that orders. Throws `payment_unavailable`. */
  create(wanted: CheckedOrder, browser: string): Promise<{ id: string; url: string }>
  /** How an order stands; throws `order_not_found`. */
  view(id: string): Promise<OrderView>
}

export interface OrdersDeps {
  orders: OrderStore
  providers: readonly PaymentProvider[]
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  prices: Prices
  /** Pages of the site: how an order stands, and what can be bought. */
  orderUrl: (id: string, language: string) => string
  premiumUrl: (language: string) => string
}

/** What a provider is asked to take, with the tax that comes on top unless it reckons that itself; half a cent is rounded up. */
export function totalOf(
  { plan, years }: Pick<Order, 'plan' | 'years'>,
  { addsTax = false }: Pick<PaymentProvider, 'addsTax'>,
  prices: Prices,
): Money {
  const price = plan === 'crypto' ? years * prices.cryptoYear : prices[plan]
  const tax = addsTax ? 0 : Math.round((price * prices.addedTaxBasisPoints) / 10_000)
  return { amount: price + tax, currency: prices.currency }
}

export function createOrders(deps: OrdersDeps): Orders {
  const { orders, wrap, clock, metrics, prices } = deps
  const sellerOf = (plan: Plan | undefined): PaymentProvider | undefined =>
    deps.providers.find(({ plans }) => plan !== undefined && plans.includes(plan))

  return {
    check({ plan, years = 1, email, language }) {
      const chosen = PLANS.find((each) => each === plan)
      if (chosen === undefined || !sellerOf(chosen)) throw new MayflyError('plan_invalid')
      if (chosen !== 'crypto') return { plan: chosen, years: 1, language, ...subscriberEmail(wrap, email) }
      if (!Number.isInteger(years) || years < 1 || years > prices.cryptoYearsMax)
        throw new MayflyError('plan_invalid', `1 to ${prices.cryptoYearsMax} years`)
      return { plan: chosen, years, language, ...subscriberEmail(wrap, email) }
    },

    async create({ plan, years, email, emailKey, language }, browser) {
      const provider = sellerOf(plan)
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
        createdAt: clock(),
      }
      // Before the checkout is there: its first event must find the order.
      await orders.insert(order)
      metrics.count('orders', { plan, provider: provider.name, state: 'open' })
      const { ref, url } = await provider.checkout({
        order,
        email,
        doneUrl: deps.orderUrl(order.id, language),
        backUrl: deps.premiumUrl(language),
      })
      await orders.setRef(order.id, ref)
      return { id: order.id, url }
    },

    async view(id) {
      const order = await orders.find(id)
      if (!order) throw new MayflyError('order_not_found')
      const { plan, years, total, state, provider } = order
      return { id, plan, years, total, state, sandbox: provider === 'sandbox' }
    },
  }
}
