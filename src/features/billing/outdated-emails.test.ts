import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY } from '#core/time.ts'
import { type BillingFixture, newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'
import { sendDue } from '#test/support/fixtures/send-emails.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

/** Shorter than the retries of an email about Premium. */
const OUTAGE = 2 * DAY

describe.each(ENGINES)('emails that wait for a relay, on %s', (engine) => {
  let fixture: BillingFixture
  let sent: string[]
  let isDown = false
  beforeEach(async () => {
    isDown = false
    fixture = await openBillingFixture(engine)
    vi.spyOn(fixture.outbound, 'send').mockImplementation(async ({ name }) => {
      if (isDown) throw new Error('down')
      sent.push(name.slice(0, -'-1234567890123456789012'.length))
    })
  })
  afterEach(() => fixture.close())

  const run = async (): Promise<void> => {
    await fixture.endings.run()
    await sendDue(fixture.emailSender)
  }
  const found = async (email: string) => (await fixture.subscription(email))!

  /** Buys a month and sends its receipt. Returns the email address and the id of the subscription at Stripe. */
  async function bought() {
    const email = newEmail()
    const { id } = await fixture.buy('month', email)
    await run()
    sent = []
    return { email, id, paidUntil: (await found(email)).paidUntil }
  }

  /** Buys a month, and cancels it. The emails of `days` after its end wait. */
  async function canceled(days: number) {
    const { email, id, paidUntil } = await bought()
    fixture.stripe.cancelAtPeriodEnd(id)
    await fixture.deliverEvents('stripe')
    fixture.time.now = paidUntil - 14 * DAY
    isDown = days < 0
    await run()
    fixture.time.now = paidUntil + days * DAY
    isDown = true
    await run()
    sent = []
    return { email, id }
  }

  async function failed() {
    const { email, id, paidUntil } = await bought()
    fixture.time.now = paidUntil
    fixture.stripe.failRenewal(id)
    await fixture.deliverEvents('stripe')
    isDown = true
    await run()
    return { email, id }
  }

  /** Lets some time pass until the relay works again. Returns the kinds of the emails that are sent then. */
  async function sentLater(): Promise<string[]> {
    fixture.time.now += OUTAGE
    isDown = false
    await run()
    expect(await fixture.store.emails.waiting()).toBe(0)
    return sent.toSorted()
  }

  test.each<[string, () => Promise<unknown>]>([
    ['renewal-failed', failed],
    ['notice', () => canceled(-14)],
    ['ended', () => canceled(0)],
  ])('are sent later: %s', async (kind, make) => {
    await make()
    expect(await sentLater()).toEqual([kind])
  })

  test('are not sent if the failed renewal was paid in the meantime', async () => {
    const { id } = await failed()
    fixture.stripe.payOpen(id)
    await fixture.deliverEvents('stripe')
    expect(await sentLater()).toEqual(['renewal'])
  })

  test('are not sent if something else was bought after the failed renewal', async () => {
    const { email } = await failed()
    await fixture.buy('year', email)
    expect(await sentLater()).not.toContain('renewal-failed')
  })

  test('are replaced by the notice if the provider gave the failed renewal up', async () => {
    const { id } = await failed()
    fixture.stripe.end(id)
    await fixture.deliverEvents('stripe')
    expect(await sentLater()).toEqual(['notice'])
  })

  test.each([
    ['notice', -14],
    ['ended', 0],
  ])('are not sent if Premium was bought again: %s', async (_kind, days) => {
    const { email } = await canceled(days)
    await fixture.buy('year', email)
    expect(await sentLater()).toEqual(['receipt'])
  })

  test('are not sent if the end is announced anew', async () => {
    const { email } = await canceled(-14)
    await fixture.grants.grant(email, DAY, 'en')
    expect(await sentLater()).toEqual(['notice'])
  })

  test('are not sent after the account was deleted', async () => {
    const { email } = await canceled(-14)
    await fixture.store.subscriptions.remove((await found(email)).id)
    expect(await sentLater()).toEqual([])
  })
})
