import { afterEach, beforeEach, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'

let fixture: BillingFixture
beforeEach(async () => {
  fixture = await openBillingFixture()
})
afterEach(() => fixture.close())

/** Deletes the account as its confirmed owner. */
async function deleteAccount(email: string, browser?: string): Promise<void> {
  const subscription = { ...(await fixture.subscription(email))!, confirmed: true }
  await fixture.deleteAccount({ sessionId: 'session', subscription, active: true }, email, browser)
}
const isDeleted = async (email: string): Promise<boolean> => (await fixture.subscription(email)) === undefined
const reported = async () =>
  (await fixture.reconciliation.run()).differences.map(({ provider, kind }) => `${provider} ${kind}`)

/** Orders in a browser that has never paid. */
async function inOtherBrowser(plan: 'month' | 'crypto') {
  const email = newEmail()
  await fixture.buy('month', email)
  const order = await fixture.orders.check({ plan, years: 1, email, language: 'en' })
  const { id: orderId } = await fixture.orders.create(order, 'other browser')
  return { email, orderId }
}

test('cancels a debit that anyone ordered, and reports it if it arrives', async () => {
  const { email, orderId } = await inOtherBrowser('month')
  const { id: debited } = fixture.stripe.sessionOf(orderId)
  fixture.stripe.payLater(debited)
  await deleteAccount(email)
  expect(await isDeleted(email)).toBe(true)
  const subscription = fixture.stripe.subscriptionOf(orderId)
  expect([subscription.status, await reported()]).toEqual(['canceled', []])
  fixture.time.now += DAY
  fixture.stripe.arrive(debited, true)
  expect(new Set(await reported())).toEqual(new Set(['stripe order_unknown']))
  fixture.stripe.refund(subscription.latest_invoice as string)
  expect(await reported()).toEqual([])
})

test.each(['whole', 'part'] as const)(
  'is refused while crypto is pending that anyone ordered, for 21 days at most: %s',
  async (what) => {
    const { email, orderId } = await inOtherBrowser('crypto')
    const { id: invoice } = fixture.btcpay.invoiceOf(orderId)
    fixture.btcpay.receive(invoice, what === 'part' ? 1 : undefined)
    await expect(deleteAccount(email)).rejects.toThrow(new MayflyError('payment_pending'))
    if (what === 'part') fixture.btcpay.expire(invoice)
    else fixture.btcpay.invalidate(invoice)
    fixture.time.now += 22 * DAY
    await deleteAccount(email)
    expect(await isDeleted(email)).toBe(true)
  },
)

test('is refused while a debit is pending that was ordered in the browser that asks for the deletion', async () => {
  const { email, orderId } = await inOtherBrowser('month')
  fixture.stripe.payLater(fixture.stripe.sessionOf(orderId).id)
  await expect(deleteAccount(email, 'other browser')).rejects.toThrow(new MayflyError('payment_pending'))
  fixture.stripe.arrive(fixture.stripe.sessionOf(orderId).id, true)
  await deleteAccount(email, 'other browser')
  expect(fixture.stripe.subscriptionOf(orderId).status).toBe('canceled')
})
