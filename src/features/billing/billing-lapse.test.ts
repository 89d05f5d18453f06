import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { keptRow } from '#core/account/kept-address.ts'
import { isActive } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import { expiryOf, NEVER } from '#core/mailbox/lifetime.ts'
import { DAY, HOUR } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

describe.each(ENGINES)('after the lapse of a subscription, on %s', (engine) => {
  let fixture: BillingFixture
  beforeAll(async () => {
    fixture = await openBillingFixture(engine)
  })
  afterEach(() => fixture.emails())
  afterAll(() => fixture.close())

  const found = async (email: string) => (await fixture.subscription(email))!

  /** Creates a subscriber with a kept address, and lapses the subscription. */
  async function lapsed() {
    const email = newEmail()
    await fixture.grants.grant(email, DAY, 'en')
    const { id } = await found(email)
    const { open } = await fixture.addresses.create({})
    const { id: addressId, nameKey } = open.row
    const key = { addressId, subscriptionId: id }
    const sealedName = fixture.wrap.wrap('address', open.address, keptRow(key))
    const sealedSecret = fixture.wrap.wrap('address secret', 'secret', keptRow(key))
    const row = { ...key, nameKey, sealedName, sealedLabel: null, sealedSecret }
    await fixture.store.keptAddresses.add({ ...row, createdAt: fixture.time.now }, 10, fixture.time.now)
    await fixture.endings.run()
    fixture.time.now += 14 * DAY
    await fixture.endings.run()
    expect(await found(email)).toMatchObject({ lapsed: true, noticeAt: expect.any(Number) })
    const expiresAt = async () => (await fixture.store.keptAddresses.find(id, addressId, fixture.time.now))?.expiresAt
    const day = expiryOf('day', fixture.time.now, { day: DAY, tenMinutes: 0, quarantine: 0 })
    expect(await expiresAt()).toBe(day)
    return { email, id, expiresAt, day }
  }

  test('a payment restores the benefits and the address', async () => {
    const { email, expiresAt } = await lapsed()
    await fixture.buy('month', email)
    const back = await found(email)
    expect(back).toMatchObject({ lapsed: false, noticeAt: null, plan: 'month' })
    expect(isActive(back, RULES, fixture.time.now)).toBe(true)
    expect(await expiresAt()).toBe(NEVER)
  })

  test('heal restores the address if the process died before it was restored', async () => {
    const { email, id, expiresAt, day } = await lapsed()
    const { revision } = await found(email)
    const change = { lapsed: false, noticeAt: null, paidUntil: fixture.time.now + DAY }
    await fixture.store.subscriptions.change(id, revision, change)
    expect(await expiresAt()).toBe(day)
    await fixture.endings.heal()
    expect(await expiresAt()).toBe(NEVER)
  })

  test.each(['the repetition of its event', 'the next reconciliation'])(
    'if the store fails before the address is restored, %s restores it',
    async (next) => {
      const { email, expiresAt, day } = await lapsed()
      const orderId = await fixture.order('crypto', email)
      fixture.btcpay.pay(fixture.btcpay.invoiceOf(orderId).id)
      const events = fixture.newEvents('btcpay')
      const failing = vi
        .spyOn(fixture.store.keptAddresses, 'restore')
        .mockRejectedValue(new MayflyError('store_unavailable'))
      const results = await Promise.allSettled(events.map((event) => fixture.deliverEvent('btcpay', event)))
      failing.mockRestore()
      expect(results.map(({ status }) => status)).toContain('rejected')
      expect(await found(email)).toMatchObject({ lapsed: false, payments: { length: 2 } })
      expect(await expiresAt()).toBe(day)

      if (next === 'the next reconciliation') await fixture.reconciliation.run()
      else for (const event of events) await fixture.deliverEvent('btcpay', event)
      expect(await expiresAt()).toBe(NEVER)
      expect(await found(email)).toMatchObject({ payments: { length: 2 } })
    },
  )

  test('a grant does not fail because the address can’t be restored yet', async () => {
    const { email, expiresAt, day } = await lapsed()
    const failing = vi
      .spyOn(fixture.store.keptAddresses, 'restore')
      .mockRejectedValue(new MayflyError('store_unavailable'))
    await fixture.grants.grant(email, 30 * DAY, 'en')
    failing.mockRestore()
    expect(await found(email)).toMatchObject({ lapsed: false, payments: { length: 2 } })
    expect(await expiresAt()).toBe(day)
    await fixture.endings.heal()
    expect(await expiresAt()).toBe(NEVER)
  })

  test('the reconciliation and repeated events leave the addresses as they are', async () => {
    const { email, expiresAt, day } = await lapsed()
    fixture.time.now += HOUR
    const orderId = await fixture.order('crypto', email)
    const { id: invoice } = fixture.btcpay.invoiceOf(orderId)
    fixture.btcpay.pay(invoice)
    fixture.btcpay.mark(invoice, 'Invalid')
    const release = vi.spyOn(fixture.store.keptAddresses, 'release')
    const events = fixture.newEvents('btcpay')
    for (const event of [...events, ...events]) await fixture.deliverEvent('btcpay', event)
    await fixture.reconciliation.run()
    expect(release).not.toHaveBeenCalled()
    release.mockRestore()
    expect(await expiresAt()).toBe(day)
  })

  test('a refunded payment restores nothing', async () => {
    const { email, expiresAt, day } = await lapsed()
    const orderId = await fixture.order('crypto', email)
    const { id: invoice } = fixture.btcpay.invoiceOf(orderId)
    fixture.btcpay.pay(invoice)
    fixture.btcpay.mark(invoice, 'Invalid')
    await fixture.deliverEvents('btcpay')
    expect(await found(email)).toMatchObject({ lapsed: true, payments: { length: 1 } })
    expect(await expiresAt()).toBe(day)
  })

  test('another payment cancels an earlier notice', async () => {
    const email = newEmail()
    await fixture.grants.grant(email, 10 * DAY, 'en')
    await fixture.endings.run()
    expect((await found(email)).noticeAt).toBe(fixture.time.now)
    await fixture.grants.grant(email, 30 * DAY, 'en')
    expect((await found(email)).noticeAt).toBeNull()
  })
})
