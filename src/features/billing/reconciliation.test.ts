import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'

describe('the reconciliation', () => {
  let fixture: BillingFixture
  beforeEach(async () => {
    fixture = await openBillingFixture()
  })
  afterEach(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!
  const kinds = async () => {
    const { differences } = await fixture.reconciliation.run()
    return differences.map(({ provider, kind }) => `${provider} ${kind}`).toSorted()
  }

  test('settles and reports payments without an event, and finds nothing the second time', async () => {
    const card = await fixture.order('month', 'card@example.org')
    fixture.stripe.pay(fixture.stripe.sessionOf(card).id)
    const coins = await fixture.order('crypto', 'coins@example.org')
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(coins).id)
    const declined = await fixture.order('year', 'late@example.org')
    fixture.stripe.expire(fixture.stripe.sessionOf(declined).id)
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
    expect((await fixture.orders.view(declined)).state).toBe('expired')
    expect((await fixture.emails()).map(({ kind }) => kind)).toEqual(['receipt', 'receipt'])
    expect(await fixture.metric('reconciliation_differences_total{provider="stripe",kind="order_state"}')).toBe(2)
    expect(await kinds()).toEqual([])
    expect(await fixture.metric('reconciliations_total{provider="stripe",outcome="done"}')).toBe(2)
    // The events that arrive later change nothing.
    expect(new Set(await fixture.deliverEvents('stripe'))).not.toContain('unknown')
    expect(await fixture.emails()).toEqual([])
  })

  test.each([
    [
      'a refund',
      (invoice: string) => fixture.stripe.refund(invoice),
      ['order_state', 'payment_changed', 'subscription'],
    ],
    [
      'a dispute',
      (invoice: string) => fixture.stripe.dispute(invoice),
      ['order_state', 'payment_changed', 'subscription'],
    ],
    ['a cancellation', (_: string, id: string) => fixture.stripe.cancelAtPeriodEnd(id), ['source', 'subscription']],
    ['a renewal', (_: string, id: string) => fixture.stripe.renew(id), ['payment_missing', 'subscription']],
    ['a failed renewal', (_: string, id: string) => fixture.stripe.failRenewal(id), ['source', 'subscription']],
  ])('finds %s without an event', async (_name, change, differences) => {
    const { id, invoice } = await fixture.buy('month', 'card@example.org')
    change(invoice, id)
    expect(await kinds()).toEqual(differences.map((kind) => `stripe ${kind}`))
    expect(await kinds()).toEqual([])
  })

  test('reports a payment that differs from its order in every run', async () => {
    const orderId = await fixture.order('crypto', 'coins@example.org')
    const invoice = fixture.btcpay.invoiceOf(orderId)
    invoice.amount = '1'
    fixture.btcpay.pay(invoice.id)
    expect(await kinds()).toEqual(['btcpay mismatch', 'btcpay order_state'])
    expect(await kinds()).toEqual(['btcpay mismatch'])
    expect(await fixture.subscription('coins@example.org')).toBeUndefined()
  })

  test('reports a subscription that still charges for a deleted order until it is canceled', async () => {
    const form = { plan: 'month', years: 1, email: 'card@example.org', language: 'en' }
    const { id: orderId } = await fixture.orders.create(await fixture.orders.check(form), 'another browser')
    const { id: session } = fixture.stripe.sessionOf(orderId)
    const { id } = await fixture.buy('month', 'card@example.org')
    fixture.stripe.cancelAtPeriodEnd(id)
    await fixture.deliverEvents('stripe')
    await fixture.store.subscriptions.remove((await found('card@example.org')).id)
    expect(await kinds()).toEqual([])
    // The checkout was still open in another browser.
    fixture.stripe.pay(session)
    expect(await fixture.deliverEvents('stripe')).not.toContain('settled')
    expect(new Set(await kinds())).toEqual(new Set(['stripe order_unknown']))
    expect(await fixture.subscription('card@example.org')).toBeUndefined()
    fixture.stripe.cancelAtPeriodEnd(fixture.stripe.subscriptionOf(orderId).id)
    expect(await kinds()).toEqual([])
  })

  test('reads back due renewals and open orders whose events are older than the queried time', async () => {
    const { id } = await fixture.buy('month', 'card@example.org')
    const open = await fixture.order('crypto', 'coins@example.org')
    fixture.stripe.renew(id)
    fixture.time.now += 29 * DAY
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(open).id)
    // Their events are older than the time from which Stripe is queried.
    expect(await kinds()).toContain('stripe payment_missing')
    expect((await fixture.orders.view(open)).state).toBe('paid')
  })

  test('compares the other providers if one is unreachable', async () => {
    const card = await fixture.order('month', 'card@example.org')
    fixture.stripe.pay(fixture.stripe.sessionOf(card).id)
    const coins = await fixture.order('crypto', 'coins@example.org')
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(coins).id)
    fixture.stripe.faults.fail(500)
    const { failed, differences } = await fixture.reconciliation.run()
    expect(failed).toEqual(['stripe'])
    expect(new Set(differences.map(({ provider }) => provider))).toEqual(new Set(['btcpay']))
    expect(await fixture.metric('reconciliations_total{provider="stripe",outcome="failed"}')).toBe(1)
    fixture.stripe.faults.heal()
    expect(await kinds()).toContain('stripe payment_missing')
  })

  test.each([
    [400, 'rejected', 'done'],
    [403, 'rejected', 'done'],
    [422, 'rejected', 'done'],
    // Perhaps the next call succeeds, and then this one.
    [500, undefined, 'failed'],
    [503, undefined, 'failed'],
  ])('compares the other subjects if a provider responds to one with %i', async (status, kind, outcome) => {
    const buyers = ['one', 'two', 'three'].map((name) => `${name}@example.org`)
    const bought = []
    for (const email of buyers) {
      const card = await fixture.order('month', email)
      fixture.stripe.pay(fixture.stripe.sessionOf(card).id)
      const { id: invoice } = fixture.btcpay.invoiceOf(await fixture.order('crypto', email))
      fixture.btcpay.pay(invoice)
      bought.push({ card: fixture.stripe.subscriptionOf(card).id, invoice })
    }
    fixture.stripe.faults.failAt(bought[1]!.card, status)
    fixture.btcpay.faults.failAt(`${bought[1]!.invoice}/payment-methods`, status)
    const { differences, failed } = await fixture.reconciliation.run()
    expect(failed).toEqual(outcome === 'done' ? [] : ['stripe', 'btcpay'])
    for (const name of ['stripe', 'btcpay'] as const) {
      const own = differences.filter(({ provider }) => provider === name)
      expect(own.filter(({ kind: each }) => each === 'payment_missing')).toHaveLength(2)
      expect(new Set(own.map(({ kind: each }) => each)).has('rejected')).toBe(kind === 'rejected')
      expect(await fixture.metric(`reconciliations_total{provider="${name}",outcome="${outcome}"}`)).toBe(1)
    }
  })

  test('does not query a provider again after five calls in a row without a response', async () => {
    for (let i = 0; i < 8; i++) await fixture.order('crypto', `buyer${i}@example.org`)
    fixture.btcpay.faults.failAt(/invoices\/\w+$/, 502)
    const { failed } = await fixture.reconciliation.run()
    expect(failed).toEqual(['btcpay'])
    expect(fixture.btcpay.calls.filter(({ path }) => /invoices\/\w+$/.test(path))).toHaveLength(5)
  })

  test('runs a day after the last complete run, and retries an unreachable provider earlier', async () => {
    const runs = () => fixture.metric('reconciliations_total{provider="btcpay",outcome="done"}')
    const work = (): Promise<void> => fixture.reconciliation.work(new AbortController().signal)
    await work()
    expect(await runs()).toBe(0)
    fixture.time.now += DAY - 1
    await work()
    expect(await runs()).toBe(0)
    fixture.time.now += 1
    fixture.stripe.faults.fail(500)
    await work()
    expect(await runs()).toBe(1)
    fixture.stripe.faults.heal()
    await work()
    expect(await runs()).toBe(1)
    expect(await fixture.metric('reconciliations_total{provider="stripe",outcome="done"}')).toBe(1)
    fixture.time.now += DAY
    await work()
    expect(await runs()).toBe(2)
  })

  test('stops when the signal aborts, and does not count as complete', async () => {
    await fixture.buy('month', 'card@example.org')
    const { read } = await fixture.reconciliation.run(AbortSignal.abort())
    expect([read, await fixture.metric('reconciliations_total{provider="stripe",outcome="done"}')]).toEqual([0, 0])
  })

  test.each([
    [30 * DAY - HOUR, true],
    [30 * DAY, true],
    [30 * DAY + 1, false],
  ])('keeps an order that was never paid for 30 days (%d ms: %s)', async (age, kept) => {
    const unpaid = await fixture.order('crypto', 'never@example.org')
    const paid = await fixture.order('crypto', 'coins@example.org')
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(paid).id)
    await fixture.deliverEvents('btcpay')
    fixture.time.now += age
    await fixture.sweep.run()
    const exists = fixture.orders.view(unpaid).then(
      () => true,
      () => false,
    )
    expect([await exists, (await fixture.orders.view(paid)).state]).toEqual([kept, 'paid'])
  })
})
