import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { createOneCard } from './one-card.ts'

let fixture: BillingFixture
beforeAll(async () => {
  fixture = await openBillingFixture()
})
afterEach(() => fixture.emails())
afterAll(() => fixture.close())

const found = async (email: string) => (await fixture.subscription(email))!
const stateOf = async (orderId: string) => (await fixture.orders.view(orderId)).state
const confirm = async (email: string): Promise<void> => {
  fixture.signIn.ask({ email, language: 'en', browser: 'browser of the owner' })
  await fixture.signIn.settled()
  const link = (await fixture.emails()).find(({ kind }) => kind === 'sign-in')
  const token = new URL(link?.kind === 'sign-in' ? link.url : '').searchParams.get('link')!
  await fixture.signIn.open({ token, browser: 'browser of the owner', userAgent: '' })
}

/** Places an order in a browser, with or without a session. */
const place = async (email: string, plan: 'month' | 'year' | 'crypto', browser: string, session?: string) =>
  (await fixture.orders.create(await fixture.orders.check({ plan, years: 1, email, language: 'en' }), browser, session))
    .id
async function pay(orderId: string): Promise<void> {
  fixture.stripe.pay(fixture.stripe.sessionOf(orderId).id)
  await fixture.deliverEvents('stripe')
}

/** Pays for a month with a card, and lets something happen to the payment a day before. Returns email address and order. */
async function uselessMonth(happen: (invoice: string) => unknown): Promise<{ email: string; month: string }> {
  const email = newEmail()
  const month = await place(email, 'month', 'browser')
  const invoice = fixture.stripe.pay(fixture.stripe.sessionOf(month).id)
  await fixture.deliverEvents('stripe')
  happen(invoice.id)
  await fixture.deliverEvents('stripe')
  fixture.time.now += DAY
  return { email, month }
}
const renewing = async (email: string): Promise<string[]> =>
  (await fixture.store.subscriptions.sources((await found(email)).id))
    .filter(({ renews }) => renews)
    .map(({ orderId }) => orderId)

/** Buys a month in a browser of its own, whose renewal then fails. */
async function failing(email: string): Promise<{ id: string; orderId: string }> {
  const orderId = await place(email, 'month', 'first browser')
  await pay(orderId)
  const { id } = fixture.stripe.subscriptionOf(orderId)
  fixture.time.now = (await found(email)).paidUntil
  fixture.stripe.failRenewal(id)
  await fixture.deliverEvents('stripe')
  fixture.time.now += DAY
  return { id, orderId }
}
const statusOf = (id: string) => fixture.stripe.books.subscriptions.get(id)!.status

test('a card that a signed-in subscriber pays with replaces the one that fails', async () => {
  const email = newEmail()
  const { id } = await failing(email)
  await confirm(email)
  const orderId = await place(email, 'year', 'second browser', 'session')
  await pay(orderId)
  expect(statusOf(id)).toBe('canceled')
  expect(await renewing(email)).toEqual([orderId])
  expect(await found(email)).toMatchObject({ renews: true, failingSince: null, plan: 'year' })
})

test('so does one of the same browser', async () => {
  const email = newEmail()
  const { id } = await failing(email)
  const orderId = await place(email, 'month', 'first browser')
  await pay(orderId)
  expect([statusOf(id), await renewing(email)]).toEqual(['canceled', [orderId]])
})

test.each([
  ['nobody who is signed in', undefined],
  ['a browser whose email address is not confirmed', 'session'],
])('a card of %s replaces none', async (_who, session) => {
  const email = newEmail()
  const { id, orderId: first } = await failing(email)
  const orderId = await place(email, 'month', 'second browser', session)
  await pay(orderId)
  expect(statusOf(id)).toBe('past_due')
  expect((await renewing(email)).toSorted()).toEqual([first, orderId].toSorted())
})

