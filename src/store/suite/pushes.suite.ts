import { describe, expect, test } from 'vitest'
import type { PushSubscription } from '#core/push/push.ts'
import type { Store } from '#core/store.ts'
import { MINUTE, SECOND } from '#core/time.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'
import { subscribed as premium } from './premium-fixtures.ts'

const GAP = 5 * SECOND
const ANY = { limit: 100, except: [] }

export function pushesContract(current: () => Store): void {
  const pushes = () => current().pushes
  const take = (now: number, rules: { limit: number; except: readonly string[] } = ANY) =>
    pushes().take(now, now + MINUTE, rules)

  const newSubscription = (addressId: string, fields: Partial<PushSubscription> = {}): PushSubscription => ({
    id: key(),
    addressId,
    sealed: Uint8Array.of(1, 2, 3),
    hostKey: key(),
    sessionId: null,
    createdAt: NOW,
    ...fields,
  })

  /** An address with one unread message and one subscription. */
  async function subscribed(fields: Partial<PushSubscription> = {}) {
    const { id } = await claimed(current())
    const message = newMessage(id)
    await current().messages.append([message])
    const subscription = newSubscription(id, fields)
    expect(await pushes().subscribe(subscription, 3, NOW)).toBe(true)
    return { addressId: id, messageId: message.id, subscription }
  }
  const ids = async (addressId: string) => (await pushes().list(addressId, NOW)).map(({ id }) => id)

  describe('push subscriptions', () => {
    test('mark their address, and replace the one with the same id', async () => {
      const { addressId, subscription } = await subscribed()
      expect(await current().addresses.find(addressId, NOW)).toMatchObject({ pushes: true })
      await pushes().subscribe({ ...subscription, sealed: Uint8Array.of(9), createdAt: NOW + 1 }, 3, NOW)
      expect(await pushes().list(addressId, NOW)).toMatchObject([{ id: subscription.id, createdAt: NOW + 1 }])
      await pushes().remove(key(), subscription.id)
      expect(await ids(addressId)).toEqual([subscription.id])
      await pushes().remove(addressId, subscription.id)
      expect(await ids(addressId)).toEqual([])
      await pushes().subscribe(subscription, 3, NOW)
      await pushes().forget(key())
      expect(await ids(addressId)).toEqual([subscription.id])
      await pushes().forget(subscription.id)
      expect(await ids(addressId)).toEqual([])
    })

    test('beyond the maximum replace the oldest, and need a live address', async () => {
      const { addressId, subscription } = await subscribed()
      const more = [1, 2, 3].map((i) => newSubscription(addressId, { createdAt: NOW + i }))
      for (const each of more) await pushes().subscribe(each, 3, NOW)
      expect(await ids(addressId)).toEqual(more.map(({ id }) => id))
      expect(await pushes().subscribe(newSubscription(key()), 3, NOW)).toBe(false)
      expect(await ids(subscription.id)).toEqual([])
    })

    test('end with their address, with its secret, and with their session', async () => {
      const [deleted, expired] = [await subscribed(), await subscribed()]
      await current().addresses.remove(deleted.addressId, NOW + MINUTE)
      expect(await ids(deleted.addressId)).toEqual([])
      const { expiresAt } = (await current().addresses.find(expired.addressId, NOW)) ?? { expiresAt: 0 }
      await current().addresses.removeExpired(expiresAt, 10)
      expect(await ids(expired.addressId)).toEqual([])
      const signedOut = await subscribed({ sessionId: key() })
      await pushes().queue(signedOut.addressId, signedOut.messageId, NOW, GAP)
      expect(await take(NOW)).toEqual([])
      expect(await ids(signedOut.addressId)).toEqual([])
      const replaced = await subscribed()
      const change = {
        id: replaced.addressId,
        previousSecretId: replaced.addressId,
        secretId: key(),
        publicKey: new Uint8Array(32),
        sealedName: new Uint8Array(9),
        sealedEarlierKeys: new Uint8Array(9),
        sealedSecret: null,
      }
      expect(await current().addresses.replaceSecret({ ...change, previousSecretId: key() }, NOW)).toBe(false)
      expect(await ids(replaced.addressId)).toHaveLength(1)
      expect(await current().addresses.replaceSecret(change, NOW)).toBe(true)
      expect(await ids(replaced.addressId)).toEqual([])
    })

    test('whose session has ended are not listed, and take no place from others', async () => {
      const { addressId, subscription } = await subscribed()
      for (let i = 1; i < 4; i++)
        await pushes().subscribe(newSubscription(addressId, { sessionId: key(), createdAt: NOW + i }), 3, NOW)
      expect(await ids(addressId)).toEqual([subscription.id])
    })

    test('pass to the session that replaces theirs in the same browser', async () => {
      const { accounts } = current()
      const [{ id }, other] = [await premium(current(), { confirmed: false }), await premium(current())]
      const signIn = async (session: string, subscriptionId: string, replaced?: string) => {
        const link = { tokenHash: key(), subscriptionId, browserHash: key(), createdAt: NOW, expiresAt: NOW + MINUTE }
        await accounts.addLink(link, 0, 99)
        const fields = { tokenHash: key(), sealedLabel: Uint8Array.of(1), createdAt: NOW, seenAt: NOW }
        const row = { id: session, subscriptionId, ...fields, expiresAt: NOW + MINUTE }
        expect(await accounts.addSession(row, link.tokenHash, replaced)).toBe(true)
      }
      const [first, second, third, foreign] = [key(), key(), key(), key()]
      await signIn(first, id)
      const { addressId, subscription } = await subscribed({ sessionId: first })
      await signIn(second, id, first)
      expect((await accounts.sessions(id, NOW)).map((each) => each.id)).toEqual([second])
      expect(await ids(addressId)).toEqual([subscription.id])
      // Neither a session beside it nor one of another subscription replaces it.
      await signIn(third, id)
      await signIn(foreign, other.id, second)
      expect((await accounts.sessions(id, NOW)).map((each) => each.id).toSorted()).toEqual([second, third].toSorted())
      await accounts.endSession(id, second)
      expect(await ids(addressId)).toEqual([])
    })

    test('get one push in a time, which announces the latest message', async () => {
      const { addressId, messageId, subscription } = await subscribed()
      const more = [newMessage(addressId), newMessage(addressId)]
      await current().messages.append(more)
      expect(await pushes().queue(addressId, messageId, NOW, GAP)).toBe(1)
      await pushes().queue(addressId, more[0]!.id, NOW + 1, GAP)
      expect(await pushes().waiting()).toBe(1)
      expect(await take(NOW - 1)).toEqual([])
      const [push] = await take(NOW)
      expect(push).toMatchObject({
        id: subscription.id,
        addressId,
        messageId: more[0]!.id,
        unread: 3,
        queuedAt: NOW,
        attempts: 0,
      })
      expect(await take(NOW + MINUTE - 1)).toEqual([])
      // A message that arrives while a push is being sent needs a push of its own.
      await pushes().queue(addressId, more[1]!.id, NOW + 2, GAP)
      await pushes().done(push!, NOW + 3, GAP)
      expect(await take(NOW + 2 + GAP)).toEqual([])
      const [next] = await take(NOW + 3 + GAP)
      expect(next).toMatchObject({ messageId: more[1]!.id })
      await pushes().done(next!, NOW + 3 + GAP, GAP)
      expect(await pushes().waiting()).toBe(0)
      await pushes().queue(addressId, messageId, NOW + 4 + GAP, GAP)
      expect(await take(NOW + 2 + 2 * GAP)).toEqual([])
      expect(await take(NOW + 3 + 2 * GAP)).toHaveLength(1)
    })

    test('that are no longer needed count as not sent', async () => {
      const { addressId, messageId } = await subscribed()
      await pushes().queue(addressId, messageId, NOW, GAP)
      const [push] = await take(NOW)
      expect(push).toMatchObject({ pushedAt: 0 })
      const more = newMessage(addressId)
      await current().messages.append([more])
      await pushes().queue(addressId, more.id, NOW + 1, GAP)
      await pushes().skip(push!, NOW + 2)
      const [next] = await take(NOW + 2)
      expect(next).toMatchObject({ messageId: more.id, pushedAt: 0, queuedAt: NOW + 2 })
      await pushes().skip(next!, NOW + 3)
      expect(await pushes().waiting()).toBe(0)
      // A node whose lease was over.
      await pushes().retry(next!, NOW + 4)
      expect(await pushes().waiting()).toBe(0)
    })

    test('are retried later, one per host at a time', async () => {
      const hostKey = key()
      const all = [await subscribed({ hostKey }), await subscribed({ hostKey }), await subscribed()]
      for (const { addressId, messageId } of all) await pushes().queue(addressId, messageId, NOW, GAP)
      expect(await take(NOW, { limit: 1, except: [hostKey] })).toMatchObject([{ id: all[2]!.subscription.id }])
      const [push, ...none] = await take(NOW)
      expect([push?.hostKey, none]).toEqual([hostKey, []])
      await pushes().retry(push!, NOW + GAP)
      expect(await take(NOW)).toHaveLength(1)
      expect(await take(NOW + GAP)).toMatchObject([{ id: push!.id, attempts: 1, queuedAt: NOW }])
    })
  })
}
