import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
})