test('a card is replaced at the next call if Stripe cannot be reached', async () => {
  const email = newEmail()
  const { id } = await failing(email)
  const orderId = await place(email, 'month', 'first browser')
  const [order, subscription] = [(await fixture.store.orders.find(orderId))!, await found(email)]
  const [source] = await fixture.store.subscriptions.sources(subscription.id)
  const paid = { ...source!, ref: 'subscription:new', orderId, failingSince: null }
  const cancel = vi.fn(async () => Promise.reject(new MayflyError('payment_unavailable')))
  const settle = vi.fn(async () => undefined)
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const providers = [{ name: 'stripe', cancel } as unknown as PaymentProvider]
  const { orders, subscriptions } = fixture.store
  const keepOnly = createOneCard({ orders, subscriptions, providers, settle, logger })
  await keepOnly(order, paid, subscription)
  expect([logger.error.mock.calls.length, settle.mock.calls]).toEqual([1, []])
  cancel.mockResolvedValue(undefined as never)
  await keepOnly(order, paid, subscription)
  expect(cancel.mock.calls).toEqual([[`subscription:${id}`], [`subscription:${id}`]])
  expect(settle.mock.calls).toEqual([['stripe', `subscription:${id}`, null]])
  // A card that fails itself replaces none.
  await keepOnly(order, { ...paid, failingSince: fixture.time.now }, subscription)
  expect(cancel).toHaveBeenCalledTimes(2)
})

test('of two checkouts of a browser, one is closed when the other is paid', async () => {
  const email = newEmail()
  const [month, year, crypto, elsewhere] = await Promise.all([
    place(email, 'month', 'first browser'),
    place(email, 'year', 'first browser'),
    place(email, 'crypto', 'first browser'),
    place(email, 'month', 'second browser'),
  ])
  await pay(month)
  expect(fixture.stripe.sessionOf(year).status).toBe('expired')
  // What does not renew stays open, and so does what a stranger may have ordered.
  expect(await Promise.all([month, year, crypto, elsewhere].map(stateOf))).toEqual(['paid', 'expired', 'open', 'open'])
})

test('a checkout of a signed-in subscriber is closed when another one is paid, or the card that failed', async () => {
  const email = newEmail()
  const { id } = await failing(email)
  await confirm(email)
  const instead = await place(email, 'month', 'second browser', 'session')
  fixture.stripe.payOpen(id)
  await fixture.deliverEvents('stripe')
  expect(await stateOf(instead)).toBe('expired')
  fixture.stripe.cancelAtPeriodEnd(id)
  await fixture.deliverEvents('stripe')
  const [month, year] = [
    await place(email, 'month', 'second browser', 'session'),
    await place(email, 'year', 'third browser', 'other session'),
  ]
  await pay(year)
  expect([await stateOf(month), await renewing(email)]).toEqual(['expired', [year]])
})

test.each([
  ['the same browser', 'first browser', undefined, 'canceled'],
  ['a signed-in subscriber', 'second browser', 'session', 'canceled'],
  ['somebody else', 'second browser', undefined, 'active'],
])('a card of %s may end the renewal of a debit that is on its way', async (_who, browser, session, status) => {
  const email = newEmail()
  if (session !== undefined) {
    const { id } = await fixture.buy('month', email)
    await confirm(email)
    fixture.stripe.end(id)
    await fixture.deliverEvents('stripe')
  }
  const debit = await place(email, 'month', 'first browser')
  const debited = fixture.stripe.sessionOf(debit).id
  fixture.stripe.payLater(debited)
  await fixture.deliverEvents('stripe')
  const year = await place(email, 'year', browser, session)
  await pay(year)
  const { id } = fixture.stripe.subscriptionOf(debit)
  expect([statusOf(id), await stateOf(debit)]).toEqual([status, 'pending'])
  expect(await renewing(email)).toEqual([year])
  // The debit can't be stopped. It pays for its period.
  const before = (await found(email)).paidUntil
  fixture.stripe.arrive(debited, true)
  await fixture.deliverEvents('stripe')
  expect((await found(email)).paidUntil).toBeGreaterThan(before + 27 * DAY)
  expect(await stateOf(debit)).toBe('paid')
  expect(await renewing(email)).toHaveLength(status === 'active' ? 2 : 1)
})

test('a card ends a subscription of the same browser that was paid in another way than ordered', async () => {
  const email = newEmail()
  const month = await place(email, 'month', 'browser')
  const invoice = fixture.stripe.pay(fixture.stripe.sessionOf(month).id)
  invoice.lines.data[0]!.amount = 100
  await fixture.deliverEvents('stripe')
  expect(await stateOf(month)).toBe('mismatch')
  await pay(await place(email, 'year', 'browser'))
  expect([statusOf(fixture.stripe.subscriptionOf(month).id), await stateOf(month)]).toEqual(['canceled', 'mismatch'])
})

