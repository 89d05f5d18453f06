import { describe, expect, test } from 'vitest'
import { paidUntil, type Settlement, type Subscription } from '#core/billing/subscription.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { claimed, key, NOW } from './fixtures.ts'
import {
  MONTH,
  newKeptAddress,
  newEmail,
  newOrder,
  newPayment,
  newSettlement,
  newSource,
  newSubscription,
  settled,
  subscribed,
} from './premium-fixtures.ts'

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

export function subscriptionsContract(current: () => Store): void {
  const subscriptions = () => current().subscriptions
  /** A settlement with an outdated revision stores nothing, and says whether its event is known. */
  const hasSeen = async (event: NonNullable<Settlement['event']>): Promise<boolean> =>
    (await subscriptions().settle(newSettlement({ id: key(), revision: -1 }, { event }))) === 'duplicate'

  describe('subscriptions', () => {
    test('creates one subscription per email address under concurrency', async () => {
      const rivals = times(20, () => newSubscription({ emailKey: 'a' }))
      const answers = await Promise.all(rivals.map((each) => subscriptions().ensure(each)))
      const [one] = answers
      expect(rivals).toContainEqual(one)
      expect(answers).toEqual(answers.map(() => one))
      expect(await subscriptions().find(one!.id)).toEqual(one)
      expect(await subscriptions().findByEmail('a')).toEqual(one)
      expect(await subscriptions().findByEmail('b')).toBeUndefined()
      expect(await subscriptions().find(key())).toBeUndefined()
      const other = newSubscription({ plan: 'year', paidUntil: NOW, renews: true, failingSince: 1, noticeAt: 2 })
      expect(await subscriptions().ensure({ ...other, lapsed: true, revision: 3 })).toEqual({
        ...other,
        lapsed: true,
        revision: 3,
      })
    })

    test('writes everything in a settlement, and lets a later one replace it', async () => {
      const { id, ...before } = await subscribed(current())
      const order = newOrder()
      await current().orders.insert(order)
      const source = newSource({ orderId: order.id })
      const payments = [
        newPayment(source),
        newPayment(source, { paidAt: NOW + 1, pays: { span: MONTH }, state: 'disputed' }),
      ]
      const first = await settled(
        current(),
        newSettlement(
          { id, revision: 0 },
          { source, payments, order: { id: order.id, state: 'paid' }, emails: [newEmail(), newEmail()] },
        ),
      )
      expect(await subscriptions().find(id)).toEqual({
        ...before,
        id,
        plan: 'month',
        paidUntil: NOW + MONTH,
        renews: true,
        revision: 1,
      })
      expect(await subscriptions().sources(id)).toEqual([source])
      expect(await subscriptions().payments(id)).toEqual(payments)
      expect((await subscriptions().ofSource('stripe', source.ref))?.id).toBe(id)
      expect(await subscriptions().ofSource('btcpay', source.ref)).toBeUndefined()
      expect(await hasSeen(first.event!)).toBe(true)
      expect(await hasSeen({ ...first.event!, provider: 'btcpay' })).toBe(false)
      expect((await current().orders.find(order.id))?.state).toBe('paid')
      expect(await current().emails.waiting()).toBe(2)

      const [other, changed] = [newSource(), { ...source, renews: false, failingSince: NOW, customer: null }]
      await settled(current(), newSettlement({ id, revision: 1 }, { source: other, event: null }))
      const refunded = { ...payments[0]!, state: 'refunded' as const }
      await settled(
        current(),
        newSettlement({ id, revision: 2 }, { source: changed, payments: [refunded], change: { failingSince: NOW } }),
      )
      expect(await subscriptions().sources(id)).toEqual([changed, other].toSorted((a, b) => (a.ref < b.ref ? -1 : 1)))
      expect(await subscriptions().payments(id)).toHaveLength(2)
      expect(await subscriptions().payments(id)).toContainEqual(refunded)
      expect(await subscriptions().find(id)).toMatchObject({ failingSince: NOW, renews: true, revision: 3 })
    })

    test('settles an event once, and rejects an outdated revision', async () => {
      const subscription = await subscribed(current())
      const first = await settled(current(), newSettlement(subscription))
      const order = newOrder()
      await current().orders.insert(order)
      const late = { order: { id: order.id, state: 'paid' as const }, emails: [newEmail()], change: { lapsed: true } }
      const { id } = subscription
      const again = newSettlement({ id, revision: 1 }, { ...late, event: first.event })
      expect(await subscriptions().settle(again)).toBe('duplicate')
      expect(await subscriptions().settle({ ...again, revision: 0 })).toBe('duplicate')
      expect(await subscriptions().settle(newSettlement(subscription, late))).toBe('conflict')
      expect(await subscriptions().settle(newSettlement(subscription, { ...late, event: null }))).toBe('conflict')
      expect(await subscriptions().settle(newSettlement({ id: key(), revision: 0 }, late))).toBe('conflict')
      const elsewhere = await subscribed(current())
      expect(await subscriptions().settle({ ...again, subscriptionId: elsewhere.id, revision: 0 })).toBe('duplicate')
      expect(await subscriptions().find(id)).toMatchObject({ revision: 1, lapsed: false })
      expect(await subscriptions().find(elsewhere.id)).toEqual(elsewhere)
      expect(await subscriptions().sources(id)).toEqual([first.source])
      expect(await subscriptions().payments(id)).toEqual(first.payments)
      expect((await current().orders.find(order.id))?.state).toBe('open')
      expect(await current().emails.waiting()).toBe(0)
    })

    test('leaves nothing behind after a failed settlement', async () => {
      const subscription = await subscribed(current())
      const { payments, ...settlement } = newSettlement(subscription, { emails: [newEmail()] })
      await expect(subscriptions().settle({ ...settlement, payments: [...payments, ...payments] })).rejects.toThrow()
      expect(await subscriptions().find(subscription.id)).toEqual(subscription)
      expect(await hasSeen(settlement.event!)).toBe(false)
      expect(await current().emails.waiting()).toBe(0)
      expect(await subscriptions().settle({ ...settlement, payments })).toBe('settled')
    })

    test('settles although an email is already queued', async () => {
      const subscription = await subscribed(current())
      const emails = [newEmail()]
      await current().emails.add(emails)
      expect(await subscriptions().settle(newSettlement(subscription, { emails }))).toBe('settled')
      expect(await current().emails.waiting()).toBe(1)
    })

    test('settles the same event once under concurrency', async () => {
      const subscription = await subscribed(current())
      const settlement = newSettlement(subscription)
      const answers = await Promise.all(
        times(20, () => subscriptions().settle({ ...settlement, emails: [newEmail()] })),
      )
      expect(answers.toSorted()).toEqual([...times(19, () => 'duplicate'), 'settled'])
      expect(await subscriptions().payments(subscription.id)).toEqual(settlement.payments)
      expect(await current().emails.waiting()).toBe(1)
    })

    test('settles one of many concurrent events, and all of them after retries', async () => {
      const { id } = await subscribed(current())
      const firsts = await Promise.all(
        times(20, () => subscriptions().settle(newSettlement({ id, revision: 0 }, { payments: [] }))),
      )
      expect(firsts.toSorted()).toEqual([...times(19, () => 'conflict'), 'settled'])

      const year = 365 * DAY
      const settleAgain = async (): Promise<number> => {
        const source = newSource({ provider: 'btcpay', plan: 'crypto' })
        const payment = newPayment(source, { pays: { span: year } })
        const event = { provider: 'btcpay' as const, id: key(), receivedAt: NOW }
        for (let tries = 1; ; tries++) {
          const { revision } = (await subscriptions().find(id))!
          const all = [...(await subscriptions().payments(id)), payment]
          const change = { paidUntil: paidUntil(all) }
          const settlement = newSettlement({ id, revision }, { source, payments: [payment], event, change })
          if ((await subscriptions().settle(settlement)) === 'settled') return tries
        }
      }
      const tries = await Promise.all(times(8, settleAgain))
      expect(Math.max(...tries)).toBeGreaterThan(1)
      expect(await subscriptions().find(id)).toMatchObject({ revision: 9, paidUntil: NOW + 8 * year })
      expect(await subscriptions().payments(id)).toHaveLength(8)
      expect(await subscriptions().sources(id)).toHaveLength(9)
    })

    test('forgets the ids of old events, the oldest first and up to a limit', async () => {
      const { id } = await subscribed(current())
      const events = times(4, (i) => ({ provider: 'stripe' as const, id: key(), receivedAt: NOW + i }))
      for (const [revision, event] of events.entries())
        await settled(current(), newSettlement({ id, revision }, { event }))
      const seen = () => Promise.all(events.map(hasSeen))
      expect(await subscriptions().forgetEvents(NOW, 10)).toBe(0)
      expect(await subscriptions().forgetEvents(NOW + 3, 2)).toBe(2)
      expect(await seen()).toEqual([false, false, true, true])
      expect(await subscriptions().forgetEvents(NOW + 3, 2)).toBe(1)
      expect(await seen()).toEqual([false, false, false, true])
      expect(await subscriptions().payments(id)).toHaveLength(4)
    })

    test('changes only the given revision, and queues emails with it', async () => {
      const { id } = await subscribed(current(), { language: 'de' })
      const change = { noticeAt: NOW, lapsed: true, plan: 'year' as const, failingSince: 5, language: 'fa' }
      const answers = await Promise.all(times(20, () => subscriptions().change(id, 0, change, [newEmail()])))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await current().emails.waiting()).toBe(1)
      expect(await subscriptions().find(id)).toMatchObject({ ...change, paidUntil: 0, revision: 1 })
      expect(await subscriptions().change(id, 1, { noticeAt: null, failingSince: null, lapsed: false })).toBe(true)
      expect(await subscriptions().find(id)).toMatchObject({
        ...change,
        noticeAt: null,
        failingSince: null,
        lapsed: false,
      })
      expect(await subscriptions().change(key(), 0, change)).toBe(false)
    })

    test('lists paid subscriptions that end before a time and have not lapsed, soonest first', async () => {
      const ends = [3, 1, 2].map((days) => NOW + days * DAY)
      const created = []
      for (const end of ends) created.push(await subscribed(current(), { paidUntil: end, plan: 'month' }))
      await subscribed(current(), { paidUntil: NOW, lapsed: true })
      await subscribed(current())
      const refunded = await subscribed(current())
      const source = newSource()
      const payments = [newPayment(source, { state: 'refunded' })]
      await settled(current(), newSettlement(refunded, { source, payments, change: { paidUntil: 0 } }))
      const ids = async (before: number, limit: number) =>
        (await subscriptions().ending(before, limit)).map(({ id }) => id)
      expect(await ids(NOW + 3 * DAY, 10)).toEqual([refunded.id, created[1]!.id, created[2]!.id])
      expect(await ids(NOW + 3 * DAY + 1, 10)).toHaveLength(4)
      expect(await ids(NOW + 9 * DAY, 2)).toEqual([refunded.id, created[1]!.id])
    })

    test('continues the list after the last of a batch, even if many end at the same time', async () => {
      const expected = []
      for (const end of [1, 2, 2, 2, 2, 3].map((days) => NOW + days * DAY))
        expected.push(await subscribed(current(), { paidUntil: end, plan: 'month' }))
      expected.sort((a, b) => a.paidUntil - b.paidUntil || (a.id < b.id ? -1 : 1))
      const found = []
      for (let last: Subscription | undefined; ;) {
        const page = await subscriptions().ending(NOW + 9 * DAY, 2, last)
        found.push(...page)
        last = page.at(-1)
        if (!last) break
      }
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    })

    test('lists subscriptions by id in batches, and counts them', async () => {
      expect(await subscriptions().count(NOW)).toEqual({ all: 0, paid: 0 })
      const ids = []
      for (const end of [0, NOW, NOW + 1, NOW + 2]) ids.push((await subscribed(current(), { paidUntil: end })).id)
      ids.sort()
      const page = await subscriptions().list(3)
      expect(page.map(({ id }) => id)).toEqual(ids.slice(0, 3))
      expect((await subscriptions().list(3, ids[2])).map(({ id }) => id)).toEqual(ids.slice(3))
      expect(await subscriptions().count(NOW)).toEqual({ all: 4, paid: 2 })
    })

    test('removes a subscription with everything but payments and events', async () => {
      const store = current()
      const make = async (emailKey: string) => {
        const { id } = await subscribed(store, { emailKey })
        const [address, tokenHash] = [await claimed(store), key()]
        const span = { createdAt: NOW, expiresAt: NOW + DAY }
        const order = newOrder({ emailKey })
        await store.orders.insert(order)
        await store.accounts.addLink({ tokenHash, subscriptionId: id, browserHash: null, ...span }, NOW, 1)
        const session = {
          id: key(),
          tokenHash,
          subscriptionId: id,
          sealedLabel: new Uint8Array(3),
          seenAt: NOW,
          ...span,
        }
        await store.accounts.addSession(session, tokenHash)
        await store.keptAddresses.add(newKeptAddress(id, address), 1, NOW)
        const domain = { name: `${emailKey}.example`, subscriptionId: id, state: 'verified' as const, createdAt: NOW }
        const seen = { checkedAt: NOW, failingSince: null, txtFound: true, mxFound: true, catchAll: null }
        await store.ownDomains.add({ ...domain, ...seen }, 1)
        const settlement = await settled(store, newSettlement({ id, revision: 0 }))
        return { id, tokenHash, order, settlement }
      }
      const [gone, kept] = [await make('gone'), await make('kept')]
      const state = ({ id, tokenHash, order, settlement }: typeof gone) =>
        Promise.all([
          subscriptions().find(id),
          store.accounts.findLink(tokenHash, NOW),
          store.accounts.findSession(tokenHash, NOW),
          store.orders.find(order.id),
          store.ownDomains.list(id).then(([first]) => first),
          store.keptAddresses.list(id, NOW).then(([first]) => first),
          subscriptions().ofSource('stripe', settlement.source.ref),
          subscriptions()
            .payments(id)
            .then(([first]) => first),
        ])
      await store.orders.setRef(gone.order.id, 'open')
      await store.orders.insert(newOrder({ emailKey: 'gone', state: 'pending', providerRef: 'pending' }))
      await store.orders.insert(newOrder({ emailKey: 'gone' }))
      expect(await subscriptions().remove(gone.id)).toEqual([{ provider: gone.order.provider, ref: 'open' }])
      expect((await state(gone)).filter((each) => each !== undefined)).toEqual([])
      expect((await state(kept)).filter((each) => each === undefined)).toEqual([])
      expect(await hasSeen(gone.settlement.event!)).toBe(true)
      const [payment] = gone.settlement.payments
      expect(await subscriptions().hasPayment('stripe', payment!.id)).toBe(true)
      expect(await subscriptions().hasPayment('btcpay', payment!.id)).toBe(false)
      expect(await subscriptions().settle(newSettlement({ id: gone.id, revision: 1 }))).toBe('conflict')
      // The email address may subscribe again.
      expect((await subscribed(store, { emailKey: 'gone' })).id).not.toBe(gone.id)
    })
  })
}
