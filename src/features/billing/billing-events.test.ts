import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isActive } from '#core/billing/subscription.ts'
import { expiryOf, NEVER } from '#core/mailbox/lifetime.ts'
import { type BillingHouse, openBillingHouse } from '#test/support/fixtures/billing-program.ts'
import { DAY, ENGINES, MINUTE } from '#test/support/fixtures/use-cases.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

/** Each test has an email of its own. */
let count = 0
const newEmail = (): string => `listener${++count}@example.org`

/** All orders that items can come in. */
function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length < 2) yield [...items]
  for (const [i, item] of items.entries()) for (const rest of orders(items.toSpliced(i, 1))) yield [item, ...rest]
}

describe.each(ENGINES)('events with %s', (engine) => {
  let house: BillingHouse
  beforeAll(async () => {
    house = await openBillingHouse(engine)
  })
  afterEach(() => house.emails())
  afterAll(() => house.close())

  const found = async (email: string) => (await house.subscription(email))!
  const stateOf = async (orderId: string) => (await house.orders.view(orderId)).state

  /** A month that was bought, renewed, and whose renewal was given back: of all that nobody has told yet. */
  async function story() {
    const email = newEmail()
    const orderId = await house.order('month', email)
    house.stripe.pay(house.stripe.sessionOf(orderId).id)
    const { id } = house.stripe.subscriptionOf(orderId)
    const end = house.stripe.subscriptionOf(orderId).items.data[0]!.current_period_end * 1000
    house.stripe.refund(house.stripe.renew(id).id)
    return { email, orderId, end, events: house.news('stripe') }
  }
  const told = { payments: [{ state: 'paid' }, { state: 'refunded' }], renews: true }

  test('that come again change nothing, and no email is sent twice', async () => {
    const { email, end, events } = await story()
    for (const event of events) await house.tell('stripe', event)
    const after = await found(email)
    expect(after).toMatchObject({ ...told, paidUntil: end })
    expect((await house.emails()).map(({ kind }) => kind)).toEqual(['receipt'])
    const again = []
    for (const event of [...events, ...events.toReversed()]) again.push(await house.tell('stripe', event))
    expect(new Set(again)).toEqual(new Set(['duplicate', 'ignored']))
    expect(await found(email)).toEqual(after)
    expect(await house.emails()).toEqual([])
  })

  test('in any order end in the same', async () => {
    const interesting = (event: object): boolean =>
      ['checkout.session.completed', 'invoice.paid', 'charge.refunded'].includes((event as { type: string }).type)
    for (const order of orders([0, 1, 2, 3])) {
      const { email, end, events } = await story()
      const chosen = events.filter(interesting)
      expect(chosen).toHaveLength(4)
      for (const i of order) await house.tell('stripe', chosen[i]!)
      expect(await found(email), order.join()).toMatchObject({ ...told, paidUntil: end })
    }
  })

  test('that come days late grant what was paid, from when it was paid', async () => {
    const { email, end, events } = await story()
    house.time.now += 3 * DAY
    for (const event of events) await house.tell('stripe', event)
    expect((await found(email)).paidUntil).toBe(end)
  })

  test('that come many at once are settled once each', async () => {
    const { email, end, events } = await story()
    const before = await house.metric('grants_total{plan="month",provider="stripe"}')
    const results = await Promise.all([...events, ...events, ...events].map((event) => house.tell('stripe', event)))
    expect(results.filter((result) => result === 'settled').length).toBeLessThanOrEqual(events.length)
    expect(await found(email)).toMatchObject({ ...told, paidUntil: end })
    expect((await house.emails()).map(({ kind }) => kind)).toEqual(['receipt'])
    expect((await house.metric('grants_total{plan="month",provider="stripe"}')) - before).toBe(1)
  })

  test('of several orders of one email at once all count', async () => {
    const email = newEmail()
    const invoices: string[] = []
    for (let i = 0; i < 8; i++) {
      const { id } = house.btcpay.invoiceOf(await house.order('crypto', email))
      house.btcpay.pay(id)
      invoices.push(id)
    }
    const results = await Promise.all(house.news('btcpay').map((event) => house.tell('btcpay', event)))
    expect(results).not.toContain('unknown')
    const { payments, paidUntil } = await found(email)
    expect(payments.map(({ id }) => id).toSorted()).toEqual(invoices.toSorted())
    expect(paidUntil).toBe(house.time.now + 8 * 365 * DAY)
    expect(await house.emails()).toHaveLength(8)
  })

  test.each([
    ['first', false],
    ['next', true],
  ])(
    'whose answer is an old one by the time it comes are followed up once more: the %s payment',
    async (_which, known) => {
      const email = newEmail()
      const orderId = await house.order('month', email)
      const first = house.stripe.pay(house.stripe.sessionOf(orderId).id)
      if (known) await house.hear('stripe')
      const invoice = known ? house.stripe.renew(house.stripe.subscriptionOf(orderId).id) : first
      const paid = house.news('stripe').find((event) => (event as { type: string }).type === 'invoice.paid')
      house.toStripe.hold(/^\/v1\/charges/, async () => {
        house.stripe.refund(invoice.id)
        expect(await house.hear('stripe')).toEqual(['settled'])
      })
      expect(await house.tell('stripe', paid!)).toBe('settled')
      const { payments } = await found(email)
      expect(payments.find(({ id }) => id === invoice.id)?.state).toBe('refunded')
    },
  )

  test('that are forged are nothing: another key, another body, another time', async () => {
    const { email, events } = await story()
    const body = JSON.stringify(events.find((event) => (event as { type: string }).type === 'invoice.paid'))
    const { sign } = house.stripe
    const now = house.time.now
    const forged: [string, Record<string, string>][] = [
      [body, sign(body, { secret: 'whsec_other' })],
      [body.replace('evt_', 'evt_x'), sign(body)],
      [`${body} `, sign(body)],
      [body, sign(body, { time: now - 5 * MINUTE - 1000 })],
      [body, { 'stripe-signature': 't=1,v1=00' }],
      [body, {}],
    ]
    const before = await house.metric('webhooks_total{provider="stripe",result="forged"}')
    for (const [text, headers] of forged)
      await expect(house.billing.handle('stripe', Buffer.from(text), headers)).rejects.toMatchObject({
        code: 'signature_invalid',
      })
    expect(await house.subscription(email)).toBeUndefined()
    expect((await house.metric('webhooks_total{provider="stripe",result="forged"}')) - before).toBe(forged.length)
    const old = sign(body, { time: now - 5 * MINUTE })
    expect(await house.billing.handle('stripe', Buffer.from(body), old)).toBe('settled')
  })

  test('of what is not ours, or of no order, are taken and forgotten', async () => {
    house.stripe.emit('invoice.paid', { id: 'in_unknown', object: 'invoice' })
    house.stripe.emit('customer.created', { id: 'cus_unknown', object: 'customer' })
    expect(await house.hear('stripe')).toEqual(['unknown', 'ignored'])
    house.btcpay.create({ amount: '86', metadata: { orderId: 'a'.repeat(22) } })
    house.btcpay.pay([...house.btcpay.invoices.keys()].at(-1)!)
    expect(new Set(await house.hear('btcpay'))).toEqual(new Set(['ignored', 'unknown']))
  })

  test('that cannot be followed up come again, and count then', async () => {
    const { email, end, events } = await story()
    house.stripe.faults.fail(500)
    for (const event of events.filter((each) => (each as { type: string }).type === 'invoice.paid'))
      await expect(house.tell('stripe', event)).rejects.toMatchObject({ code: 'payment_unavailable' })
    expect(await house.subscription(email)).toBeUndefined()
    house.stripe.faults.heal()
    for (const event of events) await house.tell('stripe', event)
    expect((await found(email)).paidUntil).toBe(end)
  })

  test('of what was paid but not as it was ordered grant nothing, and are counted', async () => {
    const email = newEmail()
    const cheap = await house.order('year', email)
    const { id: session } = house.stripe.sessionOf(cheap)
    const price = house.stripe.setPrice('something_else', { amount: 1, currency: 'USD', interval: 'year' })
    house.stripe.books.sold.get(session)!.price = price.id
    house.stripe.pay(session)
    expect(await house.hear('stripe')).toContain('mismatch')
    const foreign = await house.order('crypto', email)
    const invoice = house.btcpay.invoiceOf(foreign)
    invoice.currency = 'EUR'
    house.btcpay.pay(invoice.id)
    expect(await house.hear('btcpay')).toContain('mismatch')
    expect([await stateOf(cheap), await stateOf(foreign)]).toEqual(['mismatch', 'mismatch'])
    expect(await house.subscription(email)).toBeUndefined()
    expect(await house.emails()).toEqual([])
  })

  test('of a renewal at a price that is not ours leave what was paid before', async () => {
    const email = newEmail()
    const { id, orderId } = await house.buy('month', email)
    const before = await found(email)
    const other = house.stripe.setPrice('another', { amount: 1, currency: 'USD', interval: 'month' })
    house.stripe.books.subscriptions.get(id)!.items.data[0]!.price = other
    house.stripe.renew(id)
    expect(await house.hear('stripe')).toContain('mismatch')
    expect(await found(email)).toMatchObject({ paidUntil: before.paidUntil, payments: before.payments })
    expect(await stateOf(orderId)).toBe('paid')
  })

  test('of an account that was erased do not bring it back', async () => {
    const email = newEmail()
    const { id } = await house.buy('month', email)
    await house.store.subscriptions.remove((await found(email)).id)
    house.stripe.end(id)
    expect(await house.hear('stripe')).toEqual(['unknown'])
    expect(await house.subscription(email)).toBeUndefined()
  })

  describe('who comes back after the end', () => {
    /** A subscriber with an address, after all of it has ended. */
    async function lapsed() {
      const email = newEmail()
      await house.grants.grant(email, DAY, 'en')
      const { id } = await found(email)
      const { open } = await house.addresses.create({})
      const { id: addressId, nameKey } = open.row
      const sealedName = house.wrap.wrap('address', open.address)
      const secret = house.wrap.wrap('address secret', 'secret')
      const row = { addressId, subscriptionId: id, nameKey, sealedName, sealedLabel: null, sealedSecret: secret }
      await house.store.keptAddresses.add({ ...row, createdAt: house.time.now }, 10, house.time.now)
      await house.endings.run()
      house.time.now += 14 * DAY
      await house.endings.run()
      expect(await found(email)).toMatchObject({ lapsed: true, noticeAt: expect.any(Number) })
      const expiresAt = async () => (await house.store.keptAddresses.find(id, addressId, house.time.now))?.expiresAt
      const day = expiryOf('day', house.time.now, { day: DAY, tenMinutes: 0, quarantine: 0 })
      expect(await expiresAt()).toBe(day)
      return { email, id, expiresAt, day }
    }

    test('has all of it again', async () => {
      const { email, expiresAt } = await lapsed()
      await house.buy('month', email)
      const back = await found(email)
      expect(back).toMatchObject({ lapsed: false, noticeAt: null, plan: 'month' })
      expect(isActive(back, RULES, house.time.now)).toBe(true)
      expect(await expiresAt()).toBe(NEVER)
    })

    test('has it, too, where a process died before the addresses had their rules', async () => {
      const { email, id, expiresAt, day } = await lapsed()
      const { revision } = await found(email)
      const settled = { lapsed: false, noticeAt: null, paidUntil: house.time.now + DAY }
      await house.store.subscriptions.change(id, revision, settled)
      expect(await expiresAt()).toBe(day)
      await house.endings.heal()
      expect(await expiresAt()).toBe(NEVER)
    })

    test('but what was given back brings nothing back', async () => {
      const { email, expiresAt, day } = await lapsed()
      const orderId = await house.order('crypto', email)
      const { id: invoice } = house.btcpay.invoiceOf(orderId)
      house.btcpay.pay(invoice)
      house.btcpay.mark(invoice, 'Invalid')
      await house.hear('btcpay')
      expect(await found(email)).toMatchObject({ lapsed: true, payments: { length: 1 } })
      expect(await expiresAt()).toBe(day)
    })

    test('a notice of the end is one no more when there is more paid for', async () => {
      const email = newEmail()
      await house.grants.grant(email, 10 * DAY, 'en')
      await house.endings.run()
      expect((await found(email)).noticeAt).toBe(house.time.now)
      await house.grants.grant(email, 30 * DAY, 'en')
      expect((await found(email)).noticeAt).toBeNull()
    })
  })
})
