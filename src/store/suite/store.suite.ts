import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { accountsContract } from './accounts.suite.ts'
import { apiKeysContract } from './api-keys.suite.ts'
import { deliveriesContract } from './deliveries.suite.ts'
import { lettersContract } from './emails.suite.ts'
import { claimed, key, newAddress, newMessage, NOW } from './fixtures.ts'
import { forwardingConsentContract } from './forwarding-consent.suite.ts'
import { forwardingJobsContract } from './forwarding-jobs.suite.ts'
import { forwardingsContract } from './forwardings.suite.ts'
import { keptAddressesContract } from './kept-addresses.suite.ts'
import { messagesContract } from './messages.suite.ts'
import { ordersContract } from './orders.suite.ts'
import { ownDomainsContract } from './own-domains.suite.ts'
import { passwordsContract } from './passwords.suite.ts'
import { pushesContract } from './pushes.suite.ts'
import { secretsContract } from './secrets.suite.ts'
import { subscriptionsContract } from './subscriptions.suite.ts'
import { webhooksContract } from './webhooks.suite.ts'
import { wrapsContract } from './wraps.suite.ts'

/**
 * Tests the store of a dialect. `open` returns an empty store, which all tests use one after the other, because opening one
 * takes longer than most tests. `empty` deletes its rows.
 */
