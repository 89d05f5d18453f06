import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BillingHouse, openBillingHouse } from '#test/support/fixtures/billing-program.ts'
import { DAY, HOUR } from '#test/support/fixtures/use-cases.ts'

describe('the daily comparison', () => {
  let house: BillingHouse
  beforeEach(async () => {
    house = await openBillingHouse()
  })
  afterEach(() => house.close())

  const found = async (email: string) => (await house.subscription(email))!
  const kinds = async () => {
    const { differences } = await house.reconciliation.run()
    return differences.map(({ provider, kind }) => `${provider} ${kind}`).toSorted()
  }

  test('settles what nobody told of, reports it, and finds nothing the second time', async () => {
    const card = await house.order('month', 'card@example.org')
    house.stripe.pay(house.stripe.sessionOf(card).id)
    const coins = await house.order('crypto', 'coins@example.org')
    house.btcpay.pay(house.btcpay.invoiceOf(coins).id)
    const declined = await house.order('year', 'late@example.org')
    house.stripe.expire(house.stripe.sessionOf(declined).id)
    expect(await kinds()).toEqual([
      'btcpay order_state',
      'btcpay payment_missing',
      'btcpay source',
      'btcpay subscription',
      'stripe order_state',
      'stripe order_state',
      'stripe payment_missing',
      'stripe source',
      'stripe subscription',
    ])
    expect(await found('card@example.org')).toMatchObject({ renews: true, payments: { length: 1 } })
    expect(await found('coins@example.org')).toMatchObject({ renews: false, payments: { length: 1 } })
    expect((await house.orders.view(declined)).state).toBe('expired')
    expect((await house.emails()).map(({ kind }) => kind)).toEqual(['receipt', 'receipt'])
    expect(await house.metric('reconciliation_differences_total{provider="stripe",kind="order_state"}')).toBe(2)
    expect(await kinds()).toEqual([])
    expect(await house.metric('reconciliations_total{provider="stripe",outcome="done"}')).toBe(2)
    // What comes after it is no news.
    expect(new Set(await house.hear('stripe'))).not.toContain('unknown')
    expect(await house.emails()).toEqual([])
  })

  test.each([
    ['a refund', (invoice: string) => house.stripe.refund(invoice), ['order_state', 'payment_changed', 'subscription']],
    [
      'a dispute',
      (invoice: string) => house.stripe.dispute(invoice),
      ['order_state', 'payment_changed', 'subscription'],
    ],
    ['a cancellation', (_: string, id: string) => house.stripe.cancelAtPeriodEnd(id), ['source', 'subscription']],
    ['a renewal', (_: string, id: string) => house.stripe.renew(id), ['payment_missing', 'subscription']],
    ['a failure', (_: string, id: string) => house.stripe.failRenewal(id), ['source', 'subscription']],
  ])('finds %s', async (_name, happen, differences) => {
    const { id, invoice } = await house.buy('month', 'card@example.org')
    happen(invoice, id)
    expect(await kinds()).toEqual(differences.map((kind) => `stripe ${kind}`))
    expect(await kinds()).toEqual([])
  })

  test('reports what is not as it was ordered, each time', async () => {
    const orderId = await house.order('crypto', 'coins@example.org')
    const invoice = house.btcpay.invoiceOf(orderId)
    invoice.amount = '1'
    house.btcpay.pay(invoice.id)
    expect(await kinds()).toEqual(['btcpay mismatch', 'btcpay order_state'])
    expect(await kinds()).toEqual(['btcpay mismatch'])
    expect(await house.subscription('coins@example.org')).toBeUndefined()
  })

  test('reports what goes on being charged for an order that was erased, until somebody ends that', async () => {
    const orderId = await house.order('month', 'card@example.org')
    const { id: session } = house.stripe.sessionOf(orderId)
    const { id } = await house.buy('month', 'card@example.org')
    house.stripe.cancelAtPeriodEnd(id)
    await house.hear('stripe')
    await house.store.subscriptions.remove((await found('card@example.org')).id)
    expect(await kinds()).toEqual([])
    // The checkout was open in another tab meanwhile.
    house.stripe.pay(session)
    expect(await house.hear('stripe')).not.toContain('settled')
    expect(new Set(await kinds())).toEqual(new Set(['stripe order_unknown']))
    expect(await house.subscription('card@example.org')).toBeUndefined()
    house.stripe.cancelAtPeriodEnd(house.stripe.subscriptionOf(orderId).id)
    expect(await kinds()).toEqual([])
  })

  test('looks back a week before the last run, and asks for renewals that are due and orders that are open at any age', async () => {
    const { id } = await house.buy('month', 'card@example.org')
    const open = await house.order('crypto', 'coins@example.org')
    house.stripe.renew(id)
    house.time.now += 29 * DAY
    house.btcpay.pay(house.btcpay.invoiceOf(open).id)
    // Their events are older than Stripe was asked for.
    expect(await kinds()).toContain('stripe payment_missing')
    expect((await house.orders.view(open)).state).toBe('paid')
  })

  test('a service that cannot be asked does not keep the others from being compared', async () => {
    const card = await house.order('month', 'card@example.org')
    house.stripe.pay(house.stripe.sessionOf(card).id)
    const coins = await house.order('crypto', 'coins@example.org')
    house.btcpay.pay(house.btcpay.invoiceOf(coins).id)
    house.stripe.faults.fail(500)
    const { failed, differences } = await house.reconciliation.run()
    expect(failed).toEqual(['stripe'])
    expect(new Set(differences.map(({ provider }) => provider))).toEqual(new Set(['btcpay']))
    expect(await house.metric('reconciliations_total{provider="stripe",outcome="failed"}')).toBe(1)
    house.stripe.faults.heal()
    expect(await kinds()).toContain('stripe payment_missing')
  })

  test('is done a day after the last one, whatever is restarted; a service that could not be asked is asked again soon', async () => {
    const runs = () => house.metric('reconciliations_total{provider="btcpay",outcome="done"}')
    const work = (): Promise<void> => house.reconciliation.work(new AbortController().signal)
    await work()
    expect(await runs()).toBe(0)
    house.time.now += DAY - 1
    await work()
    expect(await runs()).toBe(0)
    house.time.now += 1
    house.stripe.faults.fail(500)
    await work()
    expect(await runs()).toBe(1)
    house.stripe.faults.heal()
    await work()
    expect(await runs()).toBe(1)
    expect(await house.metric('reconciliations_total{provider="stripe",outcome="done"}')).toBe(1)
    house.time.now += DAY
    await work()
    expect(await runs()).toBe(2)
  })

  test('ends in the middle when it is told to stop, and is not done', async () => {
    await house.buy('month', 'card@example.org')
    const { read } = await house.reconciliation.run(AbortSignal.abort())
    expect([read, await house.metric('reconciliations_total{provider="stripe",outcome="done"}')]).toEqual([0, 0])
  })

  test.each([
    [30 * DAY - HOUR, true],
    [30 * DAY, true],
    [30 * DAY + 1, false],
  ])('orders that were never paid are kept 30 days (%d ms: %s)', async (age, kept) => {
    const never = await house.order('crypto', 'never@example.org')
    const paid = await house.order('crypto', 'coins@example.org')
    house.btcpay.pay(house.btcpay.invoiceOf(paid).id)
    await house.hear('btcpay')
    house.time.now += age
    await house.retention.sweep()
    const seen = house.orders.view(never).then(
      () => true,
      () => false,
    )
    expect([await seen, (await house.orders.view(paid)).state]).toEqual([kept, 'paid'])
  })
})
