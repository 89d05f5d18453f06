import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import type { EmailKind } from '#core/email/email.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { type AccountFixture, openAccountFixture, SITE } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const EMAIL = 'ann@example.com'

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountFixture
  beforeEach(async () => {
    cases = await openAccountFixture({ engine })
  })
  afterEach(() => cases.close())

  /** Runs the periodic work every day until a time. */
  async function until(time: number): Promise<void> {
    for (; cases.time.now < time; cases.time.now = Math.min(time, cases.time.now + DAY)) await run()
    await run()
  }
  async function run(): Promise<void> {
    await cases.endings.run()
    await cases.sendEmails()
  }
  /** Returns the emails that were sent, with their times. */
  const sent = async (): Promise<[EmailKind, number][]> =>
    (await cases.outbox.all()).map(({ file, date }) => [
      /(?:renewal-failed|notice|ended|receipt)/.exec(file)![0] as EmailKind,
      Date.parse(date ?? ''),
    ])
  async function addressOf(secret: string) {
    const { row } = (await cases.addresses.open(secret)) ?? {}
    return row && { lifetime: row.lifetime, expiresAt: row.expiresAt }
  }
  const change = async (
    subscription: Subscription,
    to: Parameters<Store['subscriptions']['change']>[2],
  ): Promise<void> => {
    const { id, revision } = await cases.reread(subscription)
    expect(await cases.store.subscriptions.change(id, revision, to)).toBe(true)
  }

  test('sends the notice 14 days before the end, and lapses at the end and not earlier', async () => {
    const begin = cases.time.now
    const end = begin + 30 * DAY
    const subscription = await cases.subscribe(EMAIL, { paidUntil: end })
    const { secret } = await cases.keep(subscription, 'kept.one')

    cases.time.now = end - 14 * DAY - 1
    await run()
    expect(await sent()).toEqual([])
    cases.time.now += 1
    await run()
    await run()
    expect(await sent()).toEqual([['notice', end - 14 * DAY]])
    const [notice] = await cases.outbox.all()
    expect(notice!.subject).toContain('January 31, 2026')
    expect(notice!.link.href).toBe(`${SITE}/en/account`)

    cases.time.now = end - 1
    await run()
    expect(await cases.reread(subscription)).toMatchObject({ lapsed: false })
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'subscription' })
    cases.time.now = end
    await run()
    await run()
    expect(await cases.reread(subscription)).toMatchObject({ lapsed: true })
    expect(await addressOf(secret)).toEqual({ lifetime: 'day', expiresAt: end + DAY })
    expect(await sent()).toEqual([
      ['notice', end - 14 * DAY],
      ['ended', end],
    ])
  })

  test('sends no notice to a subscriber who renews every month', async () => {
    const subscription = await cases.subscribe(EMAIL, {
      renews: true,
      plan: 'month',
      paidUntil: cases.time.now + 30 * DAY,
    })
    const { secret } = await cases.keep(subscription, 'kept.one')
    for (let month = 0; month < 3; month++) {
      const { paidUntil } = await cases.reread(subscription)
      // The provider may report the renewal late.
      await until(paidUntil + 3 * DAY)
      await change(subscription, { paidUntil: paidUntil + 30 * DAY })
    }
    expect(await sent()).toEqual([])
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'subscription' })
  })

  test('lapses 14 days after a late cancellation, even if the benefits ended earlier', async () => {
    const end = cases.time.now + 30 * DAY
    const subscription = await cases.subscribe(EMAIL, { renews: true, paidUntil: end })
    const { secret } = await cases.keep(subscription, 'kept.one')
    await until(end - 5 * DAY)
    await change(subscription, { renews: false })
    await until(end + 9 * DAY - 1)
    expect(await sent()).toEqual([['notice', end - 5 * DAY]])
    const [notice] = await cases.outbox.all()
    expect(notice!.subject).toContain('ends on January 31, 2026')
    expect(notice!.text).toContain('until February 9, 2026')
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'subscription' })
    await until(end + 9 * DAY)
    expect(await sent()).toHaveLength(2)
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'day' })
  })

  test('ends the benefits at a refund, and lapses 14 days later', async () => {
    const subscription = await cases.subscribe(EMAIL)
    const { secret } = await cases.keep(subscription, 'kept.one')
    await cases.paid(subscription, { renews: false }, [
      {
        provider: 'stripe',
        id: 'in_1',
        ref: 'sub_1',
        plan: 'year',
        total: { amount: 8600, currency: 'USD' },
        state: 'refunded',
        paidAt: cases.time.now,
        pays: { span: 365 * DAY },
      },
    ])
    await change(subscription, { paidUntil: 0 })
    const now = cases.time.now
    await until(now + 14 * DAY - 1)
    expect(await sent()).toEqual([['notice', now]])
    const [notice] = await cases.outbox.all()
    expect(notice!.subject).toBe('Your Mayfly Premium has ended')
    expect(notice!.text).toContain('until January 15, 2026')
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'subscription' })
    await until(now + 14 * DAY)
    expect(await sent()).toHaveLength(2)
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'day' })
  })

  test('sends nothing to a subscriber who never paid', async () => {
    await cases.subscribe(EMAIL, { paidUntil: 0, plan: null })
    await until(cases.time.now + 30 * DAY)
    expect(await sent()).toEqual([])
  })

  test('sends the notice when a renewal fails, and lapses 14 days later unless it succeeds', async () => {
    const end = cases.time.now + 30 * DAY
    const failing = await cases.subscribe(EMAIL, { renews: true, paidUntil: end })
    const recovered = await cases.subscribe('bob@example.com', { renews: true, paidUntil: end })
    await until(end)
    for (const each of [failing, recovered]) await change(each, { failingSince: end })
    await run()
    expect(await sent()).toEqual([
      ['renewal-failed', end],
      ['renewal-failed', end],
    ])
    const [failure] = await cases.outbox.all()
    expect(failure!.text).toMatch(/stays active until February 7, 2026[^]*until February 14, 2026/)
    expect(failure!.text).not.toContain('won’t be renewed')
    await until(end + 5 * DAY)
    await change(recovered, { failingSince: null, paidUntil: end + 30 * DAY, noticeAt: null })
    await until(end + 14 * DAY - 1)
    expect(await sent()).toHaveLength(2)
    await until(end + 20 * DAY)
    expect(await sent()).toHaveLength(3)
    expect((await cases.outbox.next(EMAIL, 'ended')).link.href).toBe(`${SITE}/en/premium`)
    expect(await cases.reread(failing)).toMatchObject({ lapsed: true })
    expect(await cases.reread(recovered)).toMatchObject({ lapsed: false, noticeAt: null })
  })

  test('sends the notice after the grace time if the provider reports no renewal', async () => {
    const end = cases.time.now + 30 * DAY
    await cases.subscribe(EMAIL, { renews: true, paidUntil: end })
    await until(end + 21 * DAY)
    expect(await sent()).toEqual([
      ['notice', end + 7 * DAY],
      ['ended', end + 21 * DAY],
    ])
    const notice = (await cases.outbox.all()).find(({ subject }) => subject === 'Your Mayfly Premium has ended')
    expect(notice!.text).toContain('Your card is charged again at the next renewal')
  })

  test('keeps all addresses if paid in time, and later restores the ones that still exist', async () => {
    const end = cases.time.now + 30 * DAY
    const early = await cases.subscribe(EMAIL, { paidUntil: end })
    const late = await cases.subscribe('bob@example.com', { paidUntil: end })
    const [kept, restored, lost] = [
      await cases.keep(early, 'kept.one'),
      await cases.keep(late, 'kept.two'),
      await cases.keep(late, 'kept.three'),
    ]
    await until(end - 2 * DAY)
    await change(early, { paidUntil: end + 365 * DAY, noticeAt: null })
    await until(end)
    expect(await addressOf(kept.secret)).toMatchObject({ lifetime: 'subscription' })
    expect(await addressOf(restored.secret)).toMatchObject({ lifetime: 'day' })

    // A visit extends one of the two addresses.
    cases.time.now = end + DAY - 1
    expect(await addressOf(restored.secret)).toMatchObject({ lifetime: 'day' })
    cases.time.now = end + DAY + HOUR
    await change(late, { paidUntil: end + 365 * DAY, noticeAt: null, lapsed: false })
    await cases.endings.align(late.id)
    expect(await addressOf(restored.secret)).toMatchObject({ lifetime: 'subscription' })
    expect(await addressOf(lost.secret)).toBeUndefined()
    expect((await sent()).map(([kind]) => kind).toSorted()).toEqual(['ended', 'notice', 'notice'])
    await until(end + 300 * DAY)
    expect(await sent()).toHaveLength(3)
  })

  test('sends each notice and lapses each subscription once, with several nodes', async () => {
    const end = cases.time.now + 14 * DAY
    const emails = Array.from({ length: 7 }, (_, i) => `subscriber${i}@example.com`)
    for (const email of emails) await cases.subscribe(email, { paidUntil: end })
    await Promise.all(Array.from({ length: 4 }, () => cases.endings.run()))
    await cases.sendEmails()
    expect(await sent()).toHaveLength(emails.length)
    cases.time.now = end
    await Promise.all(Array.from({ length: 4 }, () => cases.endings.run()))
    await cases.sendEmails()
    expect(await sent()).toHaveLength(2 * emails.length)
    for (const step of ['notice', 'lapse'])
      expect((await cases.metrics.render()).body).toContain(
        `subscription_endings_total{step="${step}"} ${emails.length}`,
      )
    expect(new Set((await cases.outbox.all()).map(({ to }) => to?.[0]?.address)).size).toBe(emails.length)
  })

  test('does not lapse a subscription that is paid during the run', async () => {
    const end = cases.time.now + 14 * DAY
    const subscription = await cases.subscribe(EMAIL, { paidUntil: end })
    await run()
    cases.time.now = end
    const { ending } = cases.store.subscriptions
    cases.store.subscriptions.ending = async (...args) => {
      const found = await ending(...args)
      await change(subscription, { paidUntil: end + 365 * DAY, noticeAt: null })
      return found
    }
    await run()
    expect(await cases.reread(subscription)).toMatchObject({ lapsed: false })
    expect(await sent()).toHaveLength(1)
  })

  test.each(['release', 'restore'] as const)(
    'completes a run whose node died before it could %s addresses',
    async (step) => {
      const end = cases.time.now + 14 * DAY
      const subscription = await cases.subscribe(EMAIL, { paidUntil: end })
      const { secret } = await cases.keep(subscription, 'kept.one')
      await run()
      cases.time.now = end
      if (step === 'restore') {
        await run()
        await change(subscription, { lapsed: false, paidUntil: end + DAY })
      } else {
        const { release } = cases.store.keptAddresses
        cases.store.keptAddresses.release = async () => {
          throw new Error('the node died')
        }
        await expect(run()).rejects.toThrow('the node died')
        cases.store.keptAddresses.release = release
      }
      expect(await addressOf(secret)).toMatchObject({ lifetime: step === 'release' ? 'subscription' : 'day' })
      await cases.endings.heal()
      expect(await addressOf(secret)).toMatchObject({ lifetime: step === 'release' ? 'day' : 'subscription' })
      // A second run does not change the address. The list is not a visit, which would extend a released one.
      const listed = async () => cases.keptAddresses.list(await cases.reread(subscription))
      const before = await listed()
      cases.time.now += HOUR
      await cases.endings.heal()
      expect(await listed()).toEqual(before)
      expect(before).toMatchObject([{ expiresAt: step === 'release' ? end + DAY : null, alive: true }])
    },
  )

  test('restores the addresses if the subscription is paid while they are released', async () => {
    const end = cases.time.now + 14 * DAY
    const subscription = await cases.subscribe(EMAIL, { paidUntil: end })
    const { secret } = await cases.keep(subscription, 'kept.one')
    await run()
    cases.time.now = end
    const { release } = cases.store.keptAddresses
    cases.store.keptAddresses.release = async (...args) => {
      cases.store.keptAddresses.release = release
      await change(subscription, { lapsed: false, paidUntil: end + DAY })
      await release(...args)
    }
    await run()
    expect(await addressOf(secret)).toMatchObject({ lifetime: 'subscription' })
  })

  test('stops a run when the signal aborts', async () => {
    await cases.subscribe(EMAIL, { paidUntil: cases.time.now + DAY })
    await cases.endings.run(AbortSignal.abort())
    await cases.sendEmails()
    expect(await sent()).toEqual([])
  })
})
