import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { newSubscription } from './subscriber.ts'

let count = 0
const newEmail = (): string => `friend${++count}@example.org`

describe.each(ENGINES)('grants of the operator, on %s', (engine) => {
  let fixture: BillingFixture
  let before: number
  beforeAll(async () => {
    before = count
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => fixture.emails())
  afterAll(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!

  test('start now or at the end of the paid time', async () => {
    const email = newEmail()
    const first = await fixture.grants.grant(` ${email.toUpperCase()} `, 30 * DAY, 'fr')
    expect(first).toMatchObject({
      plan: 'month',
      language: 'fr',
      renews: false,
      paidUntil: fixture.time.now + 30 * DAY,
    })
    const second = await fixture.grants.grant(email, 365 * DAY, 'en')
    expect(second).toMatchObject({ id: first.id, language: 'fr', paidUntil: fixture.time.now + 395 * DAY })
    const { payments } = await found(email)
    expect(payments.map(({ provider, total, state }) => [provider, total.amount, state])).toEqual([
      ['operator', 0, 'paid'],
      ['operator', 0, 'paid'],
    ])
    expect(await fixture.emails()).toEqual([])
    await expect(fixture.grants.grant('ann@', DAY, 'en')).rejects.toMatchObject({ code: 'email_invalid' })
  })

  test.each(['mayfly.test', 'own.example'])(
    'are refused for an address at %s, unless it has an account',
    async (domain) => {
      const release = await fixture.own('own.example')
      const email = `ann${++count}@${domain}`
      await expect(fixture.grants.grant(email, DAY, 'en')).rejects.toMatchObject({ code: 'email_ours' })
      const emailKey = fixture.wrap.hash('email', email)
      const account = { emailKey, sealedEmail: fixture.wrap.wrap('email', email, emailKey), language: 'en' }
      await fixture.store.subscriptions.ensure(newSubscription(account, fixture.time.now))
      expect(await fixture.grants.grant(email, DAY, 'en')).toMatchObject({ paidUntil: fixture.time.now + DAY })
      await release()
    },
  )

  test('are marked as refunded when they are revoked, and payments stay', async () => {
    const email = newEmail()
    const { id } = await fixture.grants.grant(email, 30 * DAY, 'en')
    await fixture.grants.grant(email, 30 * DAY, 'en')
    await fixture.buy('month', email)
    const end = fixture.time.now + 28 * DAY
    expect((await found(email)).paidUntil).toBe(end + 60 * DAY)
    expect(await fixture.grants.revoke(id)).toBe(2)
    const after = await found(email)
    expect(after.paidUntil).toBe(end)
    expect(after.payments.map(({ state }) => state).toSorted()).toEqual(['paid', 'refunded', 'refunded'])
    expect(await fixture.grants.revoke(id)).toBe(0)
    await expect(fixture.grants.revoke('a'.repeat(22))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('endSandbox revokes only what the sandbox granted', async () => {
    const [sandboxOnly, mixed] = [newEmail(), newEmail()]
    const paid = { state: 'paid' as const, plan: 'month' as const }
    for (const email of [sandboxOnly, sandboxOnly, mixed]) {
      const id = await fixture.order('month', email)
      const { store } = fixture
      const order = (await store.orders.find(id))!
      await store.subscriptions.ensure(newSubscription(order, fixture.time.now))
      const { id: subscriptionId, revision } = await found(email)
      const source = { provider: 'sandbox' as const, ref: id, orderId: id, plan: paid.plan }
      await store.subscriptions.settle({
        subscriptionId,
        revision,
        event: null,
        source: { ...source, customer: null, renews: false, failingSince: null },
        payments: [{ ...source, ...paid, id, total: order.total, paidAt: fixture.time.now, pays: { span: 30 * DAY } }],
        order: { id, state: 'paid' },
        change: { paidUntil: fixture.time.now + 30 * DAY, plan: 'month' },
        emails: [],
      })
    }
    await fixture.grants.grant(mixed, 10 * DAY, 'en')
    expect(await fixture.grants.endSandbox()).toBe(3)
    expect((await found(sandboxOnly)).paidUntil).toBe(0)
    expect((await found(mixed)).paidUntil).toBe(fixture.time.now + 10 * DAY)
    expect((await found(sandboxOnly)).payments.map(({ state }) => state)).toEqual(['refunded', 'refunded'])
    expect(await fixture.grants.endSandbox()).toBe(0)
  })

  test('markRefunded marks a crypto payment, and rejects one that its provider reports', async () => {
    const email = newEmail()
    const orderId = await fixture.order('crypto', email)
    const { id: invoice } = fixture.btcpay.invoiceOf(orderId)
    fixture.btcpay.pay(invoice)
    await fixture.deliverEvents('btcpay')
    const { id } = await found(email)
    await fixture.grants.markRefunded(id, invoice)
    expect(await found(email)).toMatchObject({ paidUntil: 0, payments: [{ state: 'refunded' }] })
    expect((await fixture.orders.view(orderId)).state).toBe('refunded')
    const { invoice: card } = await fixture.buy('month', email)
    await expect(fixture.grants.markRefunded(id, card)).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(fixture.grants.markRefunded(id, 'other')).rejects.toMatchObject({ code: 'not_found' })
    expect((await found(email)).paidUntil).toBeGreaterThan(fixture.time.now)
  })

  test('add up when many are made at the same time', async () => {
    const email = newEmail()
    await Promise.all(Array.from({ length: 20 }, () => fixture.grants.grant(email, DAY, 'en')))
    const { payments, paidUntil } = await found(email)
    expect([payments.length, paidUntil]).toEqual([20, fixture.time.now + 20 * DAY])
  })

  test('appear in the list and are found by id and by email address', async () => {
    const email = newEmail()
    const { id } = await fixture.grants.grant(email, DAY, 'en')
    const details = await fixture.subscriptions.find(email.toUpperCase())
    expect(details).toMatchObject({ id, email, state: 'ending', sources: { length: 1 }, payments: { length: 1 } })
    expect(await fixture.subscriptions.find(id)).toEqual(details)
    expect(await fixture.subscriptions.find('nobody@example.org')).toBeUndefined()
    expect(await fixture.subscriptions.find('nothing')).toBeUndefined()
    for (let i = 0; i < 105; i++) await fixture.grants.grant(newEmail(), DAY, 'en')
    const listed = new Set<string>()
    for await (const each of fixture.subscriptions.list()) listed.add(each.email)
    expect(listed.size).toBe(count - before)
  })
})
