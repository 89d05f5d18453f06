import { describe, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { NOW, toList } from '../testing.ts'
import { fake, fixture, ordered, useBtcpay } from './testing.ts'

useBtcpay()

const nothing = { source: undefined, payments: [], mismatch: undefined }

describe('reading back', () => {
  test('reports an unpaid invoice as open, then expired, and ignores one without an order', async () => {
    const { order, id, read, btcpay } = await ordered()
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'open' })
    fake.expire(id)
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'expired' })
    expect(await btcpay.read('none')).toBeUndefined()
    expect(await btcpay.read('../../../stores')).toBeUndefined()
  })

  test('reports a payment as pending until it is confirmed', async () => {
    const { order, id, read } = await ordered()
    fixture.time.now += HOUR / 2
    fake.receive(id)
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'pending' })
    fixture.time.now += HOUR
    fake.confirm(id)
    expect(await read()).toEqual({
      orderId: order.id,
      state: 'paid',
      mismatch: undefined,
      source: {
        provider: 'btcpay',
        ref: id,
        orderId: order.id,
        customer: null,
        plan: 'crypto',
        renews: false,
        failingSince: null,
      },
      payments: [
        {
          provider: 'btcpay',
          id,
          ref: id,
          plan: 'crypto',
          total: { amount: 8600, currency: 'USD' },
          state: 'paid',
          paidAt: NOW + HOUR / 2,
          pays: { span: 365 * DAY },
        },
      ],
    })
  })

  test.each([
    [1, 365],
    [2, 730],
    // 2028 is a leap year.
    [3, 1096],
  ])('pays for %i years: %i days', async (years, days) => {
    const { id, read } = await ordered(years)
    fake.pay(id)
    expect((await read())?.payments[0]?.pays).toEqual({ span: days * DAY })
  })

  test('reports too low a payment as open, then underpaid, and grants nothing', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 85.9)
    expect(await read()).toMatchObject({ state: 'open', payments: [] })
    fake.expire(id)
    expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
  })

  test('counts a payment that is completed in time', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 40)
    fake.pay(id, 46)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ total: { amount: 8600 } }] })
  })

  test('counts too high a payment, with the full amount in the ledger', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 100)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ total: { amount: 10_000, currency: 'USD' } }] })
  })

  test('counts a late payment once it is confirmed', async () => {
    const { id, read } = await ordered()
    fake.expire(id)
    fixture.time.now += 2 * HOUR
    fake.receive(id)
    expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
    fixture.time.now += HOUR
    fake.confirm(id)
    expect(await read()).toMatchObject({
      state: 'paid',
      payments: [{ paidAt: NOW + 2 * HOUR, total: { amount: 8600 } }],
    })
  })

  test('stays paid if another payment arrives', async () => {
    const { order, id, read } = await ordered()
    fake.expire(id)
    fake.pay(id)
    order.state = 'paid'
    fake.receive(id)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
  })

  test('does not restart the paid time after a later payment', async () => {
    const { order, id, read } = await ordered()
    fake.pay(id, 40)
    fixture.time.now += HOUR / 4
    fake.pay(id, 46)
    order.state = 'paid'
    fixture.time.now += 300 * DAY
    fake.pay(id, 0.01)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ paidAt: NOW + HOUR / 4 }] })
  })

  test('counts a tolerated shortfall from its arrival', async () => {
    const { order, id, read } = await ordered()
    fake.pay(id, 85.9)
    fake.mark(id, 'Settled')
    order.state = 'paid'
    fixture.time.now += 300 * DAY
    fake.receive(id, 0.01)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ paidAt: NOW }] })
  })

  test('ignores a late payment that is double-spent', async () => {
    const { id, read } = await ordered()
    fake.expire(id)
    fake.receive(id)
    fake.invoices.get(id)!.methods[0]!.payments = []
    expect(await read()).toMatchObject({ ...nothing, state: 'expired' })
  })

  test.each([
    ['Settled', 'paid'],
    ['Invalid', 'declined'],
  ] as const)('marked as %s by the operator, is %s', async (status, state) => {
    const { id, read } = await ordered()
    fake.expire(id)
    fake.mark(id, status)
    const payments = state === 'paid' ? [{ paidAt: NOW, total: { amount: 8600 } }] : []
    expect(await read()).toMatchObject({ state, payments })
  })

  test('is refunded if the operator marks it in BTCPay or in Mayfly', async () => {
    const { order, id, read } = await ordered()
    fake.pay(id)
    order.state = 'refunded'
    const refunded = { state: 'refunded', source: { ref: id }, payments: [{ id, state: 'refunded' }] }
    expect(await read()).toMatchObject(refunded)
    order.state = 'paid'
    fake.mark(id, 'Invalid')
    expect(await read()).toMatchObject(refunded)
  })
})

