import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Order } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import type { Payment, Subscription, SubscriptionChange } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import { HOUR, DAY } from '#core/time.ts'
import { newOrder } from '#integrations/testing.ts'
import { type AccountFixture, openAccountFixture, SITE } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const EMAIL = 'ann@example.com'
const portal = vi.fn<NonNullable<PaymentProvider['portal']>>(async (customer) => `https://pay.example/${customer}`)
const cancel = vi.fn<NonNullable<PaymentProvider['cancel']>>(async () => {})
const expire = vi.fn<NonNullable<PaymentProvider['expire']>>(async () => {})
const checkout = { plans: [], checkout: async () => ({ ref: '', url: '' }), verify: () => undefined }
const unused = { ...checkout, read: async () => undefined, async *subjectsSince() {} }
const providers: PaymentProvider[] = [
  { name: 'stripe', ...unused, portal, cancel },
  { name: 'btcpay', ...unused, expire },
]

const payment = (id: string, fields: Partial<Payment> = {}): Payment => ({
  provider: 'stripe',
  id,
  ref: 'sub_1',
  plan: 'year',
  total: { amount: 8600, currency: 'USD' },
  state: 'paid',
  paidAt: 1,
  pays: { span: 365 * DAY },
  ...fields,
})

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountFixture
  beforeEach(async () => {
    portal.mockClear()
    cancel.mockReset()
    expire.mockReset()
    cases = await openAccountFixture({ engine, providers })
  })
  afterEach(() => cases.close())

  test('returns everything that the account page shows', async () => {
    const { now } = cases.time
    const subscription = await cases.subscribe(EMAIL, { renews: true })
    await cases.paid(subscription, {}, [payment('in_1', { paidAt: now - 5 }), payment('in_2', { paidAt: now })])
    await cases.deliver([await cases.keep(subscription, 'kept.one')])
    await cases.signedIn(EMAIL)
    cases.time.now += HOUR
    const view = await cases.account.view(await cases.signedIn(EMAIL))
    expect(view).toMatchObject({
      email: EMAIL,
      state: 'active',
      plan: 'year',
      paidUntil: now + 365 * DAY,
      renews: true,
      renewsAt: null,
      lapsesAt: null,
      portal: true,
      storage: { limitBytes: 1_000_000 },
      limits: { addresses: 10, domains: 3 },
    })
    expect(view.storage.usedBytes).toBeGreaterThan(10)
    expect(view.payments.map(({ id }) => id)).toEqual(['in_2', 'in_1'])
    expect(view.sessions.map(({ current, seenAt }) => [current, seenAt])).toEqual([
      [true, now + HOUR],
      [false, now],
    ])
  })

  test.each<[string, SubscriptionChange, number, number | null]>([
    ['active', { renews: true }, 37, null],
    ['ending', {}, 30, 30],
    ['failing', { renews: true, failingSince: 1 }, 37, 37],
    ['failing', { renews: true, failingSince: 1, paidUntil: -1 }, 6, 14],
    ['ended', { renews: true, paidUntil: -8 }, -1, 14],
    ['ended', { paidUntil: 0 }, 0, 14],
    ['ended', { paidUntil: -10, noticeAt: -12 }, -10, 2],
    ['lapsed', { paidUntil: -20, noticeAt: -34, lapsed: true }, -20, null],
  ])('reports the state %s for %j', async (state, { paidUntil = 30, noticeAt, ...change }, endsIn, lapsesIn) => {
    const at = (days: number): number => cases.time.now + days * DAY
    await cases.subscribe(EMAIL, {
      ...change,
      paidUntil: at(paidUntil),
      ...(typeof noticeAt === 'number' ? { noticeAt: at(noticeAt) } : {}),
    })
    const view = await cases.account.view(await cases.signedIn(EMAIL))
    expect(view).toMatchObject({ state, endsAt: at(endsIn), lapsesAt: lapsesIn === null ? null : at(lapsesIn) })
  })

  test('reports when the card is charged next, although the paid time is longer', async () => {
    const subscription = await cases.subscribe(EMAIL, { renews: true })
    const period = (id: string, ref: string, day: number) => payment(id, { ref, pays: { until: day * DAY } })
    await cases.paid(subscription, { ref: 'sub_old', renews: false }, [period('in_1', 'sub_old', 10)])
    await cases.paid(subscription, {}, [period('in_2', 'sub_1', 20), period('in_3', 'sub_1', 50)])
    expect((await cases.account.view(await cases.signedIn(EMAIL))).renewsAt).toBe(50 * DAY)
  })

  test('reports when the card is charged next after a year was changed to months', async () => {
    const subscription = await cases.subscribe(EMAIL, { renews: true })
    const period = (id: string, paidOn: number, until: number) =>
      payment(id, { paidAt: paidOn * DAY, pays: { until: until * DAY } })
    await cases.paid(subscription, {}, [period('in_9', 0, 365), period('in_2', 31, 60), period('in_1', 60, 90)])
    expect((await cases.account.view(await cases.signedIn(EMAIL))).renewsAt).toBe(90 * DAY)
  })

  test('ends only sessions of the same account', async () => {
    await cases.subscribe(EMAIL)
    await cases.subscribe('bob@example.com')
    const [ann, second, bob] = [
      await cases.signedIn(EMAIL),
      await cases.signedIn(EMAIL),
      await cases.signedIn('bob@example.com'),
    ]
    const missing = new MayflyError('session_not_found')
    await expect(cases.account.endSession(bob, ann.sessionId)).rejects.toThrow(missing)
    await cases.account.endSession(ann, second.sessionId)
    await expect(cases.account.endSession(ann, second.sessionId)).rejects.toThrow(missing)
    expect((await cases.account.view(ann)).sessions).toHaveLength(1)
  })

  test('returns the portal of the source that renews', async () => {
    const subscription = await cases.subscribe(EMAIL)
    await cases.paid(subscription, { provider: 'btcpay', ref: 'invoice', customer: null, renews: false })
    const ann = await cases.signedIn(EMAIL)
    expect((await cases.account.view(ann)).portal).toBe(false)
    await expect(cases.account.portal(ann)).rejects.toThrow(new MayflyError('portal_unavailable'))
    await cases.paid(subscription, { ref: 'sub_old', customer: 'cus_old', renews: false })
    expect(await cases.account.portal(ann)).toBe('https://pay.example/cus_old')
    await cases.paid(subscription, { ref: 'sub_new', customer: 'cus_new' })
    expect(await cases.account.portal(ann)).toBe('https://pay.example/cus_new')
    expect(portal).toHaveBeenLastCalledWith('cus_new', `${SITE}/en/account/billing?from=portal`, 'en')
    // The account asks to check the payment details of the card that fails, whatever the order of their ids.
    for (const ref of ['sub_aaa', 'sub_zzz']) {
      await cases.paid(subscription, { ref, customer: `cus_${ref}`, failingSince: cases.time.now })
      expect(await cases.account.portal(ann)).toBe(`https://pay.example/cus_${ref}`)
      await cases.paid(subscription, { ref, customer: `cus_${ref}`, failingSince: cases.time.now, renews: false })
      expect(await cases.account.portal(ann)).toBe('https://pay.example/cus_new')
    }
  })

  describe('deleting the account', () => {
    let subscription: Subscription
    beforeEach(async () => {
      subscription = await cases.subscribe(EMAIL)
      await cases.paid(subscription, {}, [payment('in_1')])
      await cases.paid(subscription, { ref: 'sub_2', renews: false })
    })

    test('ends the payment sources, then removes everything except anonymous payments', async () => {
      const kept = await cases.keep(subscription, 'kept.one')
      await cases.deliver([kept])
      const domain = { name: 'mail.example', subscriptionId: subscription.id, state: 'pending' } as const
      const unchecked = {
        createdAt: 1,
        checkedAt: null,
        txtFound: false,
        mxFound: false,
        failingSince: null,
        catchAll: null,
      }
      await cases.store.ownDomains.add({ ...domain, ...unchecked }, 3)
      const changed = vi.fn<() => void>()
      cases.bus.subscribe(kept.id, changed)
      const { id, emailKey } = subscription
      const { store } = cases
      const ann = await cases.signedIn(EMAIL)
      await cases.deleteAccount(ann, ' ANN@example.com ')
      expect(cancel.mock.calls.flat()).toEqual(['sub_1', 'sub_2'])
      await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce())
      expect(await cases.addresses.open(kept.secret)).toBeUndefined()
      expect(await store.addresses.find(kept.id, cases.time.now)).toBeUndefined()
      expect(await store.subscriptions.find(id)).toBeUndefined()
      expect(await store.subscriptions.findByEmail(emailKey)).toBeUndefined()
      expect(await store.accounts.sessions(id, cases.time.now)).toEqual([])
      expect(await store.keptAddresses.list(id, cases.time.now)).toEqual([])
      expect(await store.ownDomains.list(id)).toEqual([])
      expect(await store.subscriptions.sources(id)).toEqual([])
      expect(await store.orders.ofEmail(emailKey)).toEqual([])
      // The name is in quarantine.
      await expect(cases.addresses.create({ login: 'kept.one' })).rejects.toThrow(new MayflyError('address_taken'))
      // A new subscription starts without the old data.
      expect((await cases.subscribe(EMAIL)).id).not.toBe(id)
      expect(changed).toHaveBeenCalledOnce()
    })

    test('closes many open checkouts a few at a time', async () => {
      const { emailKey, sealedEmail } = subscription
      for (let i = 0; i < 23; i++) {
        const fields = { provider: 'btcpay', plan: 'crypto', providerRef: `ref ${i}`, emailKey, sealedEmail } as const
        await cases.store.orders.insert(newOrder(fields))
      }
      let [open, most] = [0, 0]
      expire.mockImplementation(async () => {
        most = Math.max(most, ++open)
        await setImmediate()
        open--
      })
      await cases.deleteAccount(await cases.signedIn(EMAIL), EMAIL)
      expect([new Set(expire.mock.calls.flat()).size, most]).toEqual([23, 5])
    })

    test('closes the open checkouts, and deletes nothing if one cannot be closed', async () => {
      const order = async (providerRef: string | null, fields: Partial<Order> = {}): Promise<void> => {
        const { emailKey, sealedEmail } = subscription
        const crypto = newOrder({ provider: 'btcpay', plan: 'crypto', providerRef, sealedEmail, emailKey })
        await cases.store.orders.insert({ ...crypto, ...fields })
      }
      await order('open')
      await order('another')
      await order(null)
      await order('paid', { state: 'paid' })
      await order('of somebody else', { emailKey: 'o'.repeat(22) })
      await order('card', { provider: 'stripe' })
      expire.mockRejectedValueOnce(new MayflyError('payment_unavailable'))
      await expect(cases.deleteAccount(await cases.signedIn(EMAIL), EMAIL)).rejects.toMatchObject({
        code: 'payment_unavailable',
      })
      expect(expire.mock.calls.flat().toSorted()).toEqual(['another', 'open'])
      expect(await cases.store.subscriptions.find(subscription.id)).toBeDefined()
      await cases.deleteAccount(await cases.signedIn(EMAIL), EMAIL)
      expect(await cases.store.subscriptions.find(subscription.id)).toBeUndefined()
    })

    test('deletes an address that is kept during the removal', async () => {
      const { subscriptions } = cases.store
      const remove = subscriptions.remove.bind(subscriptions)
      let late: { id: string; secret: string } | undefined
      vi.spyOn(subscriptions, 'remove').mockImplementationOnce(async (id) => {
        late = await cases.keep(subscription, 'kept.late')
        return remove(id)
      })
      await cases.deleteAccount(await cases.signedIn(EMAIL), EMAIL)
      expect(late).toBeDefined()
      expect(await cases.addresses.open(late!.secret)).toBeUndefined()
      await expect(cases.addresses.create({ login: 'kept.late' })).rejects.toThrow(new MayflyError('address_taken'))
      cases.time.now += 31 * DAY
      expect((await cases.addresses.create({ login: 'kept.late' })).secret).not.toBe(late!.secret)
    })

    test.each([
      ['', async () => {}],
      [', and succeeds if that fails', () => Promise.reject(new MayflyError('payment_unavailable'))],
    ])('closes the checkout of an order that is placed during the removal%s', async (_end, outcome) => {
      const { orders, subscriptions } = cases.store
      const { emailKey, sealedEmail } = subscription
      const remove = subscriptions.remove.bind(subscriptions)
      vi.spyOn(subscriptions, 'remove').mockImplementationOnce(async (id) => {
        for (const state of ['open', 'paid', 'expired'] as const)
          await orders.insert(newOrder({ provider: 'btcpay', providerRef: state, state, emailKey, sealedEmail }))
        return remove(id)
      })
      expire.mockImplementation(outcome)
      await cases.deleteAccount(await cases.signedIn(EMAIL), EMAIL)
      expect(expire.mock.calls).toEqual([['open']])
      expect(await subscriptions.find(subscription.id)).toBeUndefined()
    })

    test('rejects another email address', async () => {
      const ann = await cases.signedIn(EMAIL)
      for (const email of ['', 'bob@example.com', 'ann@example.co'])
        await expect(cases.deleteAccount(ann, email)).rejects.toThrow(new MayflyError('email_invalid'))
      expect(cancel).not.toHaveBeenCalled()
      expect(await cases.store.subscriptions.find(subscription.id)).toBeDefined()
    })

    test.each(['stripe', 'sandbox'] as const)('deletes nothing if %s cannot cancel the renewals', async (provider) => {
      await cases.paid(subscription, { provider, ref: 'sub_3' })
      const kept = await cases.keep(subscription, 'kept.one')
      cancel.mockRejectedValueOnce(new Error('no route to host'))
      const ann = await cases.signedIn(EMAIL)
      await expect(cases.deleteAccount(ann, EMAIL)).rejects.toThrow(new MayflyError('payment_unavailable'))
      expect(await cases.addresses.open(kept.secret)).toBeDefined()
      expect(await cases.store.subscriptions.find(subscription.id)).toBeDefined()
    })
  })
})
