import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import type { BtcpayEvent } from '#test/support/fakes/btcpay/books.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('a crypto payment, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => fixture.emails())
  afterAll(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!
  const stateOf = async (orderId: string) => (await fixture.orders.view(orderId)).state
  /** A year from mid 2027, which includes the leap day of 2028. */
  const YEAR = 366 * DAY
  const buy = async (email: string, years = 1) => {
    const orderId = await fixture.order('crypto', email, years)
    return { orderId, invoice: fixture.btcpay.invoiceOf(orderId).id }
  }

  test('pays for the ordered years after it is confirmed', async () => {
    const email = newEmail()
    fixture.time.now = Date.UTC(2027, 5, 1)
    const { orderId, invoice } = await buy(email, 2)
    fixture.btcpay.receive(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['pending', undefined])
    fixture.btcpay.confirm(invoice)
    await fixture.deliverEvents('btcpay')
    expect(await stateOf(orderId)).toBe('paid')
    const subscription = await found(email)
    expect(subscription).toMatchObject({ plan: 'crypto', renews: false, payments: [{ id: invoice }] })
    expect(subscription.paidUntil).toBe(fixture.time.now + YEAR + 365 * DAY)
    expect(await fixture.emails()).toMatchObject([{ kind: 'receipt', renews: false, total: { amount: 17_200 } }])
  })

  test('pays for nothing while it is too low', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    fixture.btcpay.receive(invoice, 85.5)
    fixture.btcpay.expire(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['underpaid', undefined])
    fixture.btcpay.receive(invoice, 0.5)
    fixture.btcpay.confirm(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), (await found(email)).plan]).toEqual(['paid', 'crypto'])
  })

  test('pays for the ordered years if it is too high, and the ledger has the full amount', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    fixture.btcpay.pay(invoice, 200)
    await fixture.deliverEvents('btcpay')
    const { paidUntil, payments } = await found(email)
    expect([await stateOf(orderId), paidUntil]).toEqual(['paid', fixture.time.now + YEAR])
    expect(payments).toMatchObject([{ total: { amount: 20_000, currency: 'USD' } }])
  })

  test('counts from its confirmation if it arrives after the invoice expired', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    fixture.btcpay.expire(invoice)
    await fixture.deliverEvents('btcpay')
    expect(await stateOf(orderId)).toBe('expired')
    fixture.time.now += DAY
    fixture.btcpay.receive(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['pending', undefined])
    fixture.btcpay.confirm(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), (await found(email)).paidUntil]).toEqual(['paid', fixture.time.now + YEAR])
  })

  test('counts from its arrival if its confirmations take longer than BTCPay waits, and its order is kept', async () => {
    const email = newEmail()
    const { orderId, invoice } = await buy(email)
    const paidAt = fixture.time.now
    fixture.btcpay.receive(invoice)
    await fixture.deliverEvents('btcpay')
    fixture.time.now += DAY
    fixture.btcpay.invalidate(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['pending', undefined])
    fixture.time.now += 31 * DAY
    await fixture.sweep.run()
    fixture.btcpay.confirm(invoice)
    await fixture.deliverEvents('btcpay')
    expect([await stateOf(orderId), (await found(email)).paidUntil]).toEqual(['paid', paidAt + YEAR])
  })

  test('pays for nothing after a refund at BTCPay or by the operator, even if its event is delivered again', async () => {
    const email = newEmail()
    const [one, two] = [await buy(email), await buy(email)]
    fixture.btcpay.pay(one.invoice)
    fixture.btcpay.pay(two.invoice)
    await fixture.deliverEvents('btcpay')
    const { id, paidUntil } = await found(email)
    expect(paidUntil).toBe(fixture.time.now + 2 * YEAR)
    fixture.btcpay.mark(one.invoice, 'Invalid')
    await fixture.deliverEvents('btcpay')
    expect((await found(email)).paidUntil).toBe(fixture.time.now + YEAR)
    await fixture.grants.markRefunded(id, two.invoice)
    const event = fixture.btcpay.redelivery(fixture.btcpay.events.at(-3)!)
    await fixture.deliverEvent('btcpay', { ...event, originalDeliveryId: 'another', invoiceId: two.invoice })
    expect(await found(email)).toMatchObject({
      paidUntil: 0,
      payments: [{ state: 'refunded' }, { state: 'refunded' }],
    })
    expect([await stateOf(one.orderId), await stateOf(two.orderId)]).toEqual(['refunded', 'refunded'])
  })

  describe('combined with another payment', () => {
    test('adds up in any order of events', async () => {
      const ends = []
      for (const order of [0, 1]) {
        const email = newEmail()
        const bought = await fixture.order('crypto', email)
        fixture.btcpay.pay(fixture.btcpay.invoiceOf(bought).id)
        fixture.time.now += DAY
        const again = await fixture.order('crypto', email, 2)
        fixture.btcpay.pay(fixture.btcpay.invoiceOf(again).id)
        const granted = await fixture.grants.grant(email, 10 * DAY, 'en')
        const news = fixture.newEvents('btcpay')
        for (const event of order === 0 ? news : news.toReversed())
          await fixture.deliverEvent('btcpay', fixture.btcpay.redelivery(event as BtcpayEvent))
        expect(granted.id).toBe((await found(email)).id)
        ends.push((await found(email)).paidUntil - fixture.time.now)
      }
      expect(ends).toEqual([ends[0], ends[0]])
      expect(ends[0]).toBeGreaterThan((3 * 365 + 9) * DAY)
    })

    test('stays when the card payments are refunded and end', async () => {
      const email = newEmail()
      const { id, invoice } = await fixture.buy('month', email)
      const orderId = await fixture.order('crypto', email)
      fixture.btcpay.pay(fixture.btcpay.invoiceOf(orderId).id)
      await fixture.deliverEvents('btcpay')
      const end = (card: string): number =>
        fixture.stripe.books.subscriptions.get(card)!.items.data[0]!.current_period_end * 1000
      const month = end(id)
      const both = await found(email)
      expect(both).toMatchObject({ renews: true, paidUntil: month + 366 * DAY, payments: { length: 2 } })
      const second = fixture.stripe.renew(id)
      await fixture.deliverEvents('stripe')
      expect((await found(email)).paidUntil).toBe(end(id) + 366 * DAY)
      fixture.stripe.refund(second.id)
      fixture.stripe.refund(invoice)
      fixture.stripe.end(id)
      await fixture.deliverEvents('stripe')
      const one = await found(email)
      expect(one).toMatchObject({ renews: false, plan: 'crypto' })
      expect(one.paidUntil).toBe(fixture.time.now + 366 * DAY)
    })
  })
})
