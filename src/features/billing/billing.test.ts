import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endsAt, isActive } from '#core/billing/subscription.ts'
import { type BillingHouse, openBillingHouse } from '#test/support/fixtures/billing-program.ts'
import { DAY, ENGINES } from '#test/support/fixtures/use-cases.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

/** Each test has an email of its own. */
let count = 0
const newEmail = (): string => `reader${++count}@example.org`

describe.each(ENGINES)('with %s', (engine) => {
  let house: BillingHouse
  beforeAll(async () => {
    house = await openBillingHouse(engine)
  })
  afterEach(() => house.emails())
  afterAll(() => house.close())

  const found = async (email: string) => (await house.subscription(email))!
  const stateOf = async (orderId: string) => (await house.orders.view(orderId)).state
  const kinds = async () => (await house.emails()).map(({ kind }) => kind)
  /** When the period of a card ends that is paid at the moment. */
  const periodEnd = (id: string): number =>
    house.stripe.books.subscriptions.get(id)!.items.data[0]!.current_period_end * 1000

  describe('a card', () => {
    test('pays for a month, and a receipt says so; before its word there is nothing', async () => {
      const email = newEmail()
      const orderId = await house.order('month', email, 1, 'de')
      const invoice = house.stripe.pay(house.stripe.sessionOf(orderId).id)
      expect([await stateOf(orderId), await house.subscription(email)]).toEqual(['open', undefined])
      expect(await house.hear('stripe')).toContain('settled')
      const end = periodEnd(house.stripe.subscriptionOf(orderId).id)
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
      const paid = { plan: 'month', total, paidAt: house.time.now, paidUntil: end }
      expect(await house.emails()).toEqual([{ kind: 'receipt', to: email, language: 'de', ...paid, renews: true, url }])
    })

    test('that is renewed pays for the next month, too, and an email says so', async () => {
      const email = newEmail()
      const { id } = await house.buy('month', email)
      await house.emails()
      house.stripe.renew(id)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: periodEnd(id), payments: { length: 2 } })
      expect(await kinds()).toEqual(['renewal'])
    })

    test('that changes to a year at its renewal pays for the year', async () => {
      const email = newEmail()
      const { id } = await house.buy('month', email)
      const year = [...house.stripe.books.prices.values()].find(({ recurring }) => recurring?.interval === 'year')!
      house.stripe.books.subscriptions.get(id)!.items.data[0]!.price = year
      house.stripe.renew(id)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({ plan: 'year', paidUntil: periodEnd(id) })
      expect(periodEnd(id)).toBeGreaterThan(house.time.now + 365 * DAY)
    })

    test('that is declined pays for nothing', async () => {
      const email = newEmail()
      const orderId = await house.order('month', email)
      house.stripe.payLater(house.stripe.sessionOf(orderId).id)
      await house.hear('stripe')
      expect(await stateOf(orderId)).toBe('pending')
      house.stripe.arrive(house.stripe.sessionOf(orderId).id, false)
      await house.hear('stripe')
      expect([await stateOf(orderId), await house.subscription(email)]).toEqual(['declined', undefined])
    })

    test('whose checkout ends pays for nothing', async () => {
      const orderId = await house.order('year', newEmail())
      house.stripe.expire(house.stripe.sessionOf(orderId).id)
      await house.hear('stripe')
      expect(await stateOf(orderId)).toBe('expired')
    })

    test('that fails leaves seven days, told of once; then it is over, or the money comes after all', async () => {
      const email = newEmail()
      const { id } = await house.buy('month', email)
      const { paidUntil: end } = await found(email)
      await house.emails()
      house.stripe.failRenewal(id)
      await house.hear('stripe')
      const failing = await found(email)
      expect(failing).toMatchObject({ paidUntil: end, renews: true, failingSince: expect.any(Number) })
      for (const [now, active] of [
        [end - 1, true],
        [end, true],
        [end + 7 * DAY - 1, true],
        [end + 7 * DAY, false],
      ] as const)
        expect(isActive(failing, RULES, now), new Date(now).toISOString()).toBe(active)
      expect(await house.emails()).toMatchObject([{ kind: 'renewal-failed', until: end + 7 * DAY }])

      // Tried again, and again in vain.
      const subscription = house.stripe.books.subscriptions.get(id)!
      house.stripe.emit('customer.subscription.updated', subscription)
      await house.hear('stripe')
      expect(await kinds()).toEqual([])

      house.stripe.payOpen(id)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: periodEnd(id), failingSince: null })
      expect(await kinds()).toEqual(['renewal'])

      house.stripe.failRenewal(id)
      house.stripe.end(id)
      await house.hear('stripe')
      const ended = await found(email)
      expect(ended).toMatchObject({ renews: false, failingSince: null })
      expect(endsAt(ended, RULES)).toBe(ended.paidUntil)
    })

    test('that is cancelled pays to the end of its period, and not a day longer', async () => {
      const email = newEmail()
      const { id } = await house.buy('year', email)
      house.stripe.cancelAtPeriodEnd(id)
      await house.hear('stripe')
      const cancelled = await found(email)
      expect(cancelled).toMatchObject({ renews: false, paidUntil: periodEnd(id) })
      expect(endsAt(cancelled, RULES)).toBe(periodEnd(id))
    })

    test('whose money goes back pays for nothing any more; a part of it is a kindness', async () => {
      const email = newEmail()
      const { id, orderId, invoice } = await house.buy('month', email)
      const { paidUntil: first } = await found(email)
      house.stripe.refund(invoice, 300)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: first, payments: [{ state: 'paid' }] })
      const second = house.stripe.renew(id)
      house.stripe.refund(second.id)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({
        paidUntil: first,
        payments: [{ state: 'paid' }, { state: 'refunded' }],
      })
      house.stripe.refund(invoice)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({
        paidUntil: 0,
        payments: [{ state: 'refunded' }, { state: 'refunded' }],
      })
      expect(await stateOf(orderId)).toBe('refunded')
    })

    test.each([
      ['won', 'paid', true],
      ['lost', 'disputed', false],
    ] as const)('whose owner disputes it pays for nothing while that lasts; %s: %s', async (how, state, active) => {
      const email = newEmail()
      const { orderId, invoice } = await house.buy('year', email)
      const dispute = house.stripe.dispute(invoice)
      await house.hear('stripe')
      expect(await found(email)).toMatchObject({ paidUntil: 0, payments: [{ state: 'disputed' }] })
      expect(await stateOf(orderId)).toBe('disputed')
      house.stripe.decide(dispute, how)
      await house.hear('stripe')
      const after = await found(email)
      expect([isActive(after, RULES, house.time.now), await stateOf(orderId)]).toEqual([active, state])
      expect(after.payments).toMatchObject([{ state }])
    })
  })
})
