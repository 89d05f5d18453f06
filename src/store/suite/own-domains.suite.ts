import { describe, expect, test } from 'vitest'
import type { OwnDomain } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import { key, NOW } from './fixtures.ts'
import { subscribed } from './premium-fixtures.ts'

const newDomain = (subscriptionId: string, fields: Partial<OwnDomain> = {}): OwnDomain => ({
  name: 'mail.example',
  subscriptionId,
  state: 'pending',
  createdAt: NOW,
  checkedAt: null,
  failingSince: null,
  txtFound: false,
  mxFound: false,
  catchAll: null,
  ...fields,
})

const both = { txtFound: true, mxFound: true }
const verified = { state: 'verified', checkedAt: NOW, failingSince: null, ...both } as const
const failing = { state: 'failing', checkedAt: NOW + 1, failingSince: NOW, ...both, mxFound: false } as const
const pending = { state: 'pending', checkedAt: NOW + 2, failingSince: null, ...both, txtFound: false } as const

export function ownDomainsContract(current: () => Store): void {
  const domains = () => current().ownDomains
  const subscriber = async () => (await subscribed(current())).id

  describe('own domains', () => {
    test('adds a domain once, lists it and removes it', async () => {
      const [id, other] = [await subscriber(), await subscriber()]
      const domain = newDomain(id)
      expect(await domains().add(domain, 2)).toBe(true)
      expect(await domains().add({ ...domain, createdAt: NOW + 5, catchAll: 'x' }, 1)).toBe(true)
      expect(await domains().add(newDomain(id, { name: 'b.example', createdAt: NOW - 1 }), 2)).toBe(true)
      expect(await domains().add(newDomain(id, { name: 'c.example' }), 2)).toBe(false)
      expect(await domains().add(newDomain(key()), 2)).toBe(false)
      expect(await domains().find(id, 'mail.example')).toEqual(domain)
      expect(await domains().find(other, 'mail.example')).toBeUndefined()
      expect((await domains().list(id)).map(({ name }) => name)).toEqual(['b.example', 'mail.example'])
      expect(await domains().setCatchAll(id, 'mail.example', 'address')).toBe(true)
      expect(await domains().setCatchAll(other, 'mail.example', 'address')).toBe(false)
      expect((await domains().find(id, 'mail.example'))?.catchAll).toBe('address')
      expect(await domains().remove(other, 'mail.example')).toBe(false)
      expect(await domains().remove(id, 'mail.example')).toBe(true)
      expect(await domains().remove(id, 'mail.example')).toBe(false)
      expect(await domains().list(id)).toHaveLength(1)
    })

    test('keeps the limit under concurrency', async () => {
      const id = await subscriber()
      const names = Array.from({ length: 20 }, (_, i) => `d${i}.example`)
      const answers = await Promise.all(names.map((name) => domains().add(newDomain(id, { name }), 3)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect((await domains().list(id)).map(({ name }) => answers[names.indexOf(name)])).toEqual([true, true, true])
    })

    test('allows several claims but one owner, until that one gives up the domain', async () => {
      const [one, two] = [await subscriber(), await subscriber()]
      const name = 'mail.example'
      for (const id of [one, two]) await domains().add(newDomain(id), 1)
      expect(await domains().owner(name)).toBeUndefined()
      expect(await domains().recordCheck(one, name, verified)).toBe(true)
      expect(await domains().owner(name)).toEqual({ ...newDomain(one), ...verified })
      expect(await domains().recordCheck(two, name, verified)).toBe(false)
      expect(await domains().recordCheck(one, name, failing)).toBe(true)
      expect(await domains().owner(name)).toEqual({ ...newDomain(one), ...failing })
      expect(await domains().recordCheck(two, name, verified)).toBe(false)
      expect(await domains().recordCheck(two, name, pending)).toBe(true)
      expect(await domains().find(two, name)).toEqual({ ...newDomain(two), ...pending })
      expect(await domains().recordCheck(one, name, pending)).toBe(true)
      expect(await domains().recordCheck(two, name, verified)).toBe(true)
      expect((await domains().owner(name))?.subscriptionId).toBe(two)
      await domains().remove(two, name)
      expect(await domains().recordCheck(two, name, verified)).toBe(false)
      expect(await domains().recordCheck(one, name, verified)).toBe(true)
    })

    test('makes one of many concurrent claims the owner', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, subscriber))
      for (const name of ['a.example', 'b.example', 'c.example']) {
        for (const id of ids) await domains().add(newDomain(id, { name }), 3)
        const answers = await Promise.all(ids.map((id) => domains().recordCheck(id, name, verified)))
        expect(answers.filter(Boolean)).toHaveLength(1)
        expect((await domains().owner(name))?.subscriptionId).toBe(ids[answers.indexOf(true)])
      }
    })

    test('replaces the owner atomically', async () => {
      const [one, two, three, none] = [await subscriber(), await subscriber(), await subscriber(), await subscriber()]
      const name = 'mail.example'
      for (const id of [one, two, three]) await domains().add(newDomain(id), 1)
      await domains().recordCheck(one, name, failing)
      const owner = async () => (await domains().owner(name))?.subscriptionId
      // The given subscription is not the owner.
      expect(await domains().recordCheck(two, name, verified, three)).toBe(false)
      // The new owner does not claim the domain.
      expect(await domains().recordCheck(none, name, verified, one)).toBe(false)
      expect(await owner()).toBe(one)
      const answers = await Promise.all([two, three].map((id) => domains().recordCheck(id, name, verified, one)))
      expect(answers.toSorted()).toEqual([false, true])
      expect(await owner()).toBe(answers[0] ? two : three)
      expect(await domains().find(one, name)).toEqual({
        ...newDomain(one),
        ...failing,
        state: 'pending',
        failingSince: null,
      })
    })

    test('stores a check only if there was none since', async () => {
      const id = await subscriber()
      await domains().add(newDomain(id), 9)
      expect(await domains().recordCheck(id, 'mail.example', verified, undefined, NOW)).toBe(false)
      expect(await domains().recordCheck(id, 'mail.example', verified, undefined, null)).toBe(true)
      expect(await domains().recordCheck(id, 'mail.example', failing, undefined, null)).toBe(false)
      expect(await domains().find(id, 'mail.example')).toEqual({ ...newDomain(id), ...verified })
      expect(await domains().recordCheck(id, 'mail.example', failing, undefined, NOW)).toBe(true)
    })

    test('leaves the owner if its successor was checked since', async () => {
      const [one, two] = [await subscriber(), await subscriber()]
      for (const id of [one, two]) await domains().add(newDomain(id), 1)
      await domains().recordCheck(one, 'mail.example', verified)
      await domains().recordCheck(two, 'mail.example', pending)
      for (const before of [null, NOW])
        expect(await domains().recordCheck(two, 'mail.example', verified, one, before)).toBe(false)
      expect(await domains().owner('mail.example')).toEqual({ ...newDomain(one), ...verified })
      expect(await domains().recordCheck(two, 'mail.example', verified, one, NOW + 2)).toBe(true)
      expect((await domains().owner('mail.example'))?.subscriptionId).toBe(two)
    })

    test('returns owned domains that are due for a check, the longest ago first', async () => {
      const id = await subscriber()
      const checked = [NOW + 3, NOW + 1, null, NOW + 2]
      for (const [i, checkedAt] of checked.entries()) {
        await domains().add(newDomain(id, { name: `d${i}.example` }), 9)
        await domains().recordCheck(id, `d${i}.example`, { ...verified, checkedAt })
      }
      await domains().add(newDomain(id, { name: 'pending.example', checkedAt: NOW }), 9)
      const names = async (before: number, limit: number) =>
        (await domains().due(before, limit)).map((each) => each.name)
      expect(await names(NOW + 3, 9)).toEqual(['d2.example', 'd1.example', 'd3.example'])
      expect(await names(NOW + 4, 9)).toHaveLength(4)
      expect(await names(NOW + 4, 2)).toEqual(['d2.example', 'd1.example'])
      await domains().recordCheck(id, 'd3.example', { ...failing, checkedAt: NOW + 2 })
      const withFailing = async (before: number, since: number) =>
        (await domains().due(NOW + 1, 9, { before, since })).map((each) => each.name)
      expect(await withFailing(NOW + 3, NOW - 1)).toEqual(['d2.example', 'd3.example'])
      expect(await withFailing(NOW + 2, NOW - 1)).toEqual(['d2.example'])
      expect(await withFailing(NOW + 3, NOW)).toEqual(['d2.example'])
    })
  })
}
