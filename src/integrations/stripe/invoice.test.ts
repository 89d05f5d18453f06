import type { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { newOrder } from '../testing.ts'
import { bought, fake, MONTH_END, ordered, SECOND_END, useStripe } from './testing.ts'

useStripe()

describe('an invoice', () => {
  test.each([
    [
      'amount',
      (order: ReturnType<typeof newOrder>) => (order.total = { amount: 901, currency: 'USD' }),
      '900 USD instead of 901 USD',
    ],
    [
      'currency',
      (order: ReturnType<typeof newOrder>) => (order.total = { amount: 900, currency: 'EUR' }),
      '900 USD instead of 900 EUR',
    ],
    ['plan', (order: ReturnType<typeof newOrder>) => (order.plan = 'year'), 'is for a month'],
  ])('is a mismatch: another %s', async (_name, change, why) => {
    const { order, read } = await bought()
    change(order)
    const report = await read()
    expect(report).toMatchObject({ state: 'mismatch', source: undefined, payments: [] })
    expect(report?.mismatch).toContain(why)
  })

  test('is a mismatch: another price', async () => {
    const { order, session, read } = await ordered()
    const cheap = fake.setPrice('something_else', {
      amount: 900,
      currency: 'USD',
      interval: 'month',
      product: 'prod_other',
    })
    fake.books.sold.set(session.id, { price: cheap.id, metadata: { mayfly_order: order.id } })
    fake.pay(session.id)
    expect((await read())?.mismatch).toContain('which is not sold')
  })

  test('pays for nothing if a renewal has another price, and keeps earlier payments', async () => {
    const { read, subscription } = await bought()
    const [line] = fake.renew(subscription.id).lines.data
    line!.amount = 1
    const report = await read()
    expect(report?.mismatch).toContain('1 USD instead of 900 USD')
    expect(report).toMatchObject({ state: 'paid', payments: [{ pays: { until: MONTH_END } }] })
  })

  test('renews with a price whose look-up key was transferred to another price', async () => {
    const { read, subscription } = await bought()
    fake.setPrice('mayfly_premium_month', { amount: 1200, currency: 'USD', interval: 'month' })
    fake.renew(subscription.id)
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{}, { total: { amount: 900 } }] })
  })

  test('pays for a year after a change of the plan in the portal', async () => {
    const { read, subscription } = await bought()
    const year = [...fake.books.prices.values()].find(({ lookup_key: key }) => key === 'mayfly_premium_year')
    subscription.items.data[0]!.price = year!
    fake.renew(subscription.id)
    expect(await read()).toMatchObject({
      mismatch: undefined,
      source: { plan: 'year' },
      payments: [{ plan: 'month' }, { plan: 'year', total: { amount: 8600 } }],
    })
  })

  const priceOf = (key: string): Stripe.Price =>
    [...fake.books.prices.values()].find(({ lookup_key: each }) => each === key)!
  const raised = { month: { amount: 1200, interval: 'month' }, year: { amount: 9900, interval: 'year' } } as const

  test.each([
    { bought: 'month', to: 'year', amount: 8600 },
    { bought: 'year', to: 'month', amount: 900 },
  ] as const)(
    'renews with the $to after a change of the plan, whatever prices follow',
    async ({ bought: plan, to, amount }) => {
      const total = { amount: plan === 'month' ? 900 : 8600, currency: 'USD' }
      const { read, subscription } = await bought({ plan, total })
      subscription.items.data[0]!.price = priceOf(`mayfly_premium_${to}`)
      fake.renew(subscription.id)
      const payments = [{ plan }, { plan: to, total: { amount } }, { plan: to, total: { amount } }]
      fake.setPrice(`mayfly_premium_${to}`, { currency: 'USD', ...raised[to] })
      fake.renew(subscription.id)
      expect(await read()).toMatchObject({ mismatch: undefined, source: { plan: to }, payments })
      // The price of the first payment loses its key, too, and both may move to a new product.
      fake.setPrice('mayfly_premium_month', { currency: 'USD', ...raised.month, product: 'prod_new' })
      fake.setPrice('mayfly_premium_year', { currency: 'USD', ...raised.year, product: 'prod_new' })
      expect(await read()).toMatchObject({ mismatch: undefined, source: { plan: to }, payments })
    },
  )

  test('renews with a former price of a plan whose product is another one', async () => {
    const former = fake.setPrice('mayfly_premium_year', {
      amount: 8600,
      currency: 'USD',
      interval: 'year',
      product: 'prod_year',
    })
    const { read, subscription } = await bought()
    subscription.items.data[0]!.price = former
    fake.setPrice('mayfly_premium_year', { currency: 'USD', ...raised.year, product: 'prod_year' })
    fake.renew(subscription.id)
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{ plan: 'month' }, { plan: 'year' }] })
  })

  test.each([
    ['of another product', { product: 'prod_other' }],
    ['for three months', { recurring: { interval: 'month', interval_count: 3 } }],
    ['for a day', { recurring: { interval: 'day', interval_count: 1 } }],
  ])('pays for nothing if a renewal has a price %s', async (_name, fields) => {
    const { read, subscription } = await bought()
    const price = fake.setPrice('something_else', { amount: 900, currency: 'USD', interval: 'month' })
    Object.assign(price, fields)
    subscription.items.data[0]!.price = price
    fake.renew(subscription.id)
    const report = await read()
    expect(report?.mismatch).toContain('which is not sold')
    expect(report?.payments).toMatchObject([{ pays: { until: MONTH_END } }])
  })

  test('ignores prorated lines', async () => {
    const { read, subscription } = await bought()
    const { lines } = fake.renew(subscription.id)
    const credit = structuredClone(lines.data[0]!)
    credit.parent!.subscription_item_details!.proration = true
    credit.period.end += 1
    lines.data.unshift(credit)
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{}, { pays: { until: SECOND_END } }] })
    lines.data.pop()
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{ pays: { until: MONTH_END } }] })
  })

  test('pays for its period even if a discount leaves nothing to pay', async () => {
    const { read, subscription } = await bought()
    fake.renew(subscription.id).total = 0
    const free = { total: { amount: 0 }, state: 'paid', pays: { until: SECOND_END } }
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{}, free] })
  })

  test.each([0, -1, -6993])('charges nothing if a credit leaves %i', async (total) => {
    const { read, subscription } = await bought()
    fake.renew(subscription.id).total = total
    expect((await read())?.payments[1]?.total).toEqual({ amount: 0, currency: 'USD' })
  })

  test('is neither a payment nor a mismatch if it is free, for example in a trial', async () => {
    const { read, subscription } = await bought()
    const [line] = fake.renew(subscription.id).lines.data
    line!.amount = 0
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{ pays: { until: MONTH_END } }] })
  })
})
