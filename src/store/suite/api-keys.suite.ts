import { describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { claimed, key, newAddress, NOW } from './fixtures.ts'
import { newApiKey, newKeptAddress, subscribed } from './premium-fixtures.ts'

export function apiKeysContract(current: () => Store): void {
  const keys = () => current().apiKeys

  describe('API keys', () => {
    test('finds and lists a key, records its use, and lets only its owner remove it', async () => {
      const [{ id }, other] = [await subscribed(current()), await subscribed(current())]
      const [first, second] = [newApiKey(id), newApiKey(id, { createdAt: NOW + 1 })]
      for (const each of [second, first, newApiKey(other.id)]) expect(await keys().add(each, 5)).toBe(true)
      expect(await keys().find(first.tokenHash)).toEqual(first)
      expect(await keys().find(key())).toBeUndefined()
      expect(await keys().list(id)).toEqual([first, second])
      await keys().touch(first.id, NOW + HOUR)
      expect(await keys().list(id)).toEqual([{ ...first, usedAt: NOW + HOUR }, second])
      expect(await keys().remove(other.id, first.id)).toBe(false)
      expect(await keys().remove(id, first.id)).toBe(true)
      expect(await keys().remove(id, first.id)).toBe(false)
      expect(await keys().find(first.tokenHash)).toBeUndefined()
      expect(await keys().list(id)).toEqual([second])
    })

    test('keeps the limit under concurrency, and adds no key without a subscription', async () => {
      const { id } = await subscribed(current())
      const answers = await Promise.all(Array.from({ length: 20 }, () => keys().add(newApiKey(id), 3)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await keys().list(id)).toHaveLength(3)
      expect(await keys().add(newApiKey(key()), 3)).toBe(false)
    })

    test('removes the keys with the subscription', async () => {
      const [gone, kept] = [await subscribed(current()), await subscribed(current())]
      for (const { id } of [gone, kept]) await keys().add(newApiKey(id), 1)
      await current().subscriptions.remove(gone.id)
      expect(await keys().list(gone.id)).toEqual([])
      expect(await keys().list(kept.id)).toHaveLength(1)
    })

    test('keeps the quota of live addresses under concurrency', async () => {
      const { addresses } = current()
      const [{ id }, other] = [await subscribed(current()), await subscribed(current())]
      const quota = { subscriptionId: id, max: 3 }
      const created = Array.from({ length: 12 }, (_, i) => newAddress({ quota, expiresAt: NOW + (i + 1) * HOUR }))
      const answers = await Promise.all(created.map((address) => addresses.claim(address, NOW)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await addresses.claim(newAddress({ quota }), NOW)).toBe(false)
      // Addresses of other subscriptions, and those that no key created, do not count.
      expect(await addresses.claim(newAddress({ quota: { ...quota, subscriptionId: other.id } }), NOW)).toBe(true)
      expect(await addresses.claim(newAddress(), NOW)).toBe(true)

      const alive = created.filter((_, i) => answers[i])
      const ids = alive.map((address) => address.id)
      expect((await addresses.ofKeys(id, NOW)).toSorted()).toEqual(ids.toSorted())
      const [first] = alive
      expect(await addresses.find(first!.id, NOW)).toMatchObject({ keySubscriptionId: id, subscriptionId: null })
      expect(await addresses.findRecipients([first!.nameKey], NOW)).toMatchObject([{ keySubscriptionId: id }])

      // An address that expired or was deleted makes room for another.
      const end = first!.expiresAt
      expect(await addresses.claim(newAddress({ quota, expiresAt: NOW + DAY }), end)).toBe(true)
      expect(await addresses.claim(newAddress({ quota }), end)).toBe(false)
      await addresses.remove(ids[2]!, NOW)
      expect(await addresses.claim(newAddress({ quota, expiresAt: NOW + DAY }), end)).toBe(true)
      expect(await addresses.claim(newAddress({ quota }), end)).toBe(false)
    })

    test('knows which key of a subscription created an address', async () => {
      const { addresses } = current()
      const { id } = await subscribed(current())
      const byKey = (keyId?: string, ownDomain?: string) =>
        claimed(current(), { quota: { subscriptionId: id, max: 9, keyId, ownDomain } })
      const [one, other, earlier] = [await byKey('one'), await byKey('other', 'own.example'), await byKey()]
      expect(await addresses.ofKeys(id, NOW, { keyId: 'one' })).toEqual([one.id])
      for (const ownDomain of ['own.example', true] as const) {
        expect(await addresses.ofKeys(id, NOW, { ownDomain })).toEqual([other.id])
        expect(await addresses.ofKeys(id, NOW, { keyId: 'one', ownDomain })).toEqual([])
      }
      expect((await addresses.ofKeys(id, NOW)).toSorted()).toEqual([one.id, other.id, earlier.id].toSorted())
      expect(await addresses.ofKeys(id, one.expiresAt, { keyId: 'one' })).toEqual([])
    })

    test('removes an address only while it has the expected secret, or is one of the keys', async () => {
      const { addresses } = current()
      const { id: keySubscriptionId } = await subscribed(current())
      const quota = { subscriptionId: keySubscriptionId, max: 9 }
      const [ofKey, kept] = [await claimed(current(), { quota }), await claimed(current(), { quota })]
      await current().keptAddresses.add(newKeptAddress(keySubscriptionId, kept), 9, NOW)
      const remove = ({ id }: { id: string }, expected: object) => addresses.remove(id, NOW + DAY, undefined, expected)
      const isFree = ({ nameKey }: { nameKey: string }) => addresses.claim(newAddress({ nameKey }), NOW + 2 * DAY)
      expect(await remove(kept, { keySubscriptionId })).toBe(false)
      expect(await remove(ofKey, { keySubscriptionId: key() })).toBe(false)
      expect(await remove(kept, { secretId: key() })).toBe(false)
      expect(await remove(ofKey, { keySubscriptionId, secretId: key() })).toBe(false)
      for (const each of [ofKey, kept]) {
        expect(await addresses.find(each.id, NOW)).toBeDefined()
        expect(await isFree(each)).toBe(false)
      }
      expect(await remove(kept, { secretId: kept.id })).toBe(true)
      expect(await remove(ofKey, { keySubscriptionId, secretId: ofKey.id })).toBe(true)
      for (const each of [ofKey, kept]) expect(await isFree(each)).toBe(true)
    })

    test('leaves a name free that the quota refused', async () => {
      const { id } = await subscribed(current())
      const address = newAddress({ quota: { subscriptionId: id, max: 0 } })
      expect(await current().addresses.claim(address, NOW)).toBe(false)
      expect(await current().addresses.claim(newAddress({ nameKey: address.nameKey }), NOW)).toBe(true)
    })

    test('no longer counts a test address that a subscriber keeps', async () => {
      const { id } = await subscribed(current())
      const address = await claimed(current(), { quota: { subscriptionId: id, max: 1 } })
      expect(await current().keptAddresses.add(newKeptAddress(id, address), 1, NOW)).toBe(true)
      expect(await current().addresses.ofKeys(id, NOW)).toEqual([])
      expect(await current().addresses.find(address.id, NOW)).toMatchObject({ subscriptionId: id })
    })
  })
}
