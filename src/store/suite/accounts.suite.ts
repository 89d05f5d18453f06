import { describe, expect, test } from 'vitest'
import { type AccountSession, SIGN_IN_TRIES, type SignInLink } from '#core/account/account.ts'
import type { Order } from '#core/billing/order.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { key, NOW } from './fixtures.ts'
import { newOrder, newSettlement, newSource, subscribed } from './premium-fixtures.ts'

const newLink = (subscriptionId: string, fields: Partial<SignInLink> = {}): SignInLink => ({
  tokenHash: key(),
  subscriptionId,
  browserHash: key(),
  createdAt: NOW,
  expiresAt: NOW + HOUR,
  ...fields,
})

const newSession = (subscriptionId: string, fields: Partial<AccountSession> = {}): AccountSession => ({
  id: key(),
  tokenHash: key(),
  subscriptionId,
  sealedLabel: new Uint8Array([1, 2, 3]),
  createdAt: NOW,
  seenAt: NOW,
  expiresAt: NOW + DAY,
  ...fields,
})

export function accountsContract(current: () => Store): void {
  const accounts = () => current().accounts

  describe('accounts', () => {
    /** Adds a session by a new link. */
    async function signIn(session: AccountSession): Promise<void> {
      const link = newLink(session.subscriptionId, { browserHash: null })
      await accounts().addLink(link, 0, 99)
      expect(await accounts().addSession(session, link.tokenHash)).toBe(true)
    }

    /** Creates a subscription with the order that paid for it. */
    async function paidFor(change: Partial<Subscription> = {}) {
      const subscription = await subscribed(current(), change)
      const order = newOrder({ emailKey: subscription.emailKey, state: 'paid' })
      await current().orders.insert(order)
      const source = newSource({ orderId: order.id })
      await current().subscriptions.settle(newSettlement(subscription, { source, order: null }))
      return { id: subscription.id, order }
    }

    test('finds a link until it expires, and adds one of many sessions by it', async () => {
      const { id } = await subscribed(current())
      const [link, mailed] = [newLink(id), newLink(id, { browserHash: null })]
      for (const each of [link, mailed]) expect(await accounts().addLink(each, 0, 9)).toBe(true)
      expect(await accounts().findLink(link.tokenHash, NOW + HOUR - 1)).toEqual({ ...link, used: false })
      expect(await accounts().findLink(mailed.tokenHash, NOW)).toEqual({ ...mailed, used: false })
      expect(await accounts().findLink(link.tokenHash, NOW + HOUR)).toBeUndefined()
      const sessions = Array.from({ length: 20 }, () => newSession(id, { createdAt: NOW + HOUR - 1 }))
      const added = await Promise.all(sessions.map((each) => accounts().addSession(each, link.tokenHash)))
      expect(added.filter(Boolean)).toHaveLength(1)
      expect(await accounts().sessions(id, NOW)).toEqual([sessions[added.indexOf(true)]])
      expect(await accounts().findLink(link.tokenHash, NOW + HOUR - 1)).toEqual({ ...link, used: true })
      expect(await accounts().findLink(link.tokenHash, NOW + HOUR)).toBeUndefined()
      expect(await accounts().findLink(mailed.tokenHash, NOW)).toEqual({ ...mailed, used: false })
    })

    test.each<[string, (link: SignInLink) => Promise<[linkHash: string, session: AccountSession]>]>([
      [
        'that has expired',
        async (link) => [link.tokenHash, newSession(link.subscriptionId, { createdAt: NOW + HOUR })],
      ],
      ['that does not exist', async ({ subscriptionId }) => [key(), newSession(subscriptionId)]],
      ['of another subscription', async (link) => [link.tokenHash, newSession((await subscribed(current())).id)]],
      ['of no subscription', async (link) => [link.tokenHash, newSession(key())]],
    ])('adds no session by a link %s, and changes nothing', async (_which, make) => {
      const { id, order } = await paidFor()
      const paid = newSession(id)
      await accounts().addPaidSession(paid, order.id)
      const link = newLink(id)
      await accounts().addLink(link, 0, 9)
      const [linkHash, session] = await make(link)
      expect(await accounts().addSession(session, linkHash)).toBe(false)
      expect(await accounts().findSession(session.tokenHash, NOW)).toBeUndefined()
      expect(await accounts().sessions(id, NOW)).toEqual([paid])
      expect(await accounts().findLink(link.tokenHash, NOW)).toEqual({ ...link, used: false })
      for (const each of new Set([id, session.subscriptionId]))
        expect((await current().subscriptions.find(each))?.confirmed ?? false).toBe(false)
    })

    test('finds the links of a browser, unused ones first, and voids a link after too many attempts', async () => {
      const [{ id }, browserHash] = [await subscribed(current()), key()]
      const [old, link, used, ended] = [
        newLink(id, { browserHash, createdAt: NOW - 1 }),
        newLink(id, { browserHash }),
        newLink(id, { browserHash }),
        newLink(id, { browserHash, expiresAt: NOW }),
      ]
      for (const each of [old, link, used, ended, newLink(id), newLink(id, { browserHash: null })])
        await accounts().addLink(each, 0, 9)
      await accounts().addSession(newSession(id), used.tokenHash)
      const inOrder = [link, old, used].map((each) => ({ ...each, used: each === used }))
      expect(await accounts().linksOf(browserHash, NOW)).toEqual(inOrder)
      for (const none of [used.tokenHash, ended.tokenHash, key()])
        expect(await accounts().tryLink(none, NOW)).toBe(false)
      for (let i = 1; i < SIGN_IN_TRIES; i++) expect(await accounts().tryLink(link.tokenHash, NOW)).toBe(true)
      expect(await accounts().findLink(link.tokenHash, NOW)).toEqual(inOrder[0])
      const tries = await Promise.all(Array.from({ length: 20 }, () => accounts().tryLink(link.tokenHash, NOW)))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await accounts().findLink(link.tokenHash, NOW)).toBeUndefined()
      expect(await accounts().linksOf(browserHash, NOW)).toEqual(inOrder.slice(1))
      // The last attempt may succeed.
      expect(await accounts().addSession(newSession(id), link.tokenHash)).toBe(true)
      expect(await accounts().findLink(link.tokenHash, NOW)).toEqual({ ...link, used: true })
    })

    test('limits the recent links of a subscription, including used ones, under concurrency', async () => {
      const [{ id }, other] = [await subscribed(current()), await subscribed(current())]
      const requested = Array.from({ length: 20 }, () => newLink(id))
      const answers = await Promise.all(requested.map((each) => accounts().addLink(each, NOW - 1, 3)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      const found = await Promise.all(requested.map(({ tokenHash }) => accounts().findLink(tokenHash, NOW)))
      expect(found.map(Boolean)).toEqual(answers)
      await accounts().addSession(newSession(id), requested[answers.indexOf(true)]!.tokenHash)
      expect(await accounts().addLink(newLink(id), NOW - 1, 3)).toBe(false)
      expect(await accounts().addLink(newLink(id), NOW - 1, 4)).toBe(true)
      expect(await accounts().addLink(newLink(id), NOW, 1)).toBe(true)
      expect(await accounts().addLink(newLink(other.id), NOW - 1, 1)).toBe(true)
      expect(await accounts().addLink(newLink(key()), NOW - 1, 1)).toBe(false)
    })

    test('does not limit links by those from a time when the clock was far ahead', async () => {
      const { id } = await subscribed(current())
      const at = (time: number) => ({ ...newLink(id), createdAt: time, expiresAt: time + DAY })
      expect(await accounts().addLink(at(NOW + 9 * DAY), NOW + 8 * DAY, 1)).toBe(true)
      expect(await accounts().addLink(at(NOW), NOW - DAY, 1)).toBe(true)
      // A node whose clock is a little slower.
      expect(await accounts().addLink(at(NOW - 1), NOW - 1 - DAY, 1)).toBe(false)
    })

    test('finds a session by its token until it expires, and extends it when it is used', async () => {
      const { id } = await subscribed(current())
      const session = newSession(id)
      await signIn(session)
      expect(await accounts().findSession(session.tokenHash, NOW + DAY - 1)).toEqual(session)
      expect(await accounts().findSession(session.tokenHash, NOW + DAY)).toBeUndefined()
      expect(await accounts().findSession(key(), NOW)).toBeUndefined()
      const later = { seenAt: NOW + HOUR, expiresAt: NOW + HOUR + DAY }
      await accounts().touchSession(session.id, later.seenAt, later.expiresAt)
      expect(await accounts().findSession(session.tokenHash, NOW + DAY)).toEqual({ ...session, ...later })
    })

    test('lists live sessions, last seen first, and lets only their subscription end them', async () => {
      const [{ id }, other] = [await subscribed(current()), await subscribed(current())]
      const [one, two, ended] = [
        newSession(id),
        newSession(id, { seenAt: NOW + 1 }),
        newSession(id, { expiresAt: NOW }),
      ]
      for (const each of [one, two, ended, newSession(other.id)]) await signIn(each)
      expect(await accounts().sessions(id, NOW)).toEqual([two, one])
      expect(await accounts().endSession(other.id, one.id)).toBe(false)
      expect(await accounts().endSession(id, one.id)).toBe(true)
      expect(await accounts().endSession(id, one.id)).toBe(false)
      expect(await accounts().sessions(id, NOW)).toEqual([two])
      expect(await accounts().findSession(one.tokenHash, NOW)).toBeUndefined()
    })

    test('adds one session for a paid order, also when it is asked many times at once', async () => {
      const { id, order } = await paidFor()
      const sessions = Array.from({ length: 10 }, () => newSession(id))
      const added = await Promise.all(sessions.map((each) => accounts().addPaidSession(each, order.id)))
      const [session, ...others] = sessions.filter((_, i) => added[i])
      expect(others).toEqual([])
      expect(await accounts().sessions(id, NOW)).toEqual([session])
      expect(await current().orders.find(order.id)).toMatchObject({ sessionId: session!.id })
      expect(await current().subscriptions.find(id)).toMatchObject({ confirmed: false })
      await accounts().endSession(id, session!.id)
      expect(await accounts().addPaidSession(newSession(id), order.id)).toBe(false)
    })

    test.each<[string, () => Promise<{ id: string; order: Order }>]>([
      ['a confirmed subscription', () => paidFor({ confirmed: true })],
      [
        'an order that is not paid',
        async () => {
          const paid = await paidFor()
          await current().orders.setState(paid.order.id, 'refunded', ['paid'])
          return paid
        },
      ],
      [
        'a subscription that another order pays for as well',
        async () => {
          const paid = await paidFor()
          const subscription = await current().subscriptions.find(paid.id)
          await current().subscriptions.settle(newSettlement(subscription!, { order: null }))
          return paid
        },
      ],
      ['the order of another subscription', async () => ({ ...(await paidFor()), order: (await paidFor()).order })],
      ['a subscription that does not exist', async () => ({ ...(await paidFor()), id: key() })],
    ])('adds no session for %s', async (_what, make) => {
      const { id, order } = await make()
      const session = newSession(id)
      expect(await accounts().addPaidSession(session, order.id)).toBe(false)
      expect(await accounts().findSession(session.tokenHash, NOW)).toBeUndefined()
      expect(await current().orders.find(order.id)).toMatchObject({ sessionId: null })
    })

    test('confirms the subscription with the first session by email, which ends the others', async () => {
      const { id, order } = await paidFor()
      const other = await paidFor()
      const [paid, first, second] = [newSession(id), newSession(id), newSession(id, { seenAt: NOW + 1 })]
      const elsewhere = newSession(other.id)
      await accounts().addPaidSession(paid, order.id)
      await accounts().addPaidSession(elsewhere, other.order.id)
      await signIn(first)
      expect(await current().subscriptions.find(id)).toMatchObject({ confirmed: true })
      expect(await current().subscriptions.find(other.id)).toMatchObject({ confirmed: false })
      await signIn(second)
      await accounts().endUnconfirmed(id)
      expect(await accounts().sessions(id, NOW)).toEqual([second, first])
      expect(await accounts().sessions(other.id, NOW)).toEqual([elsewhere])
      await accounts().endUnconfirmed(other.id)
      expect(await accounts().sessions(other.id, NOW)).toEqual([])
    })

    test('removes expired links and sessions, up to a limit', async () => {
      const { id } = await subscribed(current())
      const [link, session] = [newLink(id, { expiresAt: NOW + 1 }), newSession(id, { expiresAt: NOW + 1 })]
      await accounts().addLink(link, 0, 9)
      await signIn(session)
      for (let i = 0; i < 2; i++) {
        await accounts().addLink(newLink(id, { expiresAt: NOW - i }), 0, 9)
        await signIn(newSession(id, { expiresAt: NOW - i }))
      }
      expect(await accounts().forget(NOW - 2, 9)).toBe(0)
      expect(await accounts().forget(NOW, 3)).toBe(3)
      expect(await accounts().forget(NOW, 3)).toBe(1)
      expect(await accounts().findLink(link.tokenHash, NOW)).toEqual({ ...link, used: false })
      expect(await accounts().findSession(session.tokenHash, NOW)).toEqual(session)
    })
  })
}
