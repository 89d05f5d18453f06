import { Stripe } from 'stripe'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { type Answer, type Call, type FakeServer, page, serve } from './server.ts'
import { createApi } from './stripe/api.ts'
import { type Bookkeeping, type Books, createBookkeeping, must, newBooks } from './stripe/books.ts'
import { newId, type NewPrice, newPrice } from './stripe/objects.ts'

/** A fake Stripe: API, Checkout and customer portal, with events signed by the `stripe` package. */
export interface FakeStripe extends FakeServer, Deliveries<Stripe.Event>, Bookkeeping {
  secretKey: string
  webhookSecret: string
  books: Books
  /** Settings of a program that uses it. */
  env: Record<string, string>
  /** Moves a look-up key to this price. */
  setPrice(key: string, price: NewPrice): Stripe.Price
  /** The session of an order. */
  sessionOf(orderId: string): Stripe.Checkout.Session
  /** The subscription that a paid order created. */
  subscriptionOf(orderId: string): Stripe.Subscription
  /** The maximum length of a page of a list. */
  pageMax: number
  /** Signs any body as an event. */
  sign(body: string, options?: { secret?: string; time?: number }): Record<string, string>
}

const KEYS = { month: 'mayfly_premium_month', year: 'mayfly_premium_year' }

export async function startFakeStripe({ clock = () => Date.now() } = {}): Promise<FakeStripe> {
  const secretKey = 'sk_test_fake'
  const webhookSecret = 'whsec_fake'
  const books = newBooks()
  const stripe = new Stripe(secretKey)

  /** `time` in milliseconds. */
  const sign: FakeStripe['sign'] = (payload, { secret = webhookSecret, time = clock() } = {}) => ({
    'stripe-signature': stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(time / 1000),
    }),
  })
  const deliveries = createDeliveries<Stripe.Event>((event) => {
    const body = JSON.stringify(event)
    return { body, headers: sign(body) }
  })
  const bookkeeping = createBookkeeping(books, clock, (event) => deliveries.add(event))
  const api = createApi({
    secretKey,
    books,
    events: deliveries.events,
    clock,
    url: () => server.url,
    pageMax: () => fake.pageMax,
    expire: bookkeeping.expire,
    end: bookkeeping.end,
  })

  function setPrice(key: string, price: NewPrice): Stripe.Price {
    for (const old of books.prices.values()) if (old.lookup_key === key) old.lookup_key = null
    const fresh = newPrice(key, price, Math.floor(clock() / 1000))
    books.prices.set(fresh.id, fresh)
    return fresh
  }

  function checkoutPage({ method, path }: Call): Answer {
    const [, , id = '', action] = path.split('/')
    const session = must(books.sessions, id)
    if (session.status === 'expired') return page('Fake Stripe: expired', {})
    if (method === 'GET')
      return page('Fake Stripe', { Pay: `/pay/${id}/pay`, Decline: `/pay/${id}/decline`, Back: `/pay/${id}/back` })
    if (action === 'pay') bookkeeping.pay(id)
    return { location: String(action === 'pay' ? session.success_url : session.cancel_url) }
  }

  function portalPage({ method, path, query }: Call): Answer {
    const [, , customer = '', action] = path.split('/')
    const back = `back=${encodeURIComponent(query.get('back') ?? '')}`
    if (method === 'GET')
      return page('Fake portal', {
        Cancel: `/portal/${customer}/cancel?${back}`,
        Back: `/portal/${customer}/back?${back}`,
      })
    for (const { id, customer: own } of books.subscriptions.values())
      if (own === customer && action === 'cancel') bookkeeping.cancelAtPeriodEnd(id)
    return { location: query.get('back') ?? '/' }
  }

  const server = await serve(/^\/v1\//, (call) => {
    if (call.path.startsWith('/v1/')) return { ...api(call), headers: { 'request-id': newId('req') } }
    return call.path.startsWith('/portal/') ? portalPage(call) : checkoutPage(call)
  })
  const sessionOf = (orderId: string): Stripe.Checkout.Session => {
    const session = [...books.sessions.values()].find(({ client_reference_id: reference }) => reference === orderId)
    if (!session) throw new Error(`The fake has no session of ${orderId}`)
    return session
  }
  const fake: FakeStripe = Object.assign(deliveries, server, bookkeeping, {
    secretKey,
    webhookSecret,
    books,
    env: {
      MAYFLY_STRIPE_API_URL: server.url,
      MAYFLY_STRIPE_SECRET_KEY: secretKey,
      MAYFLY_STRIPE_WEBHOOK_SECRET: webhookSecret,
    },
    pageMax: 100,
    setPrice,
    sessionOf,
    subscriptionOf: (orderId: string) => must(books.subscriptions, String(sessionOf(orderId).subscription)),
    sign,
  })
  setPrice(KEYS.month, { amount: 900, currency: 'USD', interval: 'month' })
  setPrice(KEYS.year, { amount: 8600, currency: 'USD', interval: 'year' })
  return fake
}
