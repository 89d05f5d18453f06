import { describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { NOW } from '../testing.ts'
import { bought, ENDS, fake, fixture, MONTH_END, ordered, provider, SECOND_END, useStripe } from './testing.ts'

useStripe()

describe('reading back', () => {
  test('reports an open and an expired session, and ignores an unknown one', async () => {
    const { order, session, stripe, read } = await ordered()
    const nothing = { orderId: order.id, source: undefined, payments: [], mismatch: undefined }
    expect(await read()).toEqual({ ...nothing, state: 'open' })
    fake.expire(session.id)
    expect(await read()).toEqual({ ...nothing, state: 'expired' })
    expect(await stripe.read('session:cs_test_none')).toBeUndefined()
    expect(await stripe.read('subscription:sub_none')).toBeUndefined()
    expect(await stripe.read('nonsense')).toBeUndefined()
    expect(await stripe.read('constructor:a')).toBeUndefined()
  })

  test.each(['month', 'year'] as const)('reports a paid %s for each of its subjects', async (plan) => {
    const total = { amount: plan === 'month' ? 900 : 8600, currency: 'USD' }
    const { order, stripe, ref, invoice, subscription } = await bought({ plan, total })
    const report = await stripe.read(ref)
    const source = `subscription:${subscription.id}`
    expect(report).toEqual({
      orderId: order.id,
      state: 'paid',
      mismatch: undefined,
      source: {
        provider: 'stripe',
        ref: source,
        orderId: order.id,
        customer: subscription.customer,
        plan,
        renews: true,
        failingSince: null,
      },
      payments: [
        {
          provider: 'stripe',
          id: invoice.id,
          ref: source,
          plan,
          total,
          state: 'paid',
          paidAt: NOW,
          pays: { until: plan === 'month' ? MONTH_END : Date.UTC(2027, 0, 31, 12) },
        },
      ],
    })
    const [charge] = fake.books.charges.keys()
    for (const subject of [source, `invoice:${invoice.id}`, `charge:${charge}`])
      expect(await stripe.read(subject)).toEqual(report)
  })

  test('ignores subjects without an order', async () => {
    const { order, read, stripe, subscription } = await bought()
    fixture.orders.delete(order.id)
    expect(await read()).toEqual({
      orderId: order.id,
      state: 'mismatch',
      source: undefined,
      payments: [],
      mismatch: `subscription ${subscription.id} charges, but its order was removed`,
    })
    fake.cancelAtPeriodEnd(subscription.id)
    expect(await read()).toBeUndefined()
    // Stripe continues to collect the open invoice.
    fake.failRenewal(subscription.id)
    expect(await read()).toMatchObject({ state: 'mismatch' })
    fake.end(subscription.id)
    expect(await read()).toBeUndefined()
    fixture.orders.set(order.id, { ...order, provider: 'btcpay' })
    expect(await read()).toBeUndefined()
    expect(await stripe.read(`subscription:${subscription.id}`)).toBeUndefined()
  })

  test('leaves the subscriptions of another service on the same Stripe account to that service', async () => {
    const { order, ref, stripe, subscription } = await bought()
    fixture.orders.delete(order.id)
    const other = provider({ lookupKeys: { month: 'other_month', year: 'other_year' } })
    fake.setPrice('other_month', { amount: 500, currency: 'USD', interval: 'month', product: 'prod_other' })
    const subjects = [ref, `subscription:${subscription.id}`]
    for (const subject of subjects) expect(await other.read(subject)).toBeUndefined()
    for (const subject of subjects) expect(await stripe.read(subject)).toMatchObject({ state: 'mismatch' })
    // A raised price no longer has the look-up key, but still the product.
    fake.setPrice('mayfly_premium_month', { amount: 1200, currency: 'USD', interval: 'month' })
    for (const subject of subjects) expect(await other.read(subject)).toBeUndefined()
    for (const subject of subjects) expect(await stripe.read(subject)).toMatchObject({ state: 'mismatch' })
  })

  test('reports a delayed payment as pending, then paid or declined', async () => {
    const one = await ordered()
    const two = await ordered()
    for (const { session } of [one, two]) fake.payLater(session.id)
    for (const { read } of [one, two]) expect(await read()).toMatchObject({ state: 'pending', payments: [] })
    fake.arrive(one.session.id, true)
    fake.arrive(two.session.id, false)
    expect(await one.read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
    expect(await two.read()).toMatchObject({ state: 'declined', source: undefined, payments: [] })
  })

  test('counts renewals until the end of each period, in batches of any size', async () => {
    const { read, subscription } = await bought()
    for (let i = 1; i < ENDS.length; i++) fake.renew(subscription.id)
    fake.pageMax = 2
    const report = await read()
    expect(report?.payments.map(({ pays }) => pays)).toEqual(ENDS.map((until) => ({ until })))
    expect(report?.payments.every(({ state }) => state === 'paid')).toBe(true)
  })

  test('reports since when a renewal fails, until it is paid or given up', async () => {
    const { read, subscription } = await bought()
    fake.failRenewal(subscription.id)
    const failing = { renews: true, failingSince: MONTH_END }
    expect(await read()).toMatchObject({ state: 'paid', source: failing, payments: [{ pays: { until: MONTH_END } }] })
    fake.payOpen(subscription.id)
    const paid = await read()
    expect(paid?.source).toMatchObject({ renews: true, failingSince: null })
    expect(paid?.payments[1]).toMatchObject({ paidAt: MONTH_END + DAY, pays: { until: SECOND_END } })
    fake.failRenewal(subscription.id)
    fake.end(subscription.id, 'unpaid')
    expect((await read())?.source).toMatchObject({ renews: false, failingSince: SECOND_END })
    fake.end(subscription.id)
    expect((await read())?.source).toMatchObject({ renews: false, failingSince: null })
  })

  test.each(['open', 'uncollectible'] as const)(
    'reports the failure of a renewal after Stripe has given it up and left the invoice %s',
    async (status) => {
      const { read, subscription } = await bought()
      const invoice = fake.failRenewal(subscription.id)
      fake.end(subscription.id, 'canceled', 'payment_failed')
      invoice.status = status
      const failed = { renews: false, failingSince: MONTH_END }
      expect(await read()).toMatchObject({ source: failed, payments: [{ pays: { until: MONTH_END } }] })
      invoice.status = 'void'
      expect((await read())?.source).toMatchObject({ renews: false, failingSince: null })
    },
  )

  test('reports no failure for an invoice that was given up before a later one was paid', async () => {
    const { read, subscription } = await bought()
    fake.failRenewal(subscription.id).status = 'uncollectible'
    subscription.status = 'active'
    fake.renew(subscription.id)
    fake.failRenewal(subscription.id)
    expect((await read())?.source?.failingSince).toBe(ENDS[2])
  })

  test('reports no renewal after a cancellation, and keeps the payments', async () => {
    const { read, subscription } = await bought()
    fake.cancelAtPeriodEnd(subscription.id)
    expect(await read()).toMatchObject({ source: { renews: false }, payments: [{ state: 'paid' }] })
    subscription.cancel_at = null
    expect((await read())?.source?.renews).toBe(false)
    fake.end(subscription.id)
    expect(await read()).toMatchObject({ source: { renews: false }, payments: [{ state: 'paid' }] })
  })

  test('reports no renewal if the operator paused the collection', async () => {
    const { read, subscription } = await bought()
    subscription.pause_collection = { behavior: 'void', resumes_at: null }
    expect((await read())?.source?.renews).toBe(false)
  })

  test('excludes added tax from the amount, and includes inclusive tax', async () => {
    const { session, read } = await ordered()
    const invoice = fake.pay(session.id, 171)
    expect(invoice.total).toBe(1071)
    expect((await read())?.payments[0]?.total).toEqual({ amount: 900, currency: 'USD' })
    invoice.total = 900
    invoice.total_taxes = [{ amount: 144, tax_behavior: 'inclusive' }] as typeof invoice.total_taxes
    expect((await read())?.payments[0]?.total).toEqual({ amount: 900, currency: 'USD' })
    // A discount by the operator is not a mismatch. The ledger has the charged amount.
    invoice.total = 450
    expect(await read()).toMatchObject({ mismatch: undefined, payments: [{ total: { amount: 450 }, state: 'paid' }] })
  })
})

describe('refunds and disputes', () => {
  test('stays paid after a partial or failed refund, but not after a full one', async () => {
    const { read, invoice } = await bought()
    fake.refund(invoice.id, 899)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
    fake.refund(invoice.id, 1)
    expect(await read()).toMatchObject({ state: 'refunded', payments: [{ state: 'refunded' }] })
    fake.refundFails(invoice.id)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
  })

  test.each([
    ['needs_response', 'disputed'],
    ['under_review', 'disputed'],
    ['warning_needs_response', 'disputed'],
    ['lost', 'disputed'],
    ['won', 'paid'],
    ['warning_closed', 'paid'],
  ] as const)('maps a dispute with the status %s to %s', async (status, state) => {
    const { read, invoice } = await bought()
    fake.decide(fake.dispute(invoice.id), status)
    expect(await read()).toMatchObject({ state, payments: [{ state }] })
  })

  test('ignores a failed charge before the successful one', async () => {
    const { read, invoice } = await bought()
    const [charge] = fake.books.charges.values()
    fake.books.charges.set('ch_failed', { ...charge!, id: 'ch_failed', status: 'failed', refunded: false })
    fake.refund(invoice.id)
    expect(await read()).toMatchObject({ state: 'refunded' })
  })

  test('of a renewal do not affect the first payment', async () => {
    const { read, subscription } = await bought()
    fake.refund(fake.renew(subscription.id).id)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }, { state: 'refunded' }] })
  })
})
