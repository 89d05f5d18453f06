import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '#core/billing/plan.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { createOrders, type OrderForm, type Prices, totalOf } from './orders.ts'

const PRICES: Prices = {
  currency: 'EUR',
  month: 900,
  year: 8600,
  cryptoYear: 8601,
  cryptoYearsMax: 3,
  addedTaxBasisPoints: 0,
}
const FORM: OrderForm = { plan: 'month', years: undefined, email: 'Ann@Example.COM', language: 'de' }

let fixture: BillingFixture
beforeAll(async () => {
  fixture = await openBillingFixture('SQLite', {
    MAYFLY_FORWARD_DOMAIN: 'forward.example.net',
    MAYFLY_SMTP_HOSTNAME: 'MX.example.org',
  })
})
afterAll(() => fixture.close())

test.each<[Plan, number, number, number]>([
  ['month', 1, 0, 900],
  ['year', 1, 0, 8600],
  ['crypto', 1, 0, 8601],
  ['crypto', 3, 0, 25_803],
  ['month', 1, 1900, 1071],
  ['year', 1, 1900, 10_234],
  // 8.1 % of 86.01 is 6.96681, rounded to the next cent.
  ['crypto', 1, 810, 9298],
  ['crypto', 3, 810, 27_893],
  // Half a cent is rounded up.
  ['month', 1, 50, 905],
])('totals %s for %d years with %d basis points of tax: %d', (plan, years, addedTaxBasisPoints, amount) =>
  expect(totalOf({ plan, years }, {}, { ...PRICES, addedTaxBasisPoints })).toEqual({ amount, currency: 'EUR' }),
)

test.each([
  // 24 % of 3490 is 837.6, rounded to what can be charged: a whole krona.
  ['ISK', 349_000, 432_800],
  ['KWD', 2610, 3240],
  ['JPY', 1399, 1735],
])('rounds the total with tax to what can be charged in %s', (currency, month, amount) =>
  expect(totalOf({ plan: 'month', years: 1 }, {}, { ...PRICES, currency, month, addedTaxBasisPoints: 2400 })).toEqual({
    amount,
    currency,
  }),
)

test('adds no tax for a provider that adds it', () =>
  expect(totalOf({ plan: 'year', years: 1 }, { addsTax: true }, { ...PRICES, addedTaxBasisPoints: 1900 }).amount).toBe(
    8600,
  ))

