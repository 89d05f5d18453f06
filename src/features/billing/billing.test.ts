import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endsAt, isActive } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => fixture.emails())
  afterAll(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!
  const stateOf = async (orderId: string) => (await fixture.orders.view(orderId)).state
  const kinds = async () => (await fixture.emails()).map(({ kind }) => kind)
  /** The end of the current period of a Stripe subscription, in milliseconds since the epoch. */
  const periodEnd = (id: string): number =>
    fixture.stripe.books.subscriptions.get(id)!.items.data[0]!.current_period_end * 1000

  describe('a card', () => {
    test('pays for a month after its payment event, and sends a receipt', async () => {
      const email = newEmail()
      const orderId = await fixture.order('month', email, 1, 'de')
      const invoice = fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
      expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['open', undefined])
      expect(await fixture.deliverEvents('stripe')).toContain('settled')
      const end = periodEnd(fixture.stripe.subscriptionOf(orderId).id)
      const total = { amount: 900, currency: 'USD' }
      expect(await found(email)).toMatchObject({
        plan: 'month',
        paidUntil: end,
        renews: true,
        failingSince: null,
        language: 'de',
        payments: [{ provider: 'stripe', id: invoice.id, state: 'paid', total }],
      })
      expect(await stateOf(orderId)).toBe('paid')
      const url = 'https://mayfly.example/de/account'
      const paid = { plan: 'month', total, paidAt: fixture.time.now, paidUntil: end }
      expect(await fixture.emails()).toEqual([
        { kind: 'receipt', to: email, language: 'de', ...paid, renews: true, url },
      ])
    })

    test('pays for the next month when it is renewed, and sends an email', async () => {
      const email = newEmail()
      const { id } = await fixture.buy('month', email)
      await fixture.emails()
      fixture.stripe.renew(id)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: periodEnd(id), payments: { length: 2 } })
      expect(await kinds()).toEqual(['renewal'])
    })

    test('pays for a year if it changes to a year at its renewal', async () => {
      const email = newEmail()
      const { id } = await fixture.buy('month', email)
      const year = [...fixture.stripe.books.prices.values()].find(({ recurring }) => recurring?.interval === 'year')!
      fixture.stripe.books.subscriptions.get(id)!.items.data[0]!.price = year
      fixture.stripe.renew(id)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({ plan: 'year', paidUntil: periodEnd(id) })
      expect(periodEnd(id)).toBeGreaterThan(fixture.time.now + 365 * DAY)
    })

    test('pays for nothing if it is declined', async () => {
      const email = newEmail()
      const orderId = await fixture.order('month', email)
      fixture.stripe.payLater(fixture.stripe.sessionOf(orderId).id)
      await fixture.deliverEvents('stripe')
      expect(await stateOf(orderId)).toBe('pending')
      fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, false)
      await fixture.deliverEvents('stripe')
      expect([await stateOf(orderId), await fixture.subscription(email)]).toEqual(['declined', undefined])
    })

    test('pays for nothing if its checkout expires', async () => {
      const orderId = await fixture.order('year', newEmail())
      fixture.stripe.expire(fixture.stripe.sessionOf(orderId).id)
      await fixture.deliverEvents('stripe')
      expect(await stateOf(orderId)).toBe('expired')
    })

    test('keeps the benefits for seven days after a failed renewal, and sends one email', async () => {
      const email = newEmail()
      const { id } = await fixture.buy('month', email)
      const { paidUntil: end } = await found(email)
      await fixture.emails()
      fixture.time.now = end
      fixture.stripe.failRenewal(id)
      await fixture.deliverEvents('stripe')
      const failing = await found(email)
      expect(failing).toMatchObject({ paidUntil: end, renews: true, failingSince: expect.any(Number) })
      for (const [now, active] of [
        [end - 1, true],
        [end, true],
        [end + 7 * DAY - 1, true],
        [end + 7 * DAY, false],
      ] as const)
        expect(isActive(failing, RULES, now), new Date(now).toISOString()).toBe(active)
      expect(await fixture.emails()).toMatchObject([
        { kind: 'renewal-failed', until: end + 7 * DAY, lapsesAt: fixture.time.now + 14 * DAY },
      ])
      // It is the notice, too.
      expect(failing.noticeAt).toBe(fixture.time.now)

      // A second attempt fails, too.
      const subscription = fixture.stripe.books.subscriptions.get(id)!
      fixture.stripe.emit('customer.subscription.updated', subscription)
      await fixture.deliverEvents('stripe')
      expect(await kinds()).toEqual([])

      fixture.stripe.payOpen(id)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: periodEnd(id), failingSince: null })
      expect(await kinds()).toEqual(['renewal'])

      fixture.stripe.failRenewal(id)
      fixture.stripe.end(id)
      await fixture.deliverEvents('stripe')
      const ended = await found(email)
      expect(ended).toMatchObject({ renews: false, failingSince: null })
      expect(endsAt(ended, RULES)).toBe(ended.paidUntil)
    })

    /** Buys a subscription and cancels its renewals. */
    async function buyAndCancel(plan: 'month' | 'year') {
      const email = newEmail()
      const { id } = await fixture.buy(plan, email)
      fixture.stripe.cancelAtPeriodEnd(id)
      await fixture.deliverEvents('stripe')
      return { email, id, canceled: await found(email) }
    }

    test('pays to the end of its period after a cancellation, without the grace time', async () => {
      const { id, canceled } = await buyAndCancel('year')
      expect(canceled).toMatchObject({ renews: false, paidUntil: periodEnd(id) })
      expect(endsAt(canceled, RULES)).toBe(periodEnd(id))
    })

    test('bought before the end of a canceled one adds its whole time', async () => {
      const { email, canceled: first } = await buyAndCancel('month')
      fixture.time.now += 5 * DAY
      const { id: second } = await fixture.buy('month', email)
      const bought = periodEnd(second) - fixture.time.now
      expect((await found(email)).paidUntil).toBe(first.paidUntil + bought)
      fixture.stripe.renew(second)
      await fixture.deliverEvents('stripe')
      expect((await found(email)).paidUntil).toBe(first.paidUntil + periodEnd(second) - fixture.time.now)
    })

    test('pays for nothing after a full refund, and still pays after a partial refund', async () => {
      const email = newEmail()
      const { id, orderId, invoice } = await fixture.buy('month', email)
      const { paidUntil: first } = await found(email)
      fixture.stripe.refund(invoice, 300)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: first, payments: [{ state: 'paid' }] })
      const second = fixture.stripe.renew(id)
      fixture.stripe.refund(second.id)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({
        paidUntil: first,
        payments: [{ state: 'paid' }, { state: 'refunded' }],
      })
      fixture.stripe.refund(invoice)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({
        paidUntil: 0,
        payments: [{ state: 'refunded' }, { state: 'refunded' }],
      })
      expect(await stateOf(orderId)).toBe('refunded')
    })

    test.each([
      ['won', 'paid', true],
      ['lost', 'disputed', false],
    ] as const)('pays for nothing during a dispute; %s: %s', async (outcome, state, active) => {
      const email = newEmail()
      const { orderId, invoice } = await fixture.buy('year', email)
      const dispute = fixture.stripe.dispute(invoice)
      await fixture.deliverEvents('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: 0, payments: [{ state: 'disputed' }] })
      expect(await stateOf(orderId)).toBe('disputed')
      fixture.stripe.decide(dispute, outcome)
      await fixture.deliverEvents('stripe')
      const after = await found(email)
      expect([isActive(after, RULES, fixture.time.now), await stateOf(orderId)]).toEqual([active, state])
      expect(after.payments).toMatchObject([{ state }])
    })
  })
})
