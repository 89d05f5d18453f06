import { expect, test } from 'vitest'
import { zonedTime } from './zoned-time.ts'

test.each([
  ['2026-04-30', 'UTC', '2026-04-30T00:00:00Z'],
  ['2026/4/3', 'UTC', '2026-04-03T00:00:00Z'],
  ['2026-01-30 12:30', 'Europe/Berlin', '2026-01-30T11:30:00Z'],
  ['2026-07-30T12:30:15', 'Europe/Berlin', '2026-07-30T10:30:15Z'],
  ['2026-07-30', 'Pacific/Auckland', '2026-07-29T12:00:00Z'],
  ['2026-07-30T12:30:00+02:00', 'Pacific/Auckland', '2026-07-30T10:30:00Z'],
])('%s in %s is %s', (text, timeZone, expected) => {
  expect(new Date(zonedTime(text, timeZone)).toISOString()).toBe(new Date(expected).toISOString())
})

test.each([
  ['tomorrow', 'UTC'],
  ['2026-04-30', 'Nowhere/Land'],
])('%s in %s is refused', (text, timeZone) => {
  expect(() => zonedTime(text, timeZone)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
