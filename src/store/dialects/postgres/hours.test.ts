import { expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { dropAt } from './hours.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const after = (kept: number, receivedAt = NOON): string =>
  new Date(dropAt({ receivedAt, expiresAt: receivedAt + kept })).toISOString().slice(0, 16)

test('drops messages that are kept for up to two days with the hour in which they expire', () => {
  expect(after(DAY)).toBe('2026-11-22T12:00')
  expect(after(DAY, NOON + 1)).toBe('2026-11-22T13:00')
  expect(after(2 * DAY, NOON - 1)).toBe('2026-11-23T12:00')
})

test('stores messages that are kept longer in the partition of a day or of ten days', () => {
  expect(after(2 * DAY + 1)).toBe('2026-11-24T00:00')
  expect(after(31 * DAY)).toBe('2026-12-23T00:00')
  expect(dropAt({ receivedAt: NOON, expiresAt: NOON + 90 * DAY }) % (10 * DAY)).toBe(0)
})

test('never drops a message before it expires', () => {
  for (const kept of [1, HOUR, DAY, 3 * DAY, 40 * DAY])
    expect(dropAt({ receivedAt: NOON + 7, expiresAt: NOON + 7 + kept })).toBeGreaterThanOrEqual(NOON + 7 + kept)
})
