import { describe, expect, test } from 'vitest'
import type { NewAddress } from '#core/mailbox/address.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { DAY, HOUR } from '#core/time.ts'
import { claimed, key, newAddress, newMessage, NOW } from './fixtures.ts'
import { forwarded, TERMS } from './forwarding-fixtures.ts'
import { newKeptAddress, subscribed } from './premium-fixtures.ts'

const LATER = NOW + 400 * DAY

export function keptAddressesContract(current: () => Store): void {
  const kept = () => current().keptAddresses
  const subscriber = async () => (await subscribed(current())).id
  const find = (id: string, now = NOW) => current().addresses.find(id, now)
  const isFree = ({ nameKey }: NewAddress, now: number) =>
    current().addresses.claim(newAddress({ nameKey, expiresAt: now + DAY }), now)

  /** Creates an address that the subscription keeps. */
  async function keep(id: string, max = 10) {
    const address = await claimed(current())
    const row = newKeptAddress(id, address)
    expect(await kept().add(row, max, NOW)).toBe(true)
    return { address, row }
  }

  describe('kept addresses', () => {
    test('gives a kept address the rules of a subscription and lists it with its messages', async () => {
      const id = await subscriber()
      const { address, row } = await keep(id)
      const mail = [
        newMessage(address.id, { expiresAt: NOW + 30 * DAY }),
        newMessage(address.id, { expiresAt: NOW + 30 * DAY }),
        newMessage(address.id, { expiresAt: NOW + 1 }),
      ]
      await current().messages.append(mail)
      await current().messages.mark(address.id, mail[0]!.id, { seen: true })
      const rules = { lifetime: 'subscription', expiresAt: NEVER, subscriptionId: id, private: false }
      expect(await find(address.id, LATER)).toMatchObject(rules)
      expect(await isFree(address, LATER)).toBe(false)
      const listed = { ...row, expiresAt: NEVER, usedBytes: 3000, revision: 4, sealedEarlierKeys: null }
      expect(await kept().list(id, NOW)).toEqual([{ ...listed, unread: 2 }])
      expect(await kept().find(id, address.id, NOW + 1)).toEqual({ ...listed, unread: 1 })
      expect(await kept().find(key(), address.id, NOW)).toBeUndefined()
      expect(await kept().list(key(), NOW)).toEqual([])
    })

    test('reserves its name forever, even if the address is deleted', async () => {
      const { address } = await keep(await subscriber())
      await current().addresses.extend(address.id, LATER, LATER, NOW)
      expect((await find(address.id))?.expiresAt).toBe(NEVER)
      await current().addresses.removeExpired(NEVER + 1, 10)
      expect(await isFree(address, LATER)).toBe(false)
    })

    test('marks an address without a secret as fully private', async () => {
      const id = await subscriber()
      const address = await claimed(current(), { private: true })
      const row = newKeptAddress(id, address, { sealedSecret: null, sealedLabel: new Uint8Array([1]) })
      await kept().add(row, 1, NOW)
      expect(await find(address.id)).toMatchObject({ private: true, subscriptionId: id })
      expect(await kept().list(id, NOW)).toMatchObject([row])
    })

    test('keeps the limit under concurrency', async () => {
      const id = await subscriber()
      const addresses = await Promise.all(Array.from({ length: 20 }, () => claimed(current())))
      const answers = await Promise.all(addresses.map((address) => kept().add(newKeptAddress(id, address), 3, NOW)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await kept().list(id, NOW)).toHaveLength(3)
      const rows = await Promise.all(addresses.map((address) => find(address.id)))
      expect(rows.map((row) => row?.lifetime === 'subscription')).toEqual(answers)
      expect(rows.map((row) => row?.subscriptionId === id)).toEqual(answers)
      // Adding a kept address again does not count twice.
      const again = addresses[answers.indexOf(true)]!
      expect(await kept().add(newKeptAddress(id, again), 3, NOW)).toBe(true)
      expect(await kept().list(id, NOW)).toHaveLength(3)
      expect(await kept().add(newKeptAddress(id, await claimed(current())), 4, NOW)).toBe(true)
    })

    test('rejects expired addresses, those of others, and lapsed or missing subscriptions', async () => {
      const [one, two] = [await subscriber(), await subscriber()]
      const { address } = await keep(one)
      expect(await kept().add(newKeptAddress(two, address), 9, NOW)).toBe(false)
      const taken = await claimed(current(), { subscriptionId: one })
      expect(await kept().add(newKeptAddress(two, taken), 9, NOW)).toBe(false)
      const ended = await claimed(current(), { expiresAt: NOW + 1 })
      expect(await kept().add(newKeptAddress(two, ended), 9, NOW + 1)).toBe(false)
      const free = await claimed(current())
      expect(await kept().add(newKeptAddress(key(), free), 9, NOW)).toBe(false)
      await current().subscriptions.change(two, 0, { lapsed: true })
      expect(await kept().add(newKeptAddress(two, free), 9, NOW)).toBe(false)
      expect(await kept().list(two, NOW)).toEqual([])
      expect((await find(address.id))?.subscriptionId).toBe(one)
      expect(await find(free.id)).toMatchObject({ lifetime: 'day', subscriptionId: null })
      expect(await isFree(ended, ended.heldUntil)).toBe(true)
    })

    test('lets one of many concurrent subscriptions keep an address', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, subscriber))
      const address = await claimed(current())
      const answers = await Promise.all(ids.map((id) => kept().add(newKeptAddress(id, address), 9, NOW)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await find(address.id))?.subscriptionId).toBe(ids[answers.indexOf(true)])
      const lists = await Promise.all(ids.map((id) => kept().list(id, NOW)))
      expect(lists.map((list) => list.length === 1)).toEqual(answers)
    })

    test('lets only its subscription rename and unlist it, without deleting the address', async () => {
      const [id, other] = [await subscriber(), await subscriber()]
      const { address } = await keep(id)
      expect(await kept().rename(other, address.id, new Uint8Array([1]))).toBe(false)
      expect(await kept().rename(id, address.id, new Uint8Array([2]))).toBe(true)
      expect((await kept().find(id, address.id, NOW))?.sealedLabel).toEqual(new Uint8Array([2]))
      await kept().rename(id, address.id, null)
      expect((await kept().find(id, address.id, NOW))?.sealedLabel).toBeNull()
      expect(await kept().remove(other, address.id)).toBe(false)
      expect(await kept().remove(id, address.id)).toBe(true)
      expect(await kept().remove(id, address.id)).toBe(false)
      expect(await kept().list(id, NOW)).toEqual([])
      expect(await find(address.id)).toMatchObject({ lifetime: 'subscription', subscriptionId: id })
    })

    test('lists a deleted address until it is created again', async () => {
      const id = await subscriber()
      const { address, row } = await keep(id)
      await current().messages.append([newMessage(address.id)])
      await current().addresses.remove(address.id, LATER)
      expect(await kept().list(id, NOW)).toEqual([
        { ...row, sealedEarlierKeys: null, expiresAt: null, usedBytes: 0, unread: 0, revision: 0 },
      ])
      expect(await kept().add(row, 1, NOW)).toBe(false)
      expect(await current().addresses.claim({ ...address, subscriptionId: id }, NOW, address.id)).toBe(true)
      expect(await kept().add(row, 1, NOW)).toBe(true)
      expect(await kept().list(id, NOW)).toMatchObject([{ expiresAt: NEVER }])
    })

    test('gives the id of a listed address to nobody else, not even after its quarantine', async () => {
      const [id, other] = [await subscriber(), await subscriber()]
      const { address, row } = await keep(id)
      const mine = await claimed(current(), { expiresAt: NEVER })
      await current().addresses.remove(address.id, LATER)
      await current().addresses.forgetNames(LATER, 10)
      const again = { ...address, createdAt: LATER, expiresAt: NEVER, heldUntil: NEVER }
      const change = { publicKey: row.sealedName, sealedName: row.sealedName, sealedEarlierKeys: row.sealedName }
      const foreign = { ...change, id: mine.id, previousSecretId: mine.id, secretId: address.id, sealedSecret: null }
      expect(await current().addresses.replaceSecret(foreign, LATER)).toBe(false)
      for (const nameKey of [address.nameKey, key()])
        for (const fields of [{}, { private: true }, { subscriptionId: other }])
          expect(await current().addresses.claim({ ...again, ...fields, nameKey }, LATER, address.id)).toBe(false)
      // Its own subscription creates it again, but under the listed name only.
      const own = { ...again, subscriptionId: id }
      expect(await current().addresses.claim({ ...own, nameKey: key() }, LATER, address.id)).toBe(false)
      expect(await kept().list(id, LATER)).toEqual([
        { ...row, sealedEarlierKeys: null, expiresAt: null, usedBytes: 0, unread: 0, revision: 0 },
      ])
      expect(await current().addresses.claim(own, LATER, address.id)).toBe(true)
      await kept().remove(id, address.id)
      await current().addresses.remove(address.id, LATER)
      expect(await current().addresses.claim({ ...again, nameKey: key() }, LATER)).toBe(true)
    })

    test.each(['before', 'after'])('creates an expired address again %s the sweep, under its id', async (when) => {
      const id = await subscriber()
      const { address } = await keep(id)
      const many = Array.from({ length: 250 }, () => newMessage(address.id, { expiresAt: LATER }))
      await current().messages.append(many)
      const [end, held] = [NOW + DAY, NOW + 31 * DAY]
      await kept().release(id, end, held, NOW)
      const again = { ...address, subscriptionId: id, expiresAt: NEVER, heldUntil: NEVER }
      expect(await current().addresses.claim(again, end - 1, address.id)).toBe(false)
      expect(await find(address.id, end - 1)).toMatchObject({ usedBytes: 250_000 })
      if (when === 'after') await current().addresses.removeExpired(end, 10)
      expect(await current().addresses.claim(again, end, address.id)).toBe(true)
      expect(await kept().list(id, end)).toMatchObject([{ addressId: address.id, expiresAt: NEVER, usedBytes: 0 }])
      expect(await current().messages.list(address.id, { now: end, limit: 10 })).toEqual([])
      expect(await isFree(address, LATER)).toBe(false)
    })

    test('creates an address again without the messages that it had', async () => {
      const id = await subscriber()
      const { address } = await keep(id)
      // They expire a little later than the address, and much later.
      const old = [DAY + HOUR, DAY + 40 * HOUR, 300 * DAY].map((age) =>
        newMessage(address.id, { expiresAt: NOW + age, size: 5000 }),
      )
      await current().messages.append(old)
      for (let i = 0; i < 9; i++) await current().messages.mark(address.id, old[0]!.id, { seen: i % 2 === 0 })
      await kept().release(id, NOW + DAY, NOW + 31 * DAY, NOW)
      const at = NOW + DAY
      await current().addresses.removeExpired(at, 10)
      const again = { ...address, subscriptionId: id, expiresAt: NEVER, heldUntil: NEVER }
      expect(await current().addresses.claim(again, at, address.id)).toBe(true)
      const list = () => current().messages.list(address.id, { now: at, limit: 10 })
      expect(await list()).toEqual([])
      expect(await Promise.all(old.map((each) => current().messages.body(each)))).toEqual(old.map(() => undefined))
      const fresh = newMessage(address.id, { receivedAt: at, expiresAt: NOW + 300 * DAY })
      await current().messages.append([fresh])
      expect(await list()).toMatchObject([{ id: fresh.id, revision: 1 }])
      for (const each of old) await current().messages.remove(address.id, each.id)
      await current().messages.removeExpired(NOW + DAY + 41 * HOUR, 100)
      expect(await find(address.id)).toMatchObject({ usedBytes: 1000, revision: 1 })
      expect(await list()).toHaveLength(1)
    })

    test('sums the bytes of all addresses of a subscription, or of all but one', async () => {
      const id = await subscriber()
      expect(await kept().usedBytes(id)).toBe(0)
      const ids: string[] = []
      for (const size of [1000, 500]) {
        const { address } = await keep(id)
        await current().messages.append([newMessage(address.id, { size })])
        ids.push(address.id)
      }
      const { address } = await keep(await subscriber())
      await current().messages.append([newMessage(address.id)])
      expect(await kept().usedBytes(id)).toBe(1500)
      expect(await Promise.all([...ids, address.id].map((each) => kept().usedBytes(id, each)))).toEqual([
        500, 1000, 1500,
      ])
    })

    test('releases live addresses to the free rules, and restores those still alive', async () => {
      const [id, other] = [await subscriber(), await subscriber()]
      const [one, two, ended] = [await keep(id), await keep(id), await keep(id)]
      const foreign = await keep(other)
      await current().addresses.remove(ended.address.id, LATER)
      const [end, held] = [NOW + DAY, NOW + 31 * DAY]
      await kept().release(id, end, held, NOW)
      for (const { address } of [one, two])
        expect(await find(address.id)).toMatchObject({ lifetime: 'day', expiresAt: end, subscriptionId: id })
      expect(await find(foreign.address.id)).toMatchObject({ lifetime: 'subscription', expiresAt: NEVER })
      expect(await isFree(one.address, held - 1)).toBe(false)

      // A visit extends one address. A second release changes nothing.
      await current().addresses.extend(one.address.id, end + DAY, held + DAY, NOW)
      await kept().release(id, end, held, NOW)
      expect(await find(one.address.id)).toMatchObject({ expiresAt: end + DAY })

      await kept().restore(id, end)
      expect(await find(one.address.id, LATER)).toMatchObject({ lifetime: 'subscription', expiresAt: NEVER })
      expect(await find(two.address.id, end)).toBeUndefined()
      expect(await isFree(one.address, LATER)).toBe(false)
      expect(await isFree(two.address, held)).toBe(true)
      expect((await kept().list(id, end)).map(({ expiresAt }) => expiresAt).toSorted()).toEqual([NEVER, null, null])
    })

    test('releases an address until its last forwarding ends, if that is later', async () => {
      const id = await subscriber()
      const [on, paused, ended, none] = [await keep(id), await keep(id), await keep(id), await keep(id)]
      await forwarded(current(), on.address.id)
      await current().forwardings.pause((await forwarded(current(), paused.address.id)).id, true)
      await current().forwardings.end((await forwarded(current(), ended.address.id)).id, 'stopped', NOW)
      const end = TERMS.endsAt - DAY
      await kept().release(id, end, end + 30 * DAY, NOW)
      const ends = await Promise.all([on, paused, ended, none].map(({ address }) => find(address.id)))
      expect(ends.map((row) => row?.expiresAt)).toEqual([TERMS.endsAt, TERMS.endsAt, end, end])
      await current().addresses.removeExpired(TERMS.endsAt, 10)
      expect(await isFree(on.address, TERMS.endsAt + 30 * DAY - 1)).toBe(false)
      expect(await isFree(on.address, TERMS.endsAt + 30 * DAY)).toBe(true)
      expect(await isFree(none.address, end + 30 * DAY)).toBe(true)
    })

    test('ends addresses at once that are released without time', async () => {
      const id = await subscriber()
      const { address } = await keep(id)
      await forwarded(current(), address.id)
      await kept().release(id, NOW, NOW + 30 * DAY, NOW)
      expect(await find(address.id)).toBeUndefined()
    })

    test('releases all addresses while messages arrive and addresses are added', async () => {
      const id = await subscriber()
      const created = await Promise.all(Array.from({ length: 6 }, () => keep(id)))
      const late = await Promise.all(Array.from({ length: 6 }, () => claimed(current())))
      await Promise.all([
        ...created.map(({ address }) => current().messages.append([newMessage(address.id)])),
        ...late.map((address) => kept().add(newKeptAddress(id, address), 20, NOW)),
        current()
          .subscriptions.change(id, 0, { lapsed: true })
          .then(() => kept().release(id, NOW + DAY, NOW + DAY, NOW)),
      ])
      const rows = await Promise.all([...created.map(({ address }) => address), ...late].map((each) => find(each.id)))
      expect(rows.map((row) => row?.lifetime)).toEqual(rows.map(() => 'day'))
    })
  })
}
