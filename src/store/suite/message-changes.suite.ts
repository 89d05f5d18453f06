import { describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'

export function messageChangesContract(current: () => Store): void {
  const messages = () => current().messages
  const usedBytes = async (id: string) => (await current().addresses.find(id, NOW))?.usedBytes
  const revision = async (id: string) => (await current().addresses.find(id, NOW))?.revision
  const listed = async (id: string) => (await messages().list(id, { now: NOW, limit: 100 })).map((row) => row.id)

  describe('a change of messages', () => {
    test('stores the seen flag, and counts only real changes', async () => {
      const { id } = await claimed(current())
      const message = newMessage(id)
      await messages().append([message])
      expect(await messages().mark(id, message.id, { seen: true })).toBe(2)
      expect(await messages().mark(id, message.id, { seen: true })).toBe(2)
      expect((await messages().find(id, message.id, NOW))?.seen).toBe(true)
      expect(await messages().mark(id, message.id, { seen: false })).toBe(3)
      expect((await messages().find(id, message.id, NOW))?.seen).toBe(false)
      expect(await revision(id)).toBe(3)
      expect(await messages().mark(id, key(), { seen: true })).toBeUndefined()
    })

    test('marks many messages at once, and counts only real changes', async () => {
      const { id } = await claimed(current())
      const [seen, one, two, other] = [newMessage(id), newMessage(id), newMessage(id), newMessage(id)]
      await messages().append([seen, one, two, other])
      await messages().mark(id, seen.id, { seen: true })
      const ids = [seen.id, one.id, two.id, key()]
      expect(await messages().markAll(id, ids, { seen: true })).toBe(true)
      // Each change has a revision of its own, in order, so that a client can go on after any of them.
      const changed = (await messages().list(id, { now: NOW, limit: 10, before: other.id })).map((row) => row.revision)
      expect(changed).toEqual([7, 6, 5])
      expect(await messages().find(id, other.id, NOW)).toMatchObject({ seen: false, revision: 4 })
      expect(await messages().markAll(id, ids, { seen: true })).toBe(false)
      expect(await messages().markAll((await claimed(current())).id, ids, { seen: false })).toBe(false)
      expect(await messages().markAll(id, [], { seen: true })).toBe(false)
      expect(await revision(id)).toBe(7)
    })

    test('removes many messages at once, with a revision for each', async () => {
      const { id } = await claimed(current())
      const [one, two, kept] = [newMessage(id), newMessage(id), newMessage(id)]
      await messages().append([one, two, kept])
      await messages().removeAll((await claimed(current())).id, [one.id])
      await messages().removeAll(id, [two.id, key(), one.id, two.id])
      await messages().removeAll(id, [])
      expect(await listed(id)).toEqual([kept.id])
      expect(await messages().body(one)).toBeUndefined()
      expect((await messages().changes(id, 3, NOW)).deleted).toEqual([
        { id: two.id, revision: 4 },
        { id: one.id, revision: 5 },
      ])
      expect(await revision(id)).toBe(5)
    })

    test('removes the body, frees the bytes and leaves a tombstone', async () => {
      const { id } = await claimed(current())
      const [one, two] = [newMessage(id), newMessage(id, { size: 400 })]
      await messages().append([one, two])
      expect(await messages().remove(id, one.id)).toBe(3)
      expect(await messages().remove(id, one.id)).toBeUndefined()
      expect(await messages().body(one)).toBeUndefined()
      expect(await listed(id)).toEqual([two.id])
      expect(await usedBytes(id)).toBe(400)
      expect((await messages().changes(id, 2, NOW)).deleted).toEqual([{ id: one.id, revision: 3 }])
      expect((await messages().changes(id, 3, NOW)).deleted).toEqual([])
      // The tombstone expires when the message would have expired.
      expect((await messages().changes(id, 2, NOW + DAY)).deleted).toEqual([])
    })
  })
}
