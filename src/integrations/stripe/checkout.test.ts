import { describe, expect, test } from 'vitest'
import { checkOut, newOrder, PAGES } from '../testing.ts'
import { fake, fixture, ordered, provider, useStripe } from './testing.ts'

useStripe()

describe('checkout', () => {
  test('creates a session for the price of the plan with the id of the order', async () => {
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

  test('creates one session per order', async () => {
    const { order, stripe, ref } = await ordered()
    expect(await checkOut(stripe, fixture.orders, order)).toMatchObject({ ref })
    expect(fake.books.sessions.size).toBe(1)
    // No telemetry about response times is sent.
    for (const { headers } of fake.calls) expect(headers).not.toHaveProperty('x-stripe-client-telemetry')
  })

  test.each([
    ['kh', 'auto'],
    ['zh-TW', 'zh-TW'],
    ['ar', 'auto'],
  ])('maps the language %s to %s', async (language, locale) => {
    expect((await ordered({ language })).session.locale).toBe(locale)
  })

  test('enables automatic taxes if they are configured', async () => {
    const { session, stripe } = await ordered({}, { automaticTax: true })
    expect(session.automatic_tax.enabled).toBe(true)
    expect(stripe.addsTax).toBe(true)
  })

  test.each([
    ['amount', { amount: 901, currency: 'USD', interval: 'month' }],
    ['currency', { amount: 900, currency: 'EUR', interval: 'month' }],
    ['interval', { amount: 900, currency: 'USD', interval: 'year' }],
  ] as const)('rejects and logs a price with another %s', async (differs, price) => {
    fake.setPrice('mayfly_premium_month', price)
    await expect(ordered()).rejects.toMatchObject({ code: 'payment_unavailable' })
    expect(fixture.lines).toMatchObject([
      { level: 'error', fields: { lookupKey: 'mayfly_premium_month', differs: [differs] } },
    ])
    expect(fake.books.sessions.size).toBe(0)
  })

  test('rejects a look-up key without a price', async () => {
    await expect(ordered({}, { lookupKeys: { month: 'none', year: 'none' } })).rejects.toMatchObject({
      code: 'payment_unavailable',
    })
    expect(fixture.lines).toMatchObject([{ fields: { lookupKey: 'none', found: undefined } }])
  })

  test('throws email_invalid for an email address that Stripe rejects, and does not log it', async () => {
    const order = newOrder()
    const asked = provider().checkout({ order, email: 'nonsense', ...PAGES })
    await expect(asked).rejects.toMatchObject({ code: 'email_invalid' })
    expect(fixture.lines).toEqual([])
  })
})
