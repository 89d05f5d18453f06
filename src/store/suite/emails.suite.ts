import { describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { HOUR, key, NOW } from './fixtures.ts'
import { newLetter } from './premium-fixtures.ts'

export function lettersContract(current: () => Store): void {
  const letters = () => current().letters

  describe('letters', () => {
    test('those that are due are taken, and nobody else gets them until the lease ends', async () => {
      const [one, two] = [newLetter(), newLetter({ createdAt: NOW + 1 })]
      await letters().add([one, two])
      await letters().add([])
      // What is called for twice is sent once.
      await letters().add([{ ...two, createdAt: NOW }])
      expect(await letters().waiting()).toBe(2)
      expect(await letters().take(NOW - 1, NOW + HOUR, 10)).toEqual([])
      expect(await letters().take(NOW, NOW + HOUR, 10)).toEqual([{ ...one, attempts: 0 }])
      expect(await letters().take(NOW + 1, NOW + HOUR, 10)).toEqual([{ ...two, attempts: 0 }])
      expect(await letters().take(NOW + HOUR - 1, NOW + 2 * HOUR, 10)).toEqual([])
      expect(await letters().take(NOW + HOUR, NOW + 2 * HOUR, 1)).toHaveLength(1)
      expect(await letters().waiting()).toBe(2)
    })

    test('of many who take at once, each gets others', async () => {
      const made = Array.from({ length: 30 }, () => newLetter())
      await letters().add(made)
      const taken = await Promise.all(Array.from({ length: 20 }, () => letters().take(NOW, NOW + HOUR, 4)))
      expect(taken.every((each) => each.length <= 4)).toBe(true)
      const rest = []
      for (let more = taken.flat(); more.length > 0; more = await letters().take(NOW, NOW + HOUR, 4)) rest.push(...more)
      expect(rest.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    })

    test('one that failed comes again at its time with one attempt more; one that is sent does not', async () => {
      const [failed, sent] = [newLetter(), newLetter()]
      await letters().add([failed, sent])
      await letters().take(NOW, NOW + 9 * HOUR, 10)
      await letters().postpone(failed.id, NOW + HOUR)
      await letters().postpone(key(), NOW + HOUR)
      await letters().remove(sent.id)
      expect(await letters().waiting()).toBe(1)
      expect(await letters().take(NOW + HOUR - 1, NOW + 9 * HOUR, 10)).toEqual([])
      expect(await letters().take(NOW + HOUR, NOW + 9 * HOUR, 10)).toEqual([{ ...failed, attempts: 1 }])
      expect(await letters().take(NOW + 9 * HOUR, NOW + 10 * HOUR, 10)).toHaveLength(1)
    })
  })
}
