import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE, DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

/** Yields all permutations. */
function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length < 2) yield [...items]
  for (const [i, item] of items.entries()) for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest]
}

describe.each(ENGINES)('payment events, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => fixture.emails())
  afterAll(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!
  const stateOf = async (orderId: string) => (await fixture.orders.view(orderId)).state

  /** Buys a month, renews it and refunds the renewal. Returns the events, which are not delivered yet. */
  async function history() {
    const email = newEmail()
    const orderId = await fixture.order('month', email)
    fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
    const { id } = fixture.stripe.subscriptionOf(orderId)
    const end = fixture.stripe.subscriptionOf(orderId).items.data[0]!.current_period_end * 1000
    fixture.stripe.refund(fixture.stripe.renew(id).id)
    return { email, orderId, end, events: fixture.newEvents('stripe') }
  }
  const settled = { payments: [{ state: 'paid' }, { state: 'refunded' }], renews: true }

  test('that are repeated change nothing and send no email', async () => {
    const { email, end, events } = await history()
    for (const event of events) await fixture.deliverEvent('stripe', event)
    const after = await found(email)
    expect(after).toMatchObject({ ...settled, paidUntil: end })
    expect((await fixture.emails()).map(({ kind }) => kind)).toEqual(['receipt'])
    const again = []
    for (const event of [...events, ...events.toReversed()]) again.push(await fixture.deliverEvent('stripe', event))
    expect(new Set(again)).toEqual(new Set(['duplicate', 'ignored']))
    expect(await found(email)).toEqual(after)
    expect(await fixture.emails()).toEqual([])
  })

  test('that are repeated so late that their ids are forgotten change nothing and send no email', async () => {
    const { email, events } = await history()
    const deliver = async () => {
      const results = []
      for (const event of events) results.push(await fixture.deliverEvent('stripe', event))
      return results
    }
    await deliver()
    const { revision: _, ...after } = await found(email)
    await fixture.emails()
    await fixture.store.subscriptions.forgetEvents(fixture.time.now + 1, 100)
    expect(await deliver()).toContain('settled')
    expect(await found(email)).toMatchObject(after)
    expect(await fixture.emails()).toEqual([])
    // The account is deleted, so the event belongs to nobody.
    await fixture.store.subscriptions.remove(after.id)
    await fixture.store.subscriptions.forgetEvents(fixture.time.now + 1, 100)
    expect(new Set(await deliver())).toEqual(new Set(['unknown', 'ignored']))
    expect(await fixture.subscription(email)).toBeUndefined()
  })

  test('lead to the same result in any order', async () => {
    const isRelevant = (event: object): boolean =>
      ['checkout.session.completed', 'invoice.paid', 'charge.refunded'].includes((event as { type: string }).type)
    // The use case handles the order, not the engine. So the second engine gets four orders, each with another first event.
    const all = [...permutations([0, 1, 2, 3])]
    for (const order of engine === ENGINES[0] ? all : all.filter((_, i) => i % 6 === 0)) {
      const { email, end, events } = await history()
      const chosen = events.filter(isRelevant)
      expect(chosen).toHaveLength(4)
      for (const i of order) await fixture.deliverEvent('stripe', chosen[i]!)
      expect(await found(email), order.join()).toMatchObject({ ...settled, paidUntil: end })
    }
  })

  test('that are days late grant the time from the payment on', async () => {
    const { email, end, events } = await history()
    fixture.time.now += 3 * DAY
    for (const event of events) await fixture.deliverEvent('stripe', event)
    expect((await found(email)).paidUntil).toBe(end)
  })

  test('that arrive at the same time are settled once each', async () => {
    const { email, end, events } = await history()
    const before = await fixture.metric('grants_total{plan="month",provider="stripe"}')
    const results = await Promise.all(
      [...events, ...events, ...events].map((event) => fixture.deliverEvent('stripe', event)),
    )
    expect(results.filter((result) => result === 'settled').length).toBeLessThanOrEqual(events.length)
    expect(await found(email)).toMatchObject({ ...settled, paidUntil: end })
    expect((await fixture.emails()).map(({ kind }) => kind)).toEqual(['receipt'])
    expect((await fixture.metric('grants_total{plan="month",provider="stripe"}')) - before).toBe(1)
  })

  test('of several orders of one email address at the same time all count', async () => {
    const email = newEmail()
    const invoices: string[] = []
    for (let i = 0; i < 8; i++) {
      const { id } = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
      fixture.btcpay.pay(id)
      invoices.push(id)
    }
    const results = await Promise.all(fixture.newEvents('btcpay').map((event) => fixture.deliverEvent('btcpay', event)))
    expect(results).not.toContain('unknown')
    const { payments, paidUntil } = await found(email)
    expect(payments.map(({ id }) => id).toSorted()).toEqual(invoices.toSorted())
    expect(paidUntil).toBe(fixture.time.now + 8 * 365 * DAY)
    expect(await fixture.emails()).toHaveLength(8)
  })

  test.each([
    ['first', false],
    ['next', true],
  ])('are read back again if the provider response became outdated: the %s payment', async (_which, known) => {
    const email = newEmail()
    const orderId = await fixture.order('month', email)
    const first = fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
    if (known) await fixture.deliverEvents('stripe')
    const invoice = known ? fixture.stripe.renew(fixture.stripe.subscriptionOf(orderId).id) : first
    const paid = fixture.newEvents('stripe').find((event) => (event as { type: string }).type === 'invoice.paid')
    fixture.toStripe.hold(/^\/v1\/charges/, async () => {
      fixture.stripe.refund(invoice.id)
      expect(await fixture.deliverEvents('stripe')).toEqual(['settled'])
    })
    expect(await fixture.deliverEvent('stripe', paid!)).toBe('settled')
    const { payments } = await found(email)
    expect(payments.find(({ id }) => id === invoice.id)?.state).toBe('refunded')
  })

  test('with another key, body or time are rejected as forged', async () => {
    const { email, events } = await history()
    const body = JSON.stringify(events.find((event) => (event as { type: string }).type === 'invoice.paid'))
    const { sign } = fixture.stripe
    const now = fixture.time.now
    const forged: [string, Record<string, string>][] = [
      [body, sign(body, { secret: 'whsec_other' })],
      [body.replace('evt_', 'evt_x'), sign(body)],
      [`${body} `, sign(body)],
      [body, sign(body, { time: now - 5 * MINUTE - 1000 })],
      [body, { 'stripe-signature': 't=1,v1=00' }],
      [body, {}],
    ]
    const before = await fixture.metric('payment_events_total{provider="stripe",result="forged"}')
    for (const [text, headers] of forged)
      await expect(fixture.billing.handle('stripe', Buffer.from(text), headers)).rejects.toMatchObject({
        code: 'signature_invalid',
      })
    expect(await fixture.subscription(email)).toBeUndefined()
    expect((await fixture.metric('payment_events_total{provider="stripe",result="forged"}')) - before).toBe(
      forged.length,
    )
    const old = sign(body, { time: now - 5 * MINUTE })
    expect(await fixture.billing.handle('stripe', Buffer.from(body), old)).toBe('settled')
  })

  test('of unknown subjects, or without an order, are accepted without effect', async () => {
    fixture.stripe.emit('invoice.paid', { id: 'in_unknown', object: 'invoice' })
    fixture.stripe.emit('customer.created', { id: 'cus_unknown', object: 'customer' })
    expect(await fixture.deliverEvents('stripe')).toEqual(['unknown', 'ignored'])
    fixture.btcpay.create({ amount: '86', metadata: { orderId: 'a'.repeat(22) } })
    fixture.btcpay.pay([...fixture.btcpay.invoices.keys()].at(-1)!)
    expect(new Set(await fixture.deliverEvents('btcpay'))).toEqual(new Set(['ignored', 'unknown']))
  })

  test('fail while the provider is unreachable, and count when they are repeated', async () => {
    const { email, end, events } = await history()
    fixture.stripe.faults.fail(500)
    for (const event of events.filter((each) => (each as { type: string }).type === 'invoice.paid'))
      await expect(fixture.deliverEvent('stripe', event)).rejects.toMatchObject({ code: 'payment_unavailable' })
    expect(await fixture.subscription(email)).toBeUndefined()
    fixture.stripe.faults.heal()
    for (const event of events) await fixture.deliverEvent('stripe', event)
    expect((await found(email)).paidUntil).toBe(end)
  })

  test('of a payment that differs from its order grant nothing and set the order to mismatch', async () => {
    const email = newEmail()
    const cheap = await fixture.order('year', email)
    const { id: session } = fixture.stripe.sessionOf(cheap)
    const price = fixture.stripe.setPrice('something_else', { amount: 1, currency: 'USD', interval: 'year' })
    fixture.stripe.books.sold.get(session)!.price = price.id
    fixture.stripe.pay(session)
    expect(await fixture.deliverEvents('stripe')).toContain('mismatch')
    const foreign = await fixture.order('crypto', email)
    const invoice = fixture.btcpay.invoiceOf(foreign)
    invoice.currency = 'EUR'
    fixture.btcpay.pay(invoice.id)
    expect(await fixture.deliverEvents('btcpay')).toContain('mismatch')
    expect([await stateOf(cheap), await stateOf(foreign)]).toEqual(['mismatch', 'mismatch'])
    expect(await fixture.subscription(email)).toBeUndefined()
    expect(await fixture.emails()).toEqual([])
  })

  test('of a renewal at an unknown price keep the earlier payment', async () => {
    const email = newEmail()
    const { id, orderId } = await fixture.buy('month', email)
    const before = await found(email)
    const other = fixture.stripe.setPrice('another', {
      amount: 1,
      currency: 'USD',
      interval: 'month',
      product: 'prod_other',
    })
    fixture.stripe.books.subscriptions.get(id)!.items.data[0]!.price = other
    fixture.stripe.renew(id)
    expect(await fixture.deliverEvents('stripe')).toContain('mismatch')
    expect(await found(email)).toMatchObject({ paidUntil: before.paidUntil, payments: before.payments })
    expect(await stateOf(orderId)).toBe('paid')
  })

  test('of a deleted account do not create it again', async () => {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    await fixture.store.subscriptions.remove((await found(email)).id)
    fixture.stripe.end(id)
    expect(await fixture.deliverEvents('stripe')).toEqual(['unknown'])
    expect(await fixture.subscription(email)).toBeUndefined()
  })
})
