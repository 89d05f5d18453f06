import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { type BillingFixture, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { ORDER_SIGN_IN } from './paid-sign-in.ts'

const EMAIL = 'ann@example.com'
/** The cookie of the browser that places the orders of the fixture. */
const BROWSER = 'browser'
const refused = new MayflyError('sign_in_by_email')

describe.each(ENGINES)('on %s', (engine) => {
  let cases: BillingFixture
  beforeEach(async () => {
    cases = await openBillingFixture(engine)
  })
  afterEach(() => cases.close())

  const open = (id: string, browser: string | undefined = BROWSER) =>
    cases.paidSignIn.open({ id, browser, userAgent: 'Firefox/140.0' })
  const isPossible = (id: string, browser: string | undefined = BROWSER) => cases.paidSignIn.isPossible(id, browser)
  /** Signs in by an email, as the owner of the address. Returns the session. */
  async function signInByEmail(email: string, session?: string): Promise<string> {
    cases.signIn.ask({ email, language: 'en', browser: 'browser of the owner' })
    await cases.signIn.settled()
    const link = (await cases.emails()).find(({ kind }) => kind === 'sign-in')
    const token = link?.kind === 'sign-in' ? new URL(link.url).searchParams.get('link')! : ''
    return cases.signIn.open({ token, browser: 'browser of the owner', session, userAgent: 'Firefox/140.0' })
  }
  const isSignedIn = async (session: string) => (await cases.signIn.find(session)) !== undefined

  test('signs in the browser that paid by card, once', async () => {
    const { orderId } = await cases.buy('month', EMAIL)
    expect(await isPossible(orderId)).toBe(true)
    const found = await cases.signIn.find(await open(orderId))
    expect(found).toMatchObject({ active: true, subscription: { confirmed: false } })
    expect(cases.account.email(found!)).toBe(EMAIL)
    await cases.signIn.end(found!)
    expect(await isPossible(orderId)).toBe(false)
    await expect(open(orderId)).rejects.toThrow(refused)
  })

  test('gives the browser that paid the same session again while it exists, because a response may be lost', async () => {
    const { orderId } = await cases.buy('month', EMAIL)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => open(orderId)))
    expect(new Set(sessions).size).toBe(1)
    const found = (await cases.signIn.find(sessions[0]!))!
    expect((await cases.account.view(found)).sessions).toHaveLength(1)
    for (const browser of ['another', '']) await expect(open(orderId, browser)).rejects.toThrow(refused)
    cases.time.now += ORDER_SIGN_IN - 1
    expect(await isPossible(orderId)).toBe(true)
    expect(await open(orderId)).toBe(sessions[0])
    cases.time.now += 1
    expect(await isPossible(orderId)).toBe(false)
    await expect(open(orderId)).rejects.toThrow(refused)
  })

  test('gives no session again that the owner of the email address has ended', async () => {
    const { orderId } = await cases.buy('month', EMAIL)
    await open(orderId)
    await signInByEmail(EMAIL)
    expect(await isPossible(orderId)).toBe(false)
    await expect(open(orderId)).rejects.toThrow(refused)
  })

  test('signs in the browser that paid in crypto when the payment is confirmed, not before', async () => {
    const orderId = await cases.order('crypto', EMAIL, 2)
    const { id, amount } = cases.btcpay.invoiceOf(orderId)
    await expect(open(orderId)).rejects.toThrow(refused)
    cases.btcpay.receive(id, Number(amount))
    await cases.deliverEvents('btcpay')
    expect(await cases.orders.view(orderId)).toMatchObject({ state: 'pending' })
    expect(await isPossible(orderId)).toBe(false)
    await expect(open(orderId)).rejects.toThrow(refused)
    cases.btcpay.confirm(id)
    await cases.deliverEvents('btcpay')
    expect(await isSignedIn(await open(orderId))).toBe(true)
  })

  test.each(['month', 'crypto'] as const)(
    'signs in the browser for a day after the payment is known, although it took many days: %s',
    async (plan) => {
      const orderId = await cases.order(plan, EMAIL)
      if (plan === 'month') cases.stripe.payLater(cases.stripe.sessionOf(orderId).id)
      else cases.btcpay.receive(cases.btcpay.invoiceOf(orderId).id)
      for (const name of ['stripe', 'btcpay'] as const) await cases.deliverEvents(name)
      cases.time.now += 9 * DAY
      if (plan === 'month') cases.stripe.arrive(cases.stripe.sessionOf(orderId).id, true)
      else cases.btcpay.confirm(cases.btcpay.invoiceOf(orderId).id)
      for (const name of ['stripe', 'btcpay'] as const) await cases.deliverEvents(name)
      cases.time.now += ORDER_SIGN_IN
      expect(await isPossible(orderId)).toBe(false)
      cases.time.now -= 1
      expect(await isSignedIn(await open(orderId))).toBe(true)
    },
  )

  test('signs in no other browser, and nobody a day after the payment', async () => {
    const { orderId } = await cases.buy('year', EMAIL)
    for (const browser of ['another', '']) await expect(open(orderId, browser)).rejects.toThrow(refused)
    await expect(cases.paidSignIn.open({ id: orderId, browser: undefined, userAgent: '' })).rejects.toThrow(refused)
    await expect(open('a'.repeat(22))).rejects.toThrow(refused)
    cases.time.now += ORDER_SIGN_IN
    await expect(open(orderId)).rejects.toThrow(refused)
    cases.time.now -= 1
    expect(await isSignedIn(await open(orderId))).toBe(true)
  })

  test('signs nobody in to a subscription that existed before the payment', async () => {
    const first = await cases.buy('month', EMAIL)
    const again = await cases.buy('year', ' ANN@example.com ')
    for (const { orderId } of [again, first]) {
      expect(await isPossible(orderId)).toBe(false)
      await expect(open(orderId)).rejects.toThrow(refused)
    }
    await cases.grants.grant('bob@example.com', 30 * DAY, 'en')
    await expect(open((await cases.buy('month', 'bob@example.com')).orderId)).rejects.toThrow(refused)
  })

  test('signs nobody in after the owner of the email address signed in, or after a refund', async () => {
    const { orderId } = await cases.buy('month', EMAIL)
    await signInByEmail(EMAIL)
    await expect(open(orderId)).rejects.toThrow(refused)
    const other = await cases.buy('month', 'bob@example.com')
    cases.stripe.refund(other.invoice)
    await cases.deliverEvents('stripe')
    await expect(open(other.orderId)).rejects.toThrow(refused)
  })

  test('locks the payer out of account and addresses when the owner signs in by email', async () => {
    const paid = await open((await cases.buy('month', EMAIL)).orderId)
    const { subscription } = (await cases.signIn.find(paid))!
    const { secret } = await cases.keptAddresses.create(subscription, { login: 'first' })
    expect(await cases.addresses.open(secret!)).toBeDefined()
    const owner = await signInByEmail(EMAIL)
    expect(await isSignedIn(paid)).toBe(false)
    expect(await cases.addresses.open(secret!)).toBeUndefined()
    const found = (await cases.signIn.find(owner))!
    expect(found.subscription.confirmed).toBe(true)
    const [kept] = await cases.keptAddresses.listAndRestore(found.subscription)
    expect((await cases.keptAddresses.open(found.subscription, kept!.id)).open.address).toBe('first@mayfly.test')
    // From then on, signing in elsewhere ends nothing.
    await signInByEmail(EMAIL)
    expect(await isSignedIn(owner)).toBe(true)
  })

  test('a payer who replaces secrets as often as possible keeps no access, and keeps nobody out', async () => {
    const paid = await open((await cases.buy('month', EMAIL)).orderId)
    const { subscription } = (await cases.signIn.find(paid))!
    let { open: address, secret } = await cases.keptAddresses.create(subscription, { login: 'first' })
    for (let i = 0; i < 20; i++) ({ open: address, secret } = await cases.secrets.replace(address))
    expect(await isSignedIn(await signInByEmail(EMAIL))).toBe(true)
    expect(await cases.addresses.open(secret)).toBeUndefined()
  })

  /** Creates an address as the payer, and lets the time pass until Premium has ended and the address has expired. */
  async function secretOfEndedPremium(): Promise<string> {
    const { orderId, id } = await cases.buy('month', EMAIL)
    const { subscription } = (await cases.signIn.find(await open(orderId)))!
    const { secret } = await cases.keptAddresses.create(subscription, { login: 'first' })
    cases.stripe.cancelAtPeriodEnd(id)
    await cases.deliverEvents('stripe')
    for (let day = 0; day < 60; day++) {
      cases.time.now += DAY
      await cases.endings.run()
    }
    await cases.sweep.run()
    expect(await cases.addresses.open(secret!)).toBeUndefined()
    await cases.emails()
    return secret!
  }

  test.each([
    ['Premium was paid again', true],
    ['Premium is over', false],
  ])('the payer cannot open an address that expired before the owner signed in, if %s', async (_, isPaidAgain) => {
    const secret = await secretOfEndedPremium()
    if (isPaidAgain) await cases.buy('year', EMAIL)
    await cases.emails()
    const owner = await signInByEmail(EMAIL)
    if (!isPaidAgain) await cases.buy('year', EMAIL)
    const { subscription } = (await cases.signIn.find(owner))!
    const list = await cases.keptAddresses.listAndRestore(subscription)
    expect(await cases.addresses.open(secret)).toBeUndefined()
    // The owner may be the payer, and keeps what can be kept under a new secret.
    expect(list.map(({ address, alive }) => [address, alive])).toEqual(isPaidAgain ? [['first@mayfly.test', true]] : [])
  })

  test('an address that can no longer be opened does not keep the owner out', async () => {
    const paid = await open((await cases.buy('month', EMAIL)).orderId)
    const { subscription } = (await cases.signIn.find(paid))!
    const { secret } = await cases.keptAddresses.create(subscription, { login: 'first' })
    const column = 'kept_addresses.sealed_secret'
    const [each] = await cases.store.wraps.list(column, 2, 1)
    await cases.store.wraps.replace(column, each!, Buffer.alloc(80))
    const owner = await signInByEmail(EMAIL)
    expect(await cases.addresses.open(secret!)).toBeUndefined()
    expect(await cases.keptAddresses.list((await cases.signIn.find(owner))!.subscription)).toEqual([])
  })

  test('ends nothing if the browser that paid confirms the email address itself', async () => {
    const paid = await open((await cases.buy('month', EMAIL)).orderId)
    const { subscription } = (await cases.signIn.find(paid))!
    const { secret } = await cases.keptAddresses.create(subscription, { login: 'first' })
    const confirmed = await signInByEmail(EMAIL, paid)
    expect(await cases.addresses.open(secret!)).toBeDefined()
    expect(await isSignedIn(confirmed)).toBe(true)
    expect(await isSignedIn(paid)).toBe(false)
  })

  describe('the portal, until the email address is confirmed,', () => {
    const customerOf = (orderId: string) => String(cases.stripe.subscriptionOf(orderId).customer)

    test('is that of the card that this browser paid with', async () => {
      const { orderId } = await cases.buy('month', EMAIL)
      const paid = (await cases.signIn.find(await open(orderId)))!
      expect(await cases.account.view(paid)).toMatchObject({ confirmed: false, portal: true })
      expect(await cases.account.portal(paid)).toContain(customerOf(orderId))
    })

    test('is never that of somebody else', async () => {
      const { orderId } = await cases.buy('month', EMAIL)
      const paid = (await cases.signIn.find(await open(orderId)))!
      cases.stripe.cancelAtPeriodEnd(cases.stripe.subscriptionOf(orderId).id)
      await cases.deliverEvents('stripe')
      // What renews would come first.
      const { orderId: strange } = await cases.buy('year', EMAIL)
      expect(await cases.account.portal(paid)).toContain(customerOf(orderId))
      const other = { ...paid, sessionId: 'another session' }
      expect(await cases.account.view(other)).toMatchObject({ portal: false })
      await expect(cases.account.portal(other)).rejects.toThrow(new MayflyError('email_unconfirmed'))
      const owner = (await cases.signIn.find(await signInByEmail(EMAIL)))!
      expect(await cases.account.portal(owner)).toContain(customerOf(strange))
    })

    test('is also that of a card with which the same session paid later', async () => {
      const { orderId } = await cases.buy('month', EMAIL)
      const paid = (await cases.signIn.find(await open(orderId)))!
      cases.stripe.cancelAtPeriodEnd(cases.stripe.subscriptionOf(orderId).id)
      await cases.deliverEvents('stripe')
      const form = { plan: 'year', years: 1, email: EMAIL, language: 'en' }
      const { id: later } = await cases.orders.create(
        await cases.orders.check(form, (await cases.subscription(EMAIL))!),
        'the same browser a week later',
        paid.sessionId,
      )
      cases.stripe.pay(cases.stripe.sessionOf(later).id)
      await cases.deliverEvents('stripe')
      expect(await cases.account.portal(paid)).toContain(customerOf(later))
    })

    test('is none if this browser paid in crypto', async () => {
      const orderId = await cases.order('crypto', EMAIL)
      cases.btcpay.pay(cases.btcpay.invoiceOf(orderId).id)
      await cases.deliverEvents('btcpay')
      const paid = (await cases.signIn.find(await open(orderId)))!
      await cases.buy('month', EMAIL)
      expect(await cases.account.view(paid)).toMatchObject({ portal: false })
      await expect(cases.account.portal(paid)).rejects.toThrow(new MayflyError('email_unconfirmed'))
    })
  })

  test('until the email address is confirmed, there are no keys, webhooks or deletion', async () => {
    const paid = (await cases.signIn.find(await open((await cases.buy('month', EMAIL)).orderId)))!
    const unconfirmed = new MayflyError('email_unconfirmed')
    await expect(cases.apiKeys.create(paid.subscription, 'Key')).rejects.toThrow(unconfirmed)
    await expect(cases.webhooks.add(paid.subscription, 'https://example.com/')).rejects.toThrow(unconfirmed)
    await expect(cases.deleteAccount(paid, EMAIL)).rejects.toThrow(unconfirmed)
    const owner = (await cases.signIn.find(await signInByEmail(EMAIL)))!
    expect(await cases.account.view(owner)).toMatchObject({ confirmed: true, portal: true })
    expect(await cases.apiKeys.create(owner.subscription, 'Key')).toMatchObject({ label: 'Key' })
  })

  test('until the email address is confirmed, the export has only orders that were paid for this subscription', async () => {
    const strange = await cases.order('crypto', EMAIL, 2)
    const { orderId } = await cases.buy('month', EMAIL)
    const ordersOf = async (session: string): Promise<string[]> => {
      const archive = await buffer(cases.exportAccount((await cases.signIn.find(session))!))
      const { orders } = JSON.parse(Buffer.from(unzipSync(archive)['account.json']!).toString())
      return orders.map(({ id }: { id: string }) => id).toSorted()
    }
    expect(await ordersOf(await open(orderId))).toEqual([orderId])
    expect(await ordersOf(await signInByEmail(EMAIL))).toEqual([strange, orderId].toSorted())
  })
})
