import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('erasing an account, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterAll(() => fixture.close())

  let count = 0
  const newEmail = (): string => `erased${++count}@example.org`
  /** Erases the account as its confirmed owner. */
  async function erase(email: string): Promise<void> {
    const subscription = { ...(await fixture.subscription(email))!, confirmed: true }
    await fixture.eraseAccount({ sessionId: 'session', subscription, active: true }, email)
  }
  const isErased = async (email: string): Promise<boolean> => (await fixture.subscription(email)) === undefined
  const reported = async () =>
    (await fixture.reconciliation.run()).differences.map(({ provider, kind }) => `${provider} ${kind}`)

  test.each([
    ['renews', () => {}],
    ['is to end with its period', (id: string) => fixture.stripe.cancelAtPeriodEnd(id)],
    ['fails to renew', (id: string) => fixture.stripe.failRenewal(id)],
    [
      'fails to renew and is to end with its period',
      (id: string) => {
        fixture.stripe.failRenewal(id)
        fixture.stripe.cancelAtPeriodEnd(id)
      },
    ],
  ])('ends a subscription at Stripe that %s, with the collection of its invoices', async (_state, change) => {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    change(id)
    await fixture.deliverEvents('stripe')
    await erase(email)
    expect(await isErased(email)).toBe(true)
    expect(fixture.stripe.books.subscriptions.get(id)).toMatchObject({ status: 'canceled' })
    expect(() => fixture.stripe.payOpen(id)).toThrow(/no open invoice|no longer collected/)
    await fixture.deliverEvents('stripe')
    expect(await reported()).toEqual([])
  })

  /** Orders for a subscriber with a card, with a payment that is on its way. */
  async function pending(plan: 'month' | 'crypto') {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    const orderId = await fixture.order(plan, email)
    if (plan === 'month') fixture.stripe.payLater(fixture.stripe.sessionOf(orderId).id)
    else fixture.btcpay.receive(fixture.btcpay.invoiceOf(orderId).id)
    return { email, id, orderId }
  }

  test.each([
    ['month', true],
    ['month', false],
    ['crypto', true],
    ['crypto', false],
  ] as const)(
    'is refused while a payment for a %s is pending, whether its events have arrived (%s)',
    async (plan, arrived) => {
      const { email, id, orderId } = await pending(plan)
      if (arrived) for (const name of ['stripe', 'btcpay'] as const) await fixture.deliverEvents(name)
      await expect(erase(email)).rejects.toThrow(new MayflyError('payment_pending'))
      expect(fixture.stripe.books.subscriptions.get(id)).toMatchObject({ status: 'active' })
      if (plan === 'month') fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, true)
      else fixture.btcpay.confirm(fixture.btcpay.invoiceOf(orderId).id)
      await erase(email)
      expect(await isErased(email)).toBe(true)
      const paid = [...fixture.stripe.books.subscriptions.values()]
      expect(paid.filter(({ ended_at }) => ended_at === null)).toEqual([])
      for (const name of ['stripe', 'btcpay'] as const) await fixture.deliverEvents(name)
      expect(await reported()).toEqual([])
    },
  )

  test('ends the subscription that a failed debit started, because the debit is repeated', async () => {
    const { email, orderId } = await pending('month')
    fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, false)
    await fixture.deliverEvents('stripe')
    await erase(email)
    expect(() => fixture.stripe.payOpen(fixture.stripe.subscriptionOf(orderId).id)).toThrow('no longer collected')
  })

  test('ends a subscription whose event has not arrived', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const orderId = await fixture.order('year', email)
    fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
    await erase(email)
    expect(fixture.stripe.subscriptionOf(orderId).status).toBe('canceled')
  })

  test('is followed by a report of crypto that is paid late', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const invoice = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
    fixture.btcpay.expire(invoice.id)
    await fixture.deliverEvents('btcpay')
    await erase(email)
    fixture.btcpay.pay(invoice.id)
    expect(await fixture.deliverEvents('btcpay')).not.toContain('settled')
    expect(await reported()).toEqual(['btcpay order_unknown'])
    fixture.btcpay.mark(invoice.id, 'Invalid')
    expect(await reported()).toEqual([])
  })
})
