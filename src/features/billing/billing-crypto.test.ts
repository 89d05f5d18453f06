import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { BtcpayEvent } from '#test/support/fakes/btcpay/books.ts'
import { type BillingHouse, openBillingHouse } from '#test/support/fixtures/billing-program.ts'
import { DAY, ENGINES } from '#test/support/fixtures/use-cases.ts'

/** Each test has an email of its own. */
let count = 0
const newEmail = (): string => `saver${++count}@example.org`

describe.each(ENGINES)('crypto with %s', (engine) => {
  let house: BillingHouse
  beforeAll(async () => {
    house = await openBillingHouse(engine)
  })
  afterEach(() => house.emails())
  afterAll(() => house.close())

  const found = async (email: string) => (await house.subscription(email))!
  const stateOf = async (orderId: string) => (await house.orders.view(orderId)).state
  /** From 2027 on, with the leap day of 2028. */
  const YEAR = 366 * DAY
  const buy = async (email: string, years = 1) => {
    const orderId = await house.order('crypto', email, years)
    return { orderId, invoice: house.btcpay.invoiceOf(orderId).id }
  }

  test('waits for its confirmations, then pays for its years', async () => {
    const email = newEmail()
    house.time.now = Date.UTC(2027, 5, 1)
    const { orderId, invoice } = await buy(email, 2)
    house.btcpay.receive(invoice)
    await house.hear('btcpay')
    expect([await stateOf(orderId), await house.subscription(email)]).toEqual(['pending', undefined])
    house.btcpay.confirm(invoice)
    await house.hear('btcpay')
    expect(await stateOf(orderId)).toBe('paid')
    const subscription = await found(email)
    expect(subscription).toMatchObject({ plan: 'crypto', renews: false, payments: [{ id: invoice }] })
    expect(subscription.paidUntil).toBe(house.time.now + YEAR + 365 * DAY)
    expect(await house.emails()).toMatchObject([{ kind: 'receipt', renews: false, total: { amount: 17_200 } }])
  })

  test('that is too little pays for nothing, until the rest has come', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    house.btcpay.receive(invoice, 85.5)
    house.btcpay.expire(invoice)
    await house.hear('btcpay')
    expect([await stateOf(orderId), await house.subscription(email)]).toEqual(['underpaid', undefined])
    house.btcpay.receive(invoice, 0.5)
    house.btcpay.confirm(invoice)
    await house.hear('btcpay')
    expect([await stateOf(orderId), (await found(email)).plan]).toEqual(['paid', 'crypto'])
  })

  test('that is too much pays for what was ordered, and the ledger says how much came', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    house.btcpay.pay(invoice, 200)
    await house.hear('btcpay')
    const { paidUntil, payments } = await found(email)
    expect([await stateOf(orderId), paidUntil]).toEqual(['paid', house.time.now + YEAR])
    expect(payments).toMatchObject([{ total: { amount: 20_000, currency: 'USD' } }])
  })

  test('that comes late counts once it is confirmed, from then on', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    house.btcpay.expire(invoice)
    await house.hear('btcpay')
    expect(await stateOf(orderId)).toBe('expired')
    house.time.now += DAY
    house.btcpay.receive(invoice)
    await house.hear('btcpay')
    expect([await stateOf(orderId), await house.subscription(email)]).toEqual(['pending', undefined])
    house.btcpay.confirm(invoice)
    await house.hear('btcpay')
    expect([await stateOf(orderId), (await found(email)).paidUntil]).toEqual(['paid', house.time.now + YEAR])
  })

  test('that the operator gave back, at BTCPay or here, pays for nothing, whatever comes afterwards', async () => {
    const email = newEmail()
    const [one, two] = [await buy(email), await buy(email)]
    house.btcpay.pay(one.invoice)
    house.btcpay.pay(two.invoice)
    await house.hear('btcpay')
    const { id, paidUntil } = await found(email)
    expect(paidUntil).toBe(house.time.now + 2 * YEAR)
    house.btcpay.mark(one.invoice, 'Invalid')
    await house.hear('btcpay')
    expect((await found(email)).paidUntil).toBe(house.time.now + YEAR)
    await house.grants.markRefunded(id, two.invoice)
    const event = house.btcpay.redelivery(house.btcpay.events.at(-3)!)
    await house.tell('btcpay', { ...event, originalDeliveryId: 'another', invoiceId: two.invoice })
    expect(await found(email)).toMatchObject({
      paidUntil: 0,
      payments: [{ state: 'refunded' }, { state: 'refunded' }],
    })
    expect([await stateOf(one.orderId), await stateOf(two.orderId)]).toEqual(['refunded', 'refunded'])
  })

  describe('two ways of paying', () => {
    test('add up, whichever is heard of first', async () => {
      const ends = []
      for (const order of [0, 1]) {
        const email = newEmail()
        const bought = await house.order('crypto', email)
        house.btcpay.pay(house.btcpay.invoiceOf(bought).id)
        house.time.now += DAY
        const again = await house.order('crypto', email, 2)
        house.btcpay.pay(house.btcpay.invoiceOf(again).id)
        const granted = await house.grants.grant(email, 10 * DAY, 'en')
        const news = house.news('btcpay')
        for (const event of order === 0 ? news : news.toReversed())
          await house.tell('btcpay', house.btcpay.redelivery(event as BtcpayEvent))
        expect(granted.id).toBe((await found(email)).id)
        ends.push((await found(email)).paidUntil - house.time.now)
      }
      expect(ends).toEqual([ends[0], ends[0]])
      expect(ends[0]).toBeGreaterThan((3 * 365 + 9) * DAY)
    })

    test('are both known, and end by themselves', async () => {
      const email = newEmail()
      const { id, invoice } = await house.buy('month', email)
      const orderId = await house.order('crypto', email)
      house.btcpay.pay(house.btcpay.invoiceOf(orderId).id)
      await house.hear('btcpay')
      const end = (card: string): number =>
        house.stripe.books.subscriptions.get(card)!.items.data[0]!.current_period_end * 1000
      const month = end(id)
      const both = await found(email)
      expect(both).toMatchObject({ renews: true, paidUntil: month + 366 * DAY, payments: { length: 2 } })
      const second = house.stripe.renew(id)
      await house.hear('stripe')
      expect((await found(email)).paidUntil).toBe(end(id) + 366 * DAY)
      house.stripe.refund(second.id)
      house.stripe.refund(invoice)
      house.stripe.end(id)
      await house.hear('stripe')
      const one = await found(email)
      expect(one).toMatchObject({ renews: false, plan: 'crypto' })
      expect(one.paidUntil).toBe(house.time.now + 366 * DAY)
    })
  })
})
