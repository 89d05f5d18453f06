import { describe, expect, test } from 'vitest'
import { checkOut, newOrder, PAGES } from '../testing.ts'
import { fake, fixture, ordered, provider, useStripe } from './testing.ts'

useStripe()

describe('checkout', () => {
  test('is a session of Stripe for the price of the plan, which names the order', async () => {
    const { order, session, url, ref } = await ordered({ language: 'pt' })
    expect(ref).toBe(`session:${session.id}`)
    expect(url).toBe(session.url)
    expect(session).toMatchObject({
      mode: 'subscription',
      customer_email: 'reader@example.org',
      client_reference_id: order.id,
      metadata: { mayfly_order: order.id },
      success_url: PAGES.doneUrl,
      cancel_url: PAGES.backUrl,
      locale: 'pt-BR',
      automatic_tax: { enabled: false },
      amount_total: 900,
    })
    const call = fake.calls.find(({ method }) => method === 'POST')
    expect(call?.headers).toMatchObject({ 'idempotency-key': order.id, 'stripe-version': '2026-10-28.endive' })
  })

  test('asked twice for one order, it is one session', async () => {
    const { order, stripe, ref } = await ordered()
    expect(await checkOut(stripe, fixture.orders, order)).toMatchObject({ ref })
    expect(fake.books.sessions.size).toBe(1)
    // Stripe is not told how long its responses take either.
    for (const { headers } of fake.calls) expect(headers).not.toHaveProperty('x-stripe-client-telemetry')
  })

  test.each([
    ['kh', 'auto'],
    ['zh-TW', 'zh-TW'],
    ['ar', 'auto'],
  ])('language %s is %s there', async (language, locale) => {
    expect((await ordered({ language })).session.locale).toBe(locale)
  })

  test('Stripe reckons taxes where it is told to', async () => {
    const { session, stripe } = await ordered({}, { automaticTax: true })
    expect(session.automatic_tax.enabled).toBe(true)
    expect(stripe.addsTax).toBe(true)
  })

  test.each([
    ['amount', { amount: 901, currency: 'USD', interval: 'month' }],
    ['currency', { amount: 900, currency: 'EUR', interval: 'month' }],
    ['interval', { amount: 900, currency: 'USD', interval: 'year' }],
  ] as const)('a price with another %s is refused, and the log says so', async (differs, price) => {
    fake.setPrice('mayfly_premium_month', price)
    await expect(ordered()).rejects.toMatchObject({ code: 'payment_unavailable' })
    expect(fixture.lines).toMatchObject([
      { level: 'error', fields: { lookupKey: 'mayfly_premium_month', differs: [differs] } },
    ])
    expect(fake.books.sessions.size).toBe(0)
  })

  test('so is a look-up key without a price', async () => {
    await expect(ordered({}, { lookupKeys: { month: 'none', year: 'none' } })).rejects.toMatchObject({
      code: 'payment_unavailable',
    })
    expect(fixture.lines).toMatchObject([{ fields: { lookupKey: 'none', found: undefined } }])
  })

  test("an email that Stripe does not take is the buyer's to mend, and stands in no log", async () => {
    const order = newOrder()
    const asked = provider().checkout({ order, email: 'nonsense', ...PAGES })
    await expect(asked).rejects.toMatchObject({ code: 'email_invalid' })
    expect(fixture.lines).toEqual([])
  })
})
