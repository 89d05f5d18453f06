import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endsAt, lapsesAt } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { stateOf } from './subscription-state.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

let fixture: BillingFixture
beforeAll(async () => {
  fixture = await openBillingFixture()
})
afterEach(() => fixture.emails())
afterAll(() => fixture.close())

const found = async (email: string) => (await fixture.subscription(email))!
/** Returns the waiting emails to an address, and takes all that wait. */
const emailsTo = async (email: string) => (await fixture.emails()).filter(({ to }) => to === email)

test.each(['canceled', 'unpaid'] as const)(
  'keeps the benefits as long as the email says if Stripe gives a renewal up: %s',
  async (status) => {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    const { paidUntil: end } = await found(email)
    fixture.time.now = end
    fixture.stripe.failRenewal(id)
    await fixture.deliverEvents('stripe')
    await fixture.emails()
    const failing = await found(email)
    fixture.time.now = end + 2 * DAY
    fixture.stripe.end(id, status, 'payment_failed')
    await fixture.deliverEvents('stripe')
    const given = await found(email)
    expect(given).toMatchObject({ renews: false, paidUntil: end, noticeAt: end })
    expect(stateOf(given, RULES, fixture.time.now)).toBe('ending')
    expect([endsAt(given, RULES), lapsesAt(given, RULES)]).toEqual([end + 7 * DAY, end + 14 * DAY])
    expect(lapsesAt(given, RULES)).toBe(lapsesAt(failing, RULES))
    expect(await fixture.emails()).toEqual([])

    // What is bought instead does not renew. Its end has no grace time.
    const orderId = await fixture.order('crypto', email)
    fixture.btcpay.pay(fixture.btcpay.invoiceOf(orderId).id)
    await fixture.deliverEvents('btcpay')
    const bought = await found(email)
    expect(bought).toMatchObject({ renews: false, failingSince: null, noticeAt: null })
    expect(endsAt(bought, RULES)).toBe(bought.paidUntil)
  },
)

test('tells when the benefits end if the failure of a renewal becomes known after Stripe has given it up', async () => {
  const email = newEmail()
  const { id } = await fixture.buy('month', email)
  const { paidUntil: end } = await found(email)
  await fixture.emails()
  fixture.time.now = end
  fixture.stripe.failRenewal(id)
  fixture.stripe.end(id, 'canceled', 'payment_failed')
  await fixture.deliverEvents('stripe')
  await fixture.endings.run()
  expect(await emailsTo(email)).toMatchObject([{ kind: 'notice', endsAt: end + 7 * DAY, lapsesAt: end + 14 * DAY }])
})

test('has no grace time if the subscriber cancels a renewal that fails', async () => {
  const email = newEmail()
  const { id } = await fixture.buy('month', email)
  const { paidUntil: end } = await found(email)
  fixture.time.now = end
  fixture.stripe.failRenewal(id)
  fixture.stripe.end(id)
  await fixture.deliverEvents('stripe')
  expect(endsAt(await found(email), RULES)).toBe(end)
})

test('sends no receipt for a renewal that charged nothing', async () => {
  const email = newEmail()
  const { id } = await fixture.buy('year', email)
  await fixture.emails()
  const invoice = fixture.stripe.renew(id)
  invoice.total = -6993
  await fixture.deliverEvents('stripe')
  expect(await emailsTo(email)).toEqual([])
  expect((await found(email)).payments).toMatchObject([{}, { total: { amount: 0, currency: 'USD' } }])
  fixture.stripe.renew(id)
  await fixture.deliverEvents('stripe')
  expect(await emailsTo(email)).toMatchObject([{ kind: 'renewal', total: { amount: 8600 } }])
})

test.each(['dispute', 'refund'] as const)(
  'sends a new notice after a %s if an earlier one announced a later end',
  async (what) => {
    const email = newEmail()
    const { id, invoice } = await fixture.buy('month', email)
    fixture.stripe.cancelAtPeriodEnd(id)
    await fixture.deliverEvents('stripe')
    const { paidUntil: end } = await found(email)
    fixture.time.now = end - 14 * DAY
    await fixture.endings.run()
    await fixture.emails()
    fixture.time.now = end - DAY
    fixture.stripe[what](invoice)
    await fixture.deliverEvents('stripe')
    await fixture.endings.run()
    expect(await emailsTo(email)).toMatchObject([{ kind: 'notice', endsAt: null, lapsesAt: end + 13 * DAY }])
    // Another look at the same state announces nothing new.
    await fixture.billing.settle('stripe', `subscription:${id}`, null)
    await fixture.endings.run()
    fixture.time.now = end + 13 * DAY - 1
    await fixture.endings.run()
    expect([(await found(email)).lapsed, await emailsTo(email)]).toEqual([false, []])
    fixture.time.now++
    await fixture.endings.run()
    expect((await found(email)).lapsed).toBe(true)
  },
)

test('sends a new notice if the end comes nearer than an earlier notice said', async () => {
  const email = newEmail()
  const { id } = await fixture.buy('month', email)
  fixture.stripe.cancelAtPeriodEnd(id)
  await fixture.deliverEvents('stripe')
  const { id: own, paidUntil: end } = await found(email)
  await fixture.grants.grant(email, 3 * DAY, 'en')
  fixture.time.now = end - 11 * DAY
  await fixture.endings.run()
  expect(await fixture.emails()).toContainEqual(expect.objectContaining({ kind: 'notice', endsAt: end + 3 * DAY }))
  await fixture.grants.revoke(own)
  await fixture.endings.run()
  expect(await emailsTo(email)).toMatchObject([{ kind: 'notice', endsAt: end, lapsesAt: end + 3 * DAY }])
})
