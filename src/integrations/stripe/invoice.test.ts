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
    const cheap = fake.setPrice('something_else', { amount: 900, currency: 'USD', interval: 'month' })
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

  test('is neither a payment nor a mismatch if it is free, for example in a trial', async () => {
    const { read, subscription } = await bought()
    const [line] = fake.renew(subscription.id).lines.data
    line!.amount = 0
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{ pays: { until: MONTH_END } }] })
  })
})
