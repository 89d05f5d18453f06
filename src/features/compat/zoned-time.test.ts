import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { zonedTime } from './zoned-time.ts'

test.each([
  ['2026-04-30', 'UTC', '2026-04-30T00:00:00Z'],
  ['2026/4/3', 'UTC', '2026-04-03T00:00:00Z'],
  ['2026-01-30 12:30', 'Europe/Berlin', '2026-01-30T11:30:00Z'],
  ['2026-07-30T12:30:15', 'Europe/Berlin', '2026-07-30T10:30:15Z'],
  ['2026-07-30', 'Pacific/Auckland', '2026-07-29T12:00:00Z'],
  ['2026-07-30T12:30:00+02:00', 'Pacific/Auckland', '2026-07-30T10:30:00Z'],
  ['11/29/2026', 'America/Chicago', '2026-11-29T06:00:00Z'],
  ['Nov 29, 2026', 'America/Chicago', '2026-11-29T06:00:00Z'],
  ['29 November 2026 10:00', 'Asia/Tokyo', '2026-11-29T01:00:00Z'],
  ['Sat, 28 Nov 2026 10:00:00', 'Asia/Tokyo', '2026-11-28T01:00:00Z'],
  ['2026-11-29 10:00 PM', 'Asia/Tokyo', '2026-11-29T13:00:00Z'],
  ['2026-11-29T00:00:00.000', 'America/Chicago', '2026-11-29T06:00:00Z'],
  ['2026-11-29 00:00:00.250', 'America/Chicago', '2026-11-29T06:00:00.250Z'],
  ['2026-11', 'Asia/Tokyo', '2026-10-31T15:00:00Z'],
  ['Sat, 28 Nov 2026 10:00:00 +0100', 'Asia/Tokyo', '2026-11-28T09:00:00Z'],
  ['Sat, 28 Nov 2026 10:00:00 GMT', 'Asia/Tokyo', '2026-11-28T10:00:00Z'],
  ['2026-11-28T10:00:00.5Z', 'Asia/Tokyo', '2026-11-28T10:00:00.5Z'],
  ['Sat Nov 28 2026 10:00:00 GMT+0100 (Central European Standard Time)', 'Asia/Tokyo', '2026-11-28T09:00:00Z'],
  ['28 Nov 2026 10:00 GMT+0100', 'Asia/Tokyo', '2026-11-28T09:00:00Z'],
  ['28 Nov 2026 10:00:00 EST', 'Asia/Tokyo', '2026-11-28T15:00:00Z'],
  ['May 2026', 'Asia/Tokyo', '2026-04-30T15:00:00Z'],
  ['2026', 'Asia/Tokyo', '2025-12-31T15:00:00Z'],
  ['1795856400', 'Asia/Tokyo', '2026-11-28T09:00:00Z'],
  ['1795856400123', 'Asia/Tokyo', '2026-11-28T09:00:00.123Z'],
])('%s in %s is %s', (text, timeZone, expected) => {
  expect(new Date(zonedTime(text, timeZone)).toISOString()).toBe(new Date(expected).toISOString())
})

test.each([
  ['tomorrow', 'UTC'],
  ['foo 1', 'UTC'],
  ['2/30/2026', 'UTC'],
  ['2/30/2026 03:00', 'UTC'],
  ['Feb 30, 2026', 'UTC'],
  ['12345', 'UTC'],
  ['-', 'UTC'],
  ['2026-04-30', 'Nowhere/Land'],
])('%s in %s is refused', (text, timeZone) => {
  expect(() => zonedTime(text, timeZone)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test.each([
  // The clock changes between the local time and the same time in UTC.
  ['2026-03-08 03:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-03-08 01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
  ['2026-11-01 04:00', 'America/New_York', '2026-11-01T09:00:00.000Z'],
  ['2026-10-04', 'Australia/Sydney', '2026-10-03T14:00:00.000Z'],
  ['2026-10-04 03:00', 'Australia/Sydney', '2026-10-03T16:00:00.000Z'],
  ['2026-04-05 12:00', 'Australia/Sydney', '2026-04-05T02:00:00.000Z'],
])('reads %s in %s on the day on which the clock changes', (text, zone, time) =>
  expect(new Date(zonedTime(text, zone)).toISOString()).toBe(time),
)

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '2026-04-30 24:30',
  '2026-04-30 12:60',
  '2026-01-00',
  '2026-04-30 12:30:60',
  '0026-04-30',
])('refuses a date that does not exist: %s', (text) =>
  expect(() => zonedTime(text, 'UTC')).toThrow(`\`${text}\` is not a date`),
)

test.each(['sunmarmontuejan', 'T-Z.', '12:', ' (a', '1 ', 'gmt+'])(
  'refuses 100,000 repetitions of %j in linear time',
  (part) => {
    const text = part.repeat(Math.ceil(100_000 / part.length))
    expect(cpuTime(() => expect(() => zonedTime(text, 'UTC')).toThrow('is not a date'))).toBeLessThan(200)
  },
)