export function storeContract(name: string, open: () => Promise<Store>, empty: () => void | Promise<void>): void {
  describe(`the store on ${name}`, () => {
    let store: Store
    beforeAll(async () => void (store = await open()))
    afterEach(empty)
    afterAll(() => store.close())

    describe('addresses', () => {
      test('stores the faults of a live address', async () => {
        const address = await claimed(store)
        const faults = randomBytes(40)
        expect(await store.addresses.setFaults(address.id, faults, NOW)).toBe(true)
        expect(await store.addresses.find(address.id, NOW)).toMatchObject({ sealedFaults: new Uint8Array(faults) })
        const [found] = await store.addresses.findRecipients([address.nameKey], NOW)
        expect(found?.sealedFaults).toEqual(new Uint8Array(faults))
        expect(await store.addresses.setFaults(address.id, null, NOW)).toBe(true)
        expect(await store.addresses.find(address.id, NOW)).toMatchObject({ sealedFaults: null })
        expect(await store.addresses.setFaults(address.id, faults, address.expiresAt)).toBe(false)
        expect(await store.addresses.setFaults(key(), faults, NOW)).toBe(false)
      })

      test('finds a claimed address by its id and by its name', async () => {
        const address = await claimed(store)
        const { heldUntil: _, ...row } = address
        const found = await store.addresses.find(address.id, NOW)
        expect(found).toEqual({
          ...row,
          secretId: row.id,
          sealedEarlierKeys: null,
          sealedFaults: null,
          publicKey: new Uint8Array(row.publicKey),
          sealedName: new Uint8Array(row.sealedName),
          usedBytes: 0,
          revision: 0,
          subscriptionId: null,
          keySubscriptionId: null,
          private: false,
          forwards: false,
          pushes: false,
        })
        const { id, nameKey, lifetime } = row
        expect(await store.addresses.findRecipients([key(), nameKey, key()], NOW)).toEqual([
          {
            id,
            nameKey,
            lifetime,
            publicKey: new Uint8Array(row.publicKey),
            usedBytes: 0,
            subscriptionId: null,
            keySubscriptionId: null,
            private: false,
            forwards: false,
            pushes: false,
            sealedFaults: null,
          },
        ])
        expect(await store.addresses.find(key(), NOW)).toBeUndefined()
        expect(await store.addresses.findAll([key(), address.id, key()], NOW)).toEqual([found])
        expect(await store.addresses.findRecipients([], NOW)).toEqual([])
      })

      test('returns the subscription of an address and whether it is private', async () => {
        const subscriptionId = key()
        const { id, nameKey } = await claimed(store, { subscriptionId, private: true })
        expect(await store.addresses.find(id, NOW)).toMatchObject({ subscriptionId, private: true })
        expect(await store.addresses.findRecipients([nameKey], NOW)).toMatchObject([{ subscriptionId, private: true }])
      })

      test('keeps an address alive until the millisecond in which it expires', async () => {
        const { id, nameKey, expiresAt } = await claimed(store)
        expect(await store.addresses.find(id, expiresAt - 1)).toBeDefined()
        expect(await store.addresses.find(id, expiresAt)).toBeUndefined()
        expect(await store.addresses.findAll([id], expiresAt)).toEqual([])
        expect(await store.addresses.findRecipients([nameKey], expiresAt - 1)).toHaveLength(1)
        expect(await store.addresses.findRecipients([nameKey], expiresAt)).toEqual([])
      })

      test('rejects claims of a live name, even with its secret', async () => {
        const { id, nameKey } = await claimed(store)
        const other = newAddress({ nameKey })
        expect(await store.addresses.claim(other, NOW)).toBe(false)
        expect(await store.addresses.claim(other, NOW, id)).toBe(false)
        expect(await store.addresses.find(other.id, NOW)).toBeUndefined()
        expect((await store.addresses.findRecipients([nameKey], NOW))[0]?.id).toBe(id)
      })

      test('gives a name to one of many concurrent claims', async () => {
        const nameKey = key()
        const rivals = Array.from({ length: 20 }, () => newAddress({ nameKey }))
        const answers = await Promise.all(rivals.map((each) => store.addresses.claim(each, NOW)))
        expect(answers.filter(Boolean)).toHaveLength(1)
        const alive = await Promise.all(rivals.map(({ id }) => store.addresses.find(id, NOW)))
        expect(alive.map((row) => row !== undefined)).toEqual(answers)
      })

      test('reserves the name of a deleted address for its former secret, then frees it', async () => {
        const { id, nameKey } = await claimed(store)
        const heldUntil = NOW + 30 * DAY
        expect(await store.addresses.remove(id, heldUntil)).toBe(true)
        expect(await store.addresses.claim(newAddress({ nameKey }), heldUntil - 1)).toBe(false)
        expect(await store.addresses.claim(newAddress({ nameKey }), heldUntil - 1, key())).toBe(false)
        const again = newAddress({ nameKey })
        expect(await store.addresses.claim(again, NOW, id)).toBe(true)
        expect(await store.addresses.find(again.id, NOW)).toBeDefined()
        // When it is claimed again it is alive, and the first secret no longer has rights.
        expect(await store.addresses.claim(newAddress({ nameKey }), NOW, id)).toBe(false)

        expect(await store.addresses.remove(again.id, heldUntil)).toBe(true)
        expect(await store.addresses.claim(newAddress({ nameKey }), heldUntil, undefined)).toBe(true)
      })

      test('gives an existing address no second name, and creates a deleted one again under its id', async () => {
        const address = await claimed(store)
        const again = { ...address, nameKey: key() }
        expect(await store.addresses.claim(again, NOW)).toBe(false)
        expect(await store.addresses.findRecipients([again.nameKey], NOW)).toEqual([])
        expect(await store.addresses.claim(newAddress({ nameKey: again.nameKey }), NOW)).toBe(true)
        await store.addresses.remove(address.id, NOW + DAY)
        // Knowing only the id is not enough.
        expect(await store.addresses.claim(address, NOW)).toBe(false)
        expect(await store.addresses.claim(address, NOW, address.id)).toBe(true)
        expect(await store.addresses.findRecipients([address.nameKey], NOW)).toMatchObject([{ id: address.id }])
      })

      test('replaces an expired address before the sweep, with all its data', async () => {
        const old = await claimed(store)
        const message = newMessage(old.id, { expiresAt: NOW + 90 * DAY })
        await store.messages.append([message])
        const after = old.heldUntil
        expect(await store.addresses.claim(newAddress({ nameKey: old.nameKey, expiresAt: after + DAY }), after)).toBe(
          true,
        )
        expect(await store.messages.body(message)).toBeUndefined()
        expect(await store.messages.list(old.id, { now: NOW, limit: 10 })).toEqual([])
        expect(await store.addresses.removeExpired(after, 10)).toEqual([])
      })

      test('lets the former holder claim an expired address before the sweep', async () => {
        const old = await claimed(store)
        const again = newAddress({ nameKey: old.nameKey, expiresAt: old.expiresAt + DAY })
        expect(await store.addresses.claim(again, old.expiresAt, old.id)).toBe(true)
        expect((await store.addresses.findRecipients([old.nameKey], old.expiresAt))[0]?.id).toBe(again.id)
      })

      test('extends only live addresses and their reservations, never backwards', async () => {
        const { id, nameKey, expiresAt, heldUntil } = await claimed(store)
        expect(await store.addresses.extend(id, expiresAt + HOUR, heldUntil + HOUR, NOW)).toBe(true)
        expect((await store.addresses.find(id, NOW))?.expiresAt).toBe(expiresAt + HOUR)
        expect(await store.addresses.extend(id, expiresAt - HOUR, heldUntil - HOUR, NOW)).toBe(true)
        expect((await store.addresses.find(id, NOW))?.expiresAt).toBe(expiresAt + HOUR)
        expect(await store.addresses.claim(newAddress({ nameKey }), heldUntil + HOUR - 1)).toBe(false)

        expect(await store.addresses.extend(id, expiresAt + DAY, heldUntil + DAY, expiresAt + HOUR)).toBe(false)
        expect(await store.addresses.extend(key(), expiresAt, heldUntil, NOW)).toBe(false)
        expect(await store.addresses.claim(newAddress({ nameKey }), heldUntil + HOUR)).toBe(true)
      })

      test('deletes everything that belongs to the address, and nothing else', async () => {
        const [address, other] = [await claimed(store), await claimed(store)]
        const [kept] = [newMessage(other.id)]
        const many = Array.from({ length: 450 }, () => newMessage(address.id))
        await store.messages.append([...many, kept])
        await store.messages.remove(address.id, many[0]!.id)
        expect(await store.addresses.remove(address.id, NOW + DAY)).toBe(true)
        expect(await store.addresses.remove(address.id, NOW + DAY)).toBe(false)
        expect(await store.addresses.find(address.id, NOW)).toBeUndefined()
        expect(await store.messages.list(address.id, { now: NOW, limit: 1000 })).toEqual([])
        expect(await store.messages.changes(address.id, 0, NOW)).toEqual({ messages: [], deleted: [] })
        expect(await Promise.all(many.map((each) => store.messages.body(each)))).toEqual(many.map(() => undefined))
        expect(await store.messages.body(kept)).toEqual(new Uint8Array(kept.sealedBody))
        expect(await store.messages.append([newMessage(address.id)])).toEqual(['gone'])
        expect(await store.stats(NOW)).toMatchObject({ addresses: 1, names: 2, messages: 1, bytes: kept.size })
      })

      test('does not extend the reservation when an address is deleted twice', async () => {
        const { id, nameKey } = await claimed(store)
        await store.addresses.remove(id, NOW + DAY)
        await store.addresses.remove(id, NOW + 90 * DAY)
        expect(await store.addresses.claim(newAddress({ nameKey }), NOW + DAY)).toBe(true)
      })

      test('removes expired addresses up to a limit, oldest first, and keeps their names reserved', async () => {
        const ends = [3, 1, 2, 9].map((hours) => NOW + hours * HOUR)
        const addresses = []
        for (const expiresAt of ends) addresses.push(await claimed(store, { expiresAt }))
        const ids = addresses.map(({ id }) => id)
        const late = newMessage(ids[0]!, { receivedAt: NOW, expiresAt: NOW + 30 * DAY })
        await store.messages.append([late, newMessage(ids[3]!)])
        expect(await store.addresses.removeExpired(NOW, 10)).toEqual([])
        const first = await store.addresses.removeExpired(NOW + 3 * HOUR, 2)
        expect(first.toSorted()).toEqual([ids[1], ids[2]].toSorted())
        expect(await store.addresses.removeExpired(NOW + 3 * HOUR, 2)).toEqual([ids[0]])
        expect(await store.addresses.removeExpired(NOW + 3 * HOUR, 2)).toEqual([])
        expect(await store.messages.body(late)).toBeUndefined()
        const rival = newAddress({ nameKey: addresses[1]!.nameKey, expiresAt: NOW + 90 * DAY })
        expect(await store.addresses.claim(rival, addresses[1]!.heldUntil - 1)).toBe(false)
        expect(await store.addresses.claim(rival, addresses[1]!.heldUntil)).toBe(true)
        expect(await store.stats(NOW)).toMatchObject({ addresses: 2, messages: 1 })
      })

      test('removes names whose quarantine is over, up to a limit', async () => {
        await claimed(store, { lifetime: 'operator', expiresAt: NEVER, heldUntil: NEVER })
        for (const hours of [1, 2, 3]) {
          const { id } = await claimed(store)
          await store.addresses.remove(id, NOW + hours * HOUR)
        }
        expect(await store.addresses.forgetNames(NOW + HOUR - 1, 10)).toBe(0)
        expect(await store.addresses.forgetNames(NOW + 3 * HOUR, 2)).toBe(2)
        expect(await store.addresses.forgetNames(NOW + 3 * HOUR, 2)).toBe(1)
        expect((await store.stats(NOW)).names).toBe(1)
      })
    })

    deliveriesContract(() => store)
    messagesContract(() => store)
    ordersContract(() => store)
    subscriptionsContract(() => store)
    lettersContract(() => store)
    accountsContract(() => store)
    secretsContract(() => store)
    passwordsContract(() => store)
    keptAddressesContract(() => store)
    ownDomainsContract(() => store)
    apiKeysContract(() => store)
    webhooksContract(() => store)
    pushesContract(() => store)
    wrapsContract(() => store)
    forwardingConsentContract(() => store)
    forwardingsContract(() => store)
    forwardingJobsContract(() => store)

    test('counts what is alive', async () => {
      const { id } = await claimed(store)
      await claimed(store, { expiresAt: NOW + HOUR })
      await store.messages.append([newMessage(id), newMessage(id, { expiresAt: NOW + HOUR, size: 500 })])
      const stats = await store.stats(NOW)
      expect(stats).toMatchObject({ addresses: 2, names: 2, messages: 2, bytes: 1500 })
      expect(stats.fileBytes).toBeGreaterThan(1000)
      expect(await store.stats(NOW + HOUR)).toMatchObject({ addresses: 1, names: 2, messages: 1 })
    })

    test('removes retracted messages', async () => {
      const { id } = await claimed(store)
      const [kept, doubtful] = [newMessage(id), newMessage(id)]
      await store.messages.append([kept, doubtful])
      await store.messages.retract([doubtful, newMessage(id)])
      await expect.poll(() => store.messages.list(id, { now: NOW, limit: 10 })).toMatchObject([{ id: kept.id }])
      expect(await store.messages.body(doubtful)).toBeUndefined()
      expect((await store.addresses.find(id, NOW))?.usedBytes).toBe(kept.size)
    })

    test('keeps the first value of a metadata entry under concurrency', async () => {
      const answers = await Promise.all(['a', 'b', 'c'].map((value) => store.ensureMetadata('colour', value)))
      expect(new Set(answers).size).toBe(1)
      expect(await store.ensureMetadata('colour', 'd')).toBe(answers[0])
      expect(await store.ensureMetadata('size', 'd')).toBe('d')
      for (const value of ['e', 'f']) await store.setMetadata('size', value)
      await store.setMetadata('weight', 'g')
      expect([await store.ensureMetadata('size', 'h'), await store.ensureMetadata('weight', 'h')]).toEqual(['f', 'g'])
      expect(await store.ensureMetadata('colour', 'd')).toBe(answers[0])
    })

    // The last test, because it closes the store.
    test('passes the health check while open, and fails it when closed', async () => {
      await store.check()
      await store.check()
      await store.close()
      await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' })
      await expect(store.messages.append([newMessage(key())])).rejects.toMatchObject({ code: 'store_unavailable' })
    })
  })
}
