import { afterEach, expect, test } from 'vitest'
import { createBtcpay } from '#integrations/btcpay/btcpay.ts'
import { createStripe } from '#integrations/stripe/stripe.ts'
import { checkOut, newOrder, PAGES, testPorts, TOLERANCE } from '#integrations/testing.ts'
import { startFakeBtcpay } from './btcpay.ts'
import { serve } from './server.ts'
import { startFakeStripe } from './stripe.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** An endpoint that responds to each delivery with the result of `status`. */
async function endpoint(status: (count: number) => number = () => 200) {
  const bodies: string[] = []
  const server = await serve(/^/, ({ body }) => ({ status: status(bodies.push(body)), json: {} }))
  closing.push(server.close)
  return { url: `${server.url}/webhooks`, bodies }
}

/** Presses a button of a page. Returns the status and the location. */
const press = async (page: string, word: string) => {
  const html = await (await fetch(page)).text()
  const [, action = ''] = new RegExp(`action="([^"]+)"><button>${word}<`).exec(html) ?? []
  const response = await fetch(new URL(action, page), { method: 'POST', redirect: 'manual' })
  return [response.status, response.headers.get('location')]
}

async function stripeOrder() {
  const fake = await startFakeStripe()
  closing.push(fake.close)
  const fixture = testPorts()
  const { secretKey, webhookSecret, url: apiUrl } = fake
  const lookupKeys = { month: 'mayfly_premium_month', year: 'mayfly_premium_year' }
  const options = {
    secretKey,
    webhookSecret,
    apiUrl,
    lookupKeys,
    automaticTax: false,
    tolerance: TOLERANCE,
    timeout: 5000,
  }
  const stripe = createStripe(options, { ...fixture.ports, clock: Date.now })
  const order = newOrder()
  return { fake, stripe, order, checkout: await checkOut(stripe, fixture.orders, order) }
}

test('Stripe: a visitor pays, is declined or goes back, and Stripe sends events until they are accepted', async () => {
  const { fake, stripe, order, checkout } = await stripeOrder()
  const { url, bodies } = await endpoint((count) => (count === 1 ? 503 : 200))
  fake.eventUrl = url
  expect(await press(checkout.url, 'Decline')).toEqual([303, PAGES.backUrl])
  expect(await press(checkout.url, 'Back')).toEqual([303, PAGES.backUrl])
  expect(await stripe.read(checkout.ref)).toMatchObject({ state: 'open' })
  expect(await press(checkout.url, 'Pay')).toEqual([303, PAGES.doneUrl])
  await fake.delivered()
  expect(bodies.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual([
    'customer.subscription.created',
    'customer.subscription.created',
    'charge.succeeded',
    'invoice.paid',
    'checkout.session.completed',
  ])
  const portal = await stripe.portal?.(String(fake.subscriptionOf(order.id).customer), PAGES.backUrl, 'en')
  expect(await press(portal ?? '', 'Cancel')).toEqual([303, PAGES.backUrl])
  expect((await stripe.read(checkout.ref))?.source?.renews).toBe(false)
})

test('Stripe: delivers an event when and as often as the test says', async () => {
  const { fake, order } = await stripeOrder()
  const { url, bodies } = await endpoint((count) => (count > 2 ? 500 : 200))
  fake.pay(fake.sessionOf(order.id).id)
  expect(bodies).toEqual([])
  const [event] = fake.events
  expect(await fake.deliver(event!, { url, copies: 2 })).toEqual([200, 200])
  expect(await fake.deliver(event!, { url, delay: 1 })).toEqual([500])
  expect(new Set(bodies).size).toBe(1)
})

test('BTCPay: a visitor pays or lets the invoice expire, and events are signed', async () => {
  const fake = await startFakeBtcpay()
  closing.push(fake.close)
  const { storeId, apiKey, webhookSecret, url } = fake
  const fixture = testPorts()
  const options = { url, storeId, apiKey, webhookSecret, expirationMinutes: 60, tolerance: TOLERANCE, timeout: 5000 }
  const btcpay = createBtcpay({ ...options, speedPolicy: 'MediumSpeed' }, { ...fixture.ports, clock: Date.now })
  const total = { amount: 8600, currency: 'USD' }
  const [paid, left] = [1, 2].map(() => newOrder({ provider: 'btcpay', plan: 'crypto', total }))
  const one = await checkOut(btcpay, fixture.orders, paid!)
  const two = await checkOut(btcpay, fixture.orders, left!)
  const hook = await endpoint()
  fake.eventUrl = hook.url
  expect(await press(one.url, 'Pay')).toEqual([303, PAGES.doneUrl])
  expect(await press(two.url, 'Decline')).toEqual([303, PAGES.doneUrl])
  await fake.delivered()
  expect(await btcpay.read(one.ref)).toMatchObject({ state: 'paid' })
  expect(await btcpay.read(two.ref)).toMatchObject({ state: 'expired' })
  for (const body of hook.bodies) expect(btcpay.verify(Buffer.from(body), fake.sign(body))).toBeDefined()
  expect(hook.bodies.length).toBeGreaterThan(3)
})
