import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MayflyError } from '#core/errors.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('payment events whose subject the provider rejects, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => {
    fixture.stripe.faults.heal()
    fixture.btcpay.faults.heal()
  })
  afterAll(() => fixture.close())

  const DROPPED = 'payment event dropped: the provider rejects its subject'

  /** Delivers the new events of a provider. Returns the different results of those that matter. */
  async function deliver(provider: 'stripe' | 'btcpay'): Promise<string[]> {
    const results = new Set<string>()
    for (const event of fixture.newEvents(provider))
      results.add(await fixture.deliverEvent(provider, event).catch(({ code }: MayflyError) => code))
    results.delete('ignored')
    return [...results]
  }

  test.each([
    [400, 'rejected', 'rejected'],
    [410, 'rejected', 'rejected'],
    [422, 'rejected', 'rejected'],
    // Stripe does not know the subject; BTCPay does not know the store, which the operator can correct.
    [404, 'unknown', 'payment_unavailable'],
    // All calls fail like this, or only this one does.
    [401, 'payment_unavailable', 'payment_unavailable'],
    [403, 'payment_unavailable', 'payment_unavailable'],
    [500, 'payment_unavailable', 'payment_unavailable'],
  ])('with %i end as %s at Stripe, %s at BTCPay', async (status, card, coins) => {
    const email = newEmail()
    const orderId = await fixture.order('month', email)
    fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
    const invoice = fixture.btcpay.invoiceOf(await fixture.order('crypto', email)).id
    fixture.btcpay.pay(invoice)
    fixture.stripe.faults.failAt(fixture.stripe.subscriptionOf(orderId).id, status)
    fixture.btcpay.faults.failAt(`${invoice}/payment-methods`, status)
    const warn = vi.spyOn(fixture.logger, 'warn').mockClear()
    const metricOf = (provider: string) =>
      fixture.metric(`payment_events_total{provider="${provider}",result="rejected"}`)
    for (const [provider, result] of [
      ['stripe', card],
      ['btcpay', coins],
    ] as const) {
      const before = await metricOf(provider)
      expect(await deliver(provider), provider).toEqual([result])
      const logged = warn.mock.calls.flatMap(([fields, message]) => (message === DROPPED ? [fields] : []))
      expect(logged.length > 0).toBe(result === 'rejected')
      for (const fields of logged) expect(fields).toEqual({ provider, ref: expect.any(String) })
      expect((await metricOf(provider)) - before).toBe(logged.length)
      warn.mockClear()
    }
    expect(await fixture.subscription(email)).toBeUndefined()
    fixture.stripe.faults.heal()
    fixture.btcpay.faults.heal()
    await fixture.reconciliation.run()
    expect((await fixture.subscription(email))?.payments).toHaveLength(2)
  })
})
