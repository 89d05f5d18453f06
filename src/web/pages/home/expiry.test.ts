import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#core/time.ts'
import { endOf, expiryOf } from './expiry.ts'

test.each([
  [30 * DAY, 'inbox.deleted.days', 30],
  [2 * DAY, 'inbox.deleted.days', 2],
  [2 * DAY - 1, 'inbox.deleted.hours', 47],
  [24 * HOUR - 1, 'inbox.deleted.hours', 23],
  [HOUR, 'inbox.deleted.hours', 1],
  [HOUR - 1, 'inbox.deleted.minutes', 60],
  [MINUTE, 'inbox.deleted.minutes', 1],
  [1, 'inbox.deleted.minutes', 1],
  [-5, 'inbox.deleted.minutes', 0],
])('%i ms are %s %i', (left, key, count) => expect(expiryOf(left)).toEqual({ key, count }))

test('a message ends with its address at the latest', () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  expect([endOf(early, late), endOf(late, early), endOf(early, undefined), endOf(early, '')]).toEqual(
    Array.from({ length: 4 }, () => Date.parse(early)),
  )
})