test.each([
  ['was refunded', (invoice: string) => fixture.stripe.refund(invoice)],
  ['was disputed', (invoice: string) => fixture.stripe.dispute(invoice)],
  ['is overdue', () => (fixture.time.now += 40 * DAY)],
])('a card replaces one whose payment %s and that would charge again', async (_what, happen) => {
  const { email, month } = await uselessMonth(happen)
  // Both of somebody else remain.
  const other = await place(email, 'month', 'other browser')
  await pay(other)
  expect((await renewing(email)).toSorted()).toEqual([month, other].toSorted())
  const year = await place(email, 'year', 'browser')
  await pay(year)
  expect((await renewing(email)).toSorted()).toEqual([other, year].toSorted())
  expect(statusOf(fixture.stripe.subscriptionOf(month).id)).toBe('canceled')
})

test.each([
  ['was refunded', (invoice: string) => fixture.stripe.refund(invoice)],
  ['is overdue', () => (fixture.time.now += 40 * DAY)],
])('a card whose payment %s ends nothing that was ordered since then', async (_what, happen) => {
  const { email, month } = await uselessMonth(happen)
  const readMonth = async () =>
    fixture.billing.settle('stripe', `subscription:${fixture.stripe.subscriptionOf(month).id}`, null)
  const year = await place(email, 'year', 'browser')
  await readMonth()
  expect(await stateOf(year)).toBe('open')
  const { id: debited } = fixture.stripe.sessionOf(year)
  fixture.stripe.payLater(debited)
  await fixture.deliverEvents('stripe')
  await readMonth()
  const { id } = fixture.stripe.subscriptionOf(year)
  expect([statusOf(id), await stateOf(year)]).toEqual(['active', 'pending'])
  fixture.stripe.arrive(debited, true)
  await fixture.deliverEvents('stripe')
  expect(await renewing(email)).toEqual([year])
})

test('a card that a stranger pays with ends no debit of a signed-in subscriber', async () => {
  const email = newEmail()
  const { id: first } = await fixture.buy('month', email)
  await confirm(email)
  fixture.stripe.end(first)
  await fixture.deliverEvents('stripe')
  const stranger = await place(email, 'month', 'browser of a stranger')
  const year = await place(email, 'year', 'browser', 'session')
  fixture.stripe.payLater(fixture.stripe.sessionOf(year).id)
  await fixture.deliverEvents('stripe')
  await pay(stranger)
  expect(statusOf(fixture.stripe.subscriptionOf(year).id)).toBe('active')
})

test('a first debit that fails is not repeated, because the buyer reads that nothing was charged', async () => {
  const debit = await place(newEmail(), 'month', 'browser')
  const { id: debited } = fixture.stripe.sessionOf(debit)
  fixture.stripe.payLater(debited)
  await fixture.deliverEvents('stripe')
  fixture.stripe.arrive(debited, false)
  // Stripe repeats the event if the subscription could not be ended.
  const [failed] = fixture.newEvents('stripe').slice(-1)
  fixture.toStripe.hold(/subscriptions\/\w+$/, async () => {
    fixture.stripe.faults.fail(500, 9)
  })
  await expect(fixture.deliverEvent('stripe', failed!)).rejects.toMatchObject({ code: 'payment_unavailable' })
  fixture.stripe.faults.heal()
  await fixture.deliverEvent('stripe', failed!)
  const { id } = fixture.stripe.subscriptionOf(debit)
  expect([statusOf(id), await stateOf(debit)]).toEqual(['canceled', 'declined'])
  expect(() => fixture.stripe.payOpen(id)).toThrow('no longer collected')
})

test('a subscription that ended ends no other one of its order', async () => {
  const orderId = await place(newEmail(), 'month', 'browser')
  await pay(orderId)
  const paid = fixture.stripe.subscriptionOf(orderId)
  const id = 'sub_made_by_hand'
  fixture.stripe.books.subscriptions.set(id, { ...structuredClone(paid), id, status: 'canceled', ended_at: 1 })
  await fixture.billing.settle('stripe', `subscription:${id}`, null)
  expect([statusOf(paid.id), await stateOf(orderId)]).toEqual(['active', 'paid'])
})

test('a checkout that was paid in the meantime counts', async () => {
  const email = newEmail()
  const [month, year] = [await place(email, 'month', 'browser'), await place(email, 'year', 'browser')]
  for (const id of [month, year]) fixture.stripe.pay(fixture.stripe.sessionOf(id).id)
  await fixture.deliverEvents('stripe')
  expect([await stateOf(month), await stateOf(year)]).toEqual(['paid', 'paid'])
  expect((await found(email)).payments).toHaveLength(2)
})