const codeOf = async (
  form: Partial<OrderForm>,
  orders = fixture.orders,
  buyer?: Parameters<typeof orders.check>[1],
): Promise<string> => {
  try {
    await orders.check({ ...FORM, ...form }, buyer)
    return 'fine'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test.each<[Partial<OrderForm>, string]>([
  [{}, 'fine'],
  [{ plan: 'year' }, 'fine'],
  [{ plan: 'week' }, 'plan_invalid'],
  [{ plan: undefined }, 'plan_invalid'],
  // The form sends the number of years with every plan.
  [{ plan: 'year', years: 99 }, 'fine'],
  [{ plan: 'crypto' }, 'fine'],
  [{ plan: 'crypto', years: 0 }, 'plan_invalid'],
  [{ plan: 'crypto', years: 1 }, 'fine'],
  [{ plan: 'crypto', years: 1.5 }, 'plan_invalid'],
  [{ plan: 'crypto', years: Number.NaN }, 'plan_invalid'],
  [{ plan: 'crypto', years: 3 }, 'fine'],
  [{ plan: 'crypto', years: 4 }, 'plan_invalid'],
  [{ email: '' }, 'email_invalid'],
  [{ email: 'ann' }, 'email_invalid'],
  [{ email: 'ann@localhost' }, 'email_invalid'],
  // The next holder of a name of this service would get the account.
  [{ email: 'ann@mayfly.test' }, 'email_ours'],
  [{ email: ' Ann@VIP.Mayfly.TEST ', plan: 'crypto' }, 'email_ours'],
  [{ email: 'ann@forward.example.net' }, 'email_ours'],
  [{ email: 'ann@sub.mx.example.org', plan: 'year' }, 'email_ours'],
  [{ email: 'ann@notmayfly.test' }, 'fine'],
  [{ email: 'ann@example.net' }, 'fine'],
])('checks the form %j: %s', async (form, code) => expect(await codeOf(form)).toBe(code))

test('rejects a plan that no provider sells', async () => {
  const { store, wrap, metrics } = fixture
  const page = (): string => 'https://mayfly.example'
  const deps = {
    orders: store.orders,
    wrap,
    clock: Date.now,
    metrics,
    prices: PRICES,
    rules: { grace: 0, notice: 0 },
    isOurs: async () => false,
    orderUrl: page,
    premiumUrl: page,
  }
  expect(await codeOf({}, createOrders({ ...deps, providers: [] }))).toBe('plan_invalid')
})

test('stores the email address of an order encrypted, and the reference of its checkout', async () => {
  const checked = await fixture.orders.check({ ...FORM, plan: 'crypto', years: 2 })
  const { id, url } = await fixture.orders.create(checked, 'cookie of the browser')
  const invoice = fixture.btcpay.invoiceOf(id)
  expect(url).toContain(invoice.id)
  expect(invoice).toMatchObject({ amount: '172.00', currency: 'USD', metadata: { orderId: id } })
  expect(invoice.checkout.redirectURL).toBe(`https://mayfly.example/de/checkout?order=${id}`)
  const order = (await fixture.store.orders.find(id))!
  expect(order).toMatchObject({ provider: 'btcpay', providerRef: invoice.id, state: 'open', years: 2, language: 'de' })
  // Shorter words could occur in random ids.
  expect(JSON.stringify(order).toLowerCase()).not.toMatch(/ann@|example|cookie/)
  expect(fixture.wrap.unwrap('email', order.sealedEmail, order.emailKey)).toBe('Ann@example.com')
  expect(order.emailKey).toBe((await fixture.orders.check({ ...FORM, email: ' aNN@exAMPLE.com ' })).emailKey)
  expect(await fixture.orders.view(id)).toEqual({
    id,
    plan: 'crypto',
    years: 2,
    total: { amount: 17_200, currency: 'USD' },
    state: 'open',
    sandbox: false,
    forAccount: false,
  })
  await expect(fixture.orders.view('nothing')).rejects.toMatchObject({ code: 'order_not_found' })
})

test('rejects an order with payment_unavailable if the provider is unreachable', async () => {
  fixture.btcpay.faults.fail(500)
  const create = fixture.orders.create(await fixture.orders.check({ ...FORM, plan: 'crypto' }), 'browser')
  await expect(create).rejects.toMatchObject({ code: 'payment_unavailable' })
  fixture.btcpay.faults.heal()
})

test.each(['mayfly.test', 'own.example'])('sells more to the holder of an account at %s', async (domain) => {
  await fixture.own('own.example')
  const email = `ann@${domain}`
  const buyer = { emailKey: fixture.wrap.hash('email', email), renews: false, failingSince: null, paidUntil: 0 }
  expect(await codeOf({ email: `Ann@${domain}` }, fixture.orders, buyer)).toBe('fine')
  expect(await codeOf({ email: `bob@${domain}` }, fixture.orders, buyer)).toBe('email_ours')
})

test('sells nothing for an address at the own domain of a subscriber, while this service receives its email', async () => {
  const codes = (domain: string) =>
    Promise.all([codeOf({ email: `Ann@${domain}` }), codeOf({ email: `ann@sub.${domain}` })])
  expect(await codes('OWN1.example')).toEqual(['fine', 'fine'])
  const release = await fixture.own('own1.example')
  expect(await codes('OWN1.example')).toEqual(['email_ours', 'fine'])
  await fixture.own('xn--mnchen-3ya.example')
  expect(await codes('münchen.example')).toEqual(['email_ours', 'fine'])
  await release()
  expect(await codes('OWN1.example')).toEqual(['fine', 'fine'])
})

test('sells no second subscription that renews to a signed-in subscriber', async () => {
  const { id } = await fixture.buy('month', FORM.email)
  const code = async (form: Partial<OrderForm> = {}) =>
    codeOf(form, fixture.orders, await fixture.subscription(FORM.email))
  expect(await code()).toBe('already_renews')
  expect(await code({ plan: 'year' })).toBe('already_renews')
  expect(await code({ plan: 'crypto', years: 1 })).toBe('fine')
  expect(await code({ email: 'bob@example.com' })).toBe('fine')
  fixture.stripe.failRenewal(id)
  await fixture.deliverEvents('stripe')
  expect(await code()).toBe('fine')
  fixture.stripe.cancelAtPeriodEnd(id)
  await fixture.deliverEvents('stripe')
  expect(await code()).toBe('fine')
})

test('sells another one after the benefits have ended, although the first would charge again', async () => {
  const email = newEmail()
  const { id, invoice } = await fixture.buy('year', email)
  const code = async () => codeOf({ email }, fixture.orders, await fixture.subscription(email))
  expect(await code()).toBe('already_renews')
  fixture.stripe.refund(invoice)
  await fixture.deliverEvents('stripe')
  expect(await fixture.subscription(email)).toMatchObject({ renews: true, paidUntil: 0 })
  expect(await code()).toBe('fine')
  fixture.stripe.refundFails(invoice)
  await fixture.deliverEvents('stripe')
  expect(await code()).toBe('already_renews')
  const { paidUntil } = (await fixture.subscription(email))!
  fixture.time.now = paidUntil + 7 * DAY - 1
  expect(await code()).toBe('already_renews')
  fixture.time.now++
  expect(await code()).toBe('fine')
  fixture.stripe.renew(id)
  await fixture.deliverEvents('stripe')
  expect(await code()).toBe('already_renews')
})
