import { describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { HOUR } from '#core/time.ts'
import { key, NOW } from './fixtures.ts'
import { newEmail } from './premium-fixtures.ts'

export function lettersContract(current: () => Store): void {
  const emails = () => current().emails

  describe('emails', () => {
    test('leases due emails to one caller until the lease ends', async () => {
      const [one, two] = [newEmail(), newEmail({ createdAt: NOW + 1 })]
      await emails().add([one, two])
      await emails().add([])
      // An email that is queued twice is sent once.
      await emails().add([{ ...two, createdAt: NOW }])
      expect(await emails().waiting()).toBe(2)
      expect(await emails().take(NOW - 1, NOW + HOUR, 10)).toEqual([])
      expect(await emails().take(NOW, NOW + HOUR, 10)).toEqual([{ ...one, attempts: 0 }])
      expect(await emails().take(NOW + 1, NOW + HOUR, 10)).toEqual([{ ...two, attempts: 0 }])
      expect(await emails().take(NOW + HOUR - 1, NOW + 2 * HOUR, 10)).toEqual([])
      expect(await emails().take(NOW + HOUR, NOW + 2 * HOUR, 1)).toHaveLength(1)
      expect(await emails().waiting()).toBe(2)
    })

    test('leases different emails to concurrent callers', async () => {
      const created = Array.from({ length: 30 }, () => newEmail())
      await emails().add(created)
      const taken = await Promise.all(Array.from({ length: 20 }, () => emails().take(NOW, NOW + HOUR, 4)))
      expect(taken.every((each) => each.length <= 4)).toBe(true)
      const rest = []
      for (let more = taken.flat(); more.length > 0; more = await emails().take(NOW, NOW + HOUR, 4)) rest.push(...more)
      expect(rest.map(({ id }) => id).toSorted()).toEqual(created.map(({ id }) => id).toSorted())
    })

    test('reschedules a failed email with one more attempt, and removes a sent one', async () => {
      const [failed, sent] = [newEmail(), newEmail()]
      await emails().add([failed, sent])
      await emails().take(NOW, NOW + 9 * HOUR, 10)
      await emails().postpone(failed.id, NOW + HOUR)
      await emails().postpone(key(), NOW + HOUR)
      await emails().remove(sent.id)
      expect(await emails().waiting()).toBe(1)
      expect(await emails().take(NOW + HOUR - 1, NOW + 9 * HOUR, 10)).toEqual([])
      expect(await emails().take(NOW + HOUR, NOW + 9 * HOUR, 10)).toEqual([{ ...failed, attempts: 1 }])
      expect(await emails().take(NOW + 9 * HOUR, NOW + 10 * HOUR, 10)).toHaveLength(1)
    })
  })
}