describe('a payment that differs from the order', () => {
  test.each([
    ['amount', { amount: 8601, currency: 'USD' }, 'the invoice amount is 8600, the order amount 8601'],
    ['currency', { amount: 8600, currency: 'EUR' }, 'the invoice is in USD, the order in EUR'],
  ])('is a mismatch: another %s', async (_name, total, mismatch) => {
    const { order, id, read } = await ordered()
    fake.pay(id)
    order.total = total
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'mismatch', mismatch })
  })

  test('is ignored if another invoice contains the id of the order', async () => {
    const { order, btcpay } = await ordered()
    const { id } = fake.create({ amount: '86.00', metadata: { orderId: order.id } })
    fake.pay(id)
    expect(await btcpay.read(id)).toBeUndefined()
    // A crash right after the creation of the invoice left the order without its reference.
    order.providerRef = null
    expect(await btcpay.read(id)).toMatchObject({ state: 'paid' })
    order.provider = 'stripe'
    expect(await btcpay.read(id)).toBeUndefined()
  })

  test('is reported if its order was removed before it was paid', async () => {
    const { order, id, read } = await ordered()
    fixture.orders.clear()
    for (const change of [() => {}, () => fake.receive(id)]) {
      change()
      expect(await read()).toBeUndefined()
    }
    fake.confirm(id)
    const mismatch = `invoice ${id} was paid, but its order was removed`
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'mismatch', mismatch })
    // The order was paid, and removed afterwards with its account.
    fixture.recorded.add(`btcpay ${id}`)
    expect(await read()).toBeUndefined()
    // The operator returned the money.
    fixture.recorded.clear()
    fake.mark(id, 'Invalid')
    expect(await read()).toBeUndefined()
  })

  describe('is reported if its order was removed, until the operator archives the invoice:', () => {
    test.each<[string, (id: string, close: (id: string) => Promise<void>) => unknown]>([
      ['closed with the account, and paid later', async (id, close) => (await close(id), fake.pay(id))],
      [
        'closed with the account, and paid in part, unconfirmed',
        async (id, close) => (await close(id), fake.receive(id, 5)),
      ],
      ['paid in part', (id) => (fake.pay(id, 40), fake.expire(id))],
      ['paid in part after it expired', (id) => (fake.expire(id), fake.receive(id, 40))],
      ['paid late, and not confirmed yet', (id) => (fake.expire(id), fake.receive(id))],
      ['not confirmed in time', (id) => (fake.receive(id), fake.invalidate(id))],
    ])('%s', async (_name, change) => {
      const { order, id, read, btcpay } = await ordered()
      fixture.orders.clear()
      await change(id, btcpay.expire!)
      expect(await read()).toMatchObject({
        ...nothing,
        orderId: order.id,
        state: 'mismatch',
        mismatch: expect.any(String),
      })
      fixture.recorded.add(`btcpay ${id}`)
      expect(await read()).toBeUndefined()
      fixture.recorded.clear()
      fake.invoices.get(id)!.archived = true
      expect(await read()).toBeUndefined()
      expect(await toList(btcpay.subjectsSince(NOW))).toEqual([])
    })

    test('nothing if it was closed and never paid', async () => {
      const { id, read, btcpay } = await ordered()
      fixture.orders.clear()
      await btcpay.expire?.(id)
      expect(await read()).toBeUndefined()
      fake.receive(id)
      fake.invoices.get(id)!.methods[0]!.payments[0]!.status = 'Invalid'
      expect(await read()).toBeUndefined()
    })
  })
})
