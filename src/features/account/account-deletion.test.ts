import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { newAddress } from '#store/suite/fixtures.ts'
import { newKeptAddress } from '#store/suite/premium-fixtures.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('deleting an account, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterAll(() => fixture.close())

  /** Deletes the account as its confirmed owner. */
  async function deleteAccount(email: string): Promise<void> {
    const subscription = { ...(await fixture.subscription(email))!, confirmed: true }
    await fixture.deleteAccount({ sessionId: 'session', subscription, active: true }, email)
  }
  const isDeleted = async (email: string): Promise<boolean> => (await fixture.subscription(email)) === undefined
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
    await deleteAccount(email)
    expect(await isDeleted(email)).toBe(true)
    expect(fixture.stripe.books.subscriptions.get(id)).toMatchObject({ status: 'canceled' })
    expect(() => fixture.stripe.payOpen(id)).toThrow(/no open invoice|no longer collected/)
    await fixture.deliverEvents('stripe')
    expect(await reported()).toEqual([])
  })

  test('is possible for the operator, without a confirmed owner', async () => {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    const subscription = (await fixture.subscription(email))!
    const kept = await fixture.keptAddresses.create(subscription, {})
    await fixture.deleteAccountAsOperator(subscription.id)
    expect(await isDeleted(email)).toBe(true)
    expect(fixture.stripe.books.subscriptions.get(id)).toMatchObject({ status: 'canceled' })
    expect(await fixture.addresses.open(kept.secret)).toBeUndefined()
    const [login = ''] = kept.open.address.split('@')
    const again = fixture.addresses.create({ login, previousSecret: kept.secret })
    await expect(again).rejects.toThrow(new MayflyError('address_taken'))
    await expect(fixture.deleteAccountAsOperator(subscription.id)).rejects.toThrow(new MayflyError('not_found'))
  })

  test('leaves an address of an API key that another subscriber keeps meanwhile', async () => {
    const [email, other] = [newEmail(), newEmail()]
    await fixture.buy('month', email)
    await fixture.buy('month', other)
    const [owner, keeper] = [(await fixture.subscription(email))!, (await fixture.subscription(other))!]
    const { addresses, keptAddresses } = fixture.store
    const { now } = fixture.time
    const address = newAddress({ quota: { subscriptionId: owner.id, max: 9 }, expiresAt: now + DAY })
    await addresses.claim(address, now)
    const ofKeys = vi.spyOn(addresses, 'ofKeys').mockImplementation(async () => {
      await keptAddresses.add(newKeptAddress(keeper.id, address), 9, now)
      return [address.id]
    })
    await deleteAccount(email)
    ofKeys.mockRestore()
    expect(await addresses.find(address.id, now)).toMatchObject({ subscriptionId: keeper.id })
    await deleteAccount(other)
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
      await expect(deleteAccount(email)).rejects.toThrow(new MayflyError('payment_pending'))
      expect(fixture.stripe.books.subscriptions.get(id)).toMatchObject({ status: 'active' })
      if (plan === 'month') fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, true)
      else fixture.btcpay.confirm(fixture.btcpay.invoiceOf(orderId).id)
      await deleteAccount(email)
      expect(await isDeleted(email)).toBe(true)
      const paid = [...fixture.stripe.books.subscriptions.values()]
      expect(paid.filter(({ ended_at }) => ended_at === null)).toEqual([])
      for (const name of ['stripe', 'btcpay'] as const) await fixture.deliverEvents(name)
      expect(await reported()).toEqual([])
    },
  )

  test('is refused while a payment is pending that was ordered in a session of the account', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const order = await fixture.orders.check({ plan: 'crypto', years: 1, email, language: 'en' })
    const { id } = await fixture.orders.create(order, 'second browser', 'session')
    fixture.btcpay.receive(fixture.btcpay.invoiceOf(id).id)
    await expect(deleteAccount(email)).rejects.toThrow(new MayflyError('payment_pending'))
    fixture.btcpay.confirm(fixture.btcpay.invoiceOf(id).id)
    await deleteAccount(email)
  })

  test('ends the subscription that a failed debit started, because the debit is repeated', async () => {
    const { email, orderId } = await pending('month')
    fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, false)
    await fixture.deliverEvents('stripe')
    await deleteAccount(email)
    expect(() => fixture.stripe.payOpen(fixture.stripe.subscriptionOf(orderId).id)).toThrow('no longer collected')
  })

  test('ends a subscription whose event has not arrived', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const orderId = await fixture.order('year', email)
    fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
    await deleteAccount(email)
    expect(fixture.stripe.subscriptionOf(orderId).status).toBe('canceled')
  })

  test('is followed by a report of crypto that is paid late', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const invoice = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
    fixture.btcpay.expire(invoice.id)
    await fixture.deliverEvents('btcpay')
    await deleteAccount(email)
    fixture.btcpay.pay(invoice.id)
    expect(await fixture.deliverEvents('btcpay')).not.toContain('settled')
    expect(await reported()).toEqual(['btcpay order_unknown'])
    fixture.btcpay.mark(invoice.id, 'Invalid')
    expect(await reported()).toEqual([])
  })

  test('is followed by a report of crypto that is paid for the invoice that it closed', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const invoice = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
    await deleteAccount(email)
    expect([invoice.status, await reported()]).toEqual(['Invalid', []])
    fixture.btcpay.pay(invoice.id)
    expect(await fixture.deliverEvents('btcpay')).not.toContain('settled')
    expect([await reported(), await reported()]).toEqual([['btcpay order_unknown'], ['btcpay order_unknown']])
    invoice.archived = true
    expect(await reported()).toEqual([])
  })

  test('is refused while a part of a crypto order is paid', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const { id } = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
    fixture.btcpay.pay(id, 40)
    await expect(deleteAccount(email)).rejects.toMatchObject({ code: 'payment_pending' })
    fixture.btcpay.expire(id)
    await deleteAccount(email)
    expect(await reported()).toEqual(['btcpay order_unknown'])
    fixture.btcpay.mark(id, 'Invalid')
    expect(await reported()).toEqual([])
  })

  /** Creates an account that no card pays for. */
  async function withoutCard(): Promise<string> {
    const email = newEmail()
    const paid = await fixture.order('crypto', email)
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(paid).id)
    await fixture.deliverEvents('btcpay')
    return email
  }

  test.each(['month', 'crypto'] as const)(
    'is refused if the provider of a %s order that was just paid cannot be reached',
    async (plan) => {
      const email = await withoutCard()
      const orderId = await fixture.order(plan, email)
      if (plan === 'month') fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
      else fixture.btcpay.receive(fixture.btcpay.invoiceOf(orderId).id)
      for (const fake of [fixture.stripe, fixture.btcpay]) fake.faults.fail(500)
      await expect(deleteAccount(email)).rejects.toMatchObject({ code: 'payment_unavailable' })
      expect(await isDeleted(email)).toBe(false)
      for (const fake of [fixture.stripe, fixture.btcpay]) fake.faults.heal()
      if (plan === 'crypto') return expect(deleteAccount(email)).rejects.toMatchObject({ code: 'payment_pending' })
      await deleteAccount(email)
      expect(fixture.stripe.subscriptionOf(orderId).status).toBe('canceled')
    },
  )

  test('is refused if an open checkout cannot be closed', async () => {
    const email = await withoutCard()
    const orderId = await fixture.order('month', email)
    fixture.toStripe.hold(/sessions\/\w+$/, async () => {
      // The client of Stripe tries twice.
      fixture.stripe.faults.fail(500, 2)
    })
    await expect(deleteAccount(email)).rejects.toMatchObject({ code: 'payment_unavailable' })
    fixture.stripe.faults.heal()
    expect(await isDeleted(email)).toBe(false)
    await deleteAccount(email)
    expect(fixture.stripe.sessionOf(orderId).status).toBe('expired')
  })

  test('ends a subscription that is paid while its checkout is closed', async () => {
    const email = await withoutCard()
    const orderId = await fixture.order('month', email)
    const { id } = fixture.stripe.sessionOf(orderId)
    fixture.toStripe.hold(/sessions\/\w+$/, async () => void fixture.stripe.pay(id))
    await deleteAccount(email)
    expect(await isDeleted(email)).toBe(true)
    expect(fixture.stripe.subscriptionOf(orderId).status).toBe('canceled')
  })

  test('refuses an order whose checkout is created meanwhile, and closes that checkout', async () => {
    const email = await withoutCard()
    fixture.toStripe.hold(/checkout\/sessions$/, () => deleteAccount(email))
    await expect(fixture.order('month', email)).rejects.toMatchObject({ code: 'payment_unavailable' })
    expect(await isDeleted(email)).toBe(true)
    expect([...fixture.stripe.books.sessions.values()].at(-1)).toMatchObject({
      customer_email: email,
      status: 'expired',
    })
  })

  test('refuses an order whose checkout is created while the sources are ended', async () => {
    const email = newEmail()
    await fixture.buy('month', email)
    const ending = Promise.withResolvers<void>()
    let deleting: Promise<void> | undefined
    fixture.toStripe.hold(/checkout\/sessions$/, async () => {
      fixture.toStripe.hold(/subscriptions\/\w+$/, async () => {
        ending.resolve()
        await ordering.catch(() => {})
      })
      deleting = deleteAccount(email)
      await ending.promise
    })
    const ordering = fixture.order('year', email)
    await expect(ordering).rejects.toMatchObject({ code: 'payment_unavailable' })
    await deleting
    expect(await isDeleted(email)).toBe(true)
  })
})
