import { describe, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { NOW } from '../testing.ts'
import { fake, fixture, ordered, useBtcpay } from './testing.ts'

useBtcpay()

const nothing = { source: undefined, payments: [], mismatch: undefined }

describe('what is read back', () => {
  test('an invoice that nobody paid: open, then expired; one of nobody', async () => {
    const { order, id, read, btcpay } = await ordered()
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'open' })
    fake.expire(id)
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'expired' })
    expect(await btcpay.read('none')).toBeUndefined()
    expect(await btcpay.read('../../../stores')).toBeUndefined()
  })

  test('paid: pending without confirmations, then for sure', async () => {
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
    // 2028 has a leap day.
    [3, 1096],
  ])('%i years are %i days', async (years, days) => {
    const { id, read } = await ordered(years)
    fake.pay(id)
    expect((await read())?.payments[0]?.pays).toEqual({ span: days * DAY })
  })

  test('too little: open while there is time, then underpaid, and nothing is granted', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 85.9)
    expect(await read()).toMatchObject({ state: 'open', payments: [] })
    fake.expire(id)
    expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
  })

  test('too little at first and the rest in time is paid', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 40)
    fake.pay(id, 46)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ total: { amount: 8600 } }] })
  })

  test('too much is paid, and the ledger says how much', async () => {
    const { id, read } = await ordered()
    fake.pay(id, 100)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ total: { amount: 10_000, currency: 'USD' } }] })
  })

  test('too late counts once it is confirmed', async () => {
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

  test('more that comes after it was paid takes nothing away', async () => {
    const { order, id, read } = await ordered()
    fake.expire(id)
    fake.pay(id)
    order.state = 'paid'
    fake.receive(id)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
  })

  test('a few coins sent later do not begin its time anew', async () => {
    const { order, id, read } = await ordered()
    fake.pay(id, 40)
    fixture.time.now += HOUR / 4
    fake.pay(id, 46)
    order.state = 'paid'
    fixture.time.now += 300 * DAY
    fake.pay(id, 0.01)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ paidAt: NOW + HOUR / 4 }] })
  })

  test('a little less that the store tolerates is paid when it came', async () => {
    const { order, id, read } = await ordered()
    fake.pay(id, 85.9)
    fake.mark(id, 'Settled')
    order.state = 'paid'
    fixture.time.now += 300 * DAY
    fake.receive(id, 0.01)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ paidAt: NOW }] })
  })

  test('too late and double spent is nothing', async () => {
    const { id, read } = await ordered()
    fake.expire(id)
    fake.receive(id)
    fake.invoices.get(id)!.methods[0]!.payments = []
    expect(await read()).toMatchObject({ ...nothing, state: 'expired' })
  })

  test('without confirmations in time it is declined', async () => {
    const { id, read } = await ordered()
    fake.receive(id)
    fake.invalidate(id)
    expect(await read()).toMatchObject({ ...nothing, state: 'declined' })
  })

  test.each([
    ['Settled', 'paid'],
    ['Invalid', 'declined'],
  ] as const)('marked %s by the operator it is %s', async (status, state) => {
    const { id, read } = await ordered()
    fake.expire(id)
    fake.mark(id, status)
    const payments = state === 'paid' ? [{ paidAt: NOW, total: { amount: 8600 } }] : []
    expect(await read()).toMatchObject({ state, payments })
  })

  test('taken back by the operator, here or there, it is refunded', async () => {
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

describe('what was paid is not what was asked for', () => {
  test.each([
    ['amount', { amount: 8601, currency: 'USD' }, 'the invoice is over 8600, the order over 8601'],
    ['currency', { amount: 8600, currency: 'EUR' }, 'the invoice is in USD, the order in EUR'],
  ])('another %s', async (_name, total, mismatch) => {
    const { order, id, read } = await ordered()
    fake.pay(id)
    order.total = total
    expect(await read()).toEqual({ ...nothing, orderId: order.id, state: 'mismatch', mismatch })
  })

  test('another invoice that names the order is not ours', async () => {
    const { order, btcpay } = await ordered()
    const { id } = fake.create({ amount: '86.00', metadata: { orderId: order.id } })
    fake.pay(id)
    expect(await btcpay.read(id)).toBeUndefined()
    // A crash right after the invoice was created left the order without the invoice's id.
    order.providerRef = null
    expect(await btcpay.read(id)).toMatchObject({ state: 'paid' })
    order.provider = 'stripe'
    expect(await btcpay.read(id)).toBeUndefined()
    fixture.orders.clear()
    expect(await btcpay.read(id)).toBeUndefined()
  })
})
