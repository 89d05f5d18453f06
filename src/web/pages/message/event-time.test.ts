import { expect, test } from 'vitest'
import { eventText } from './event-time.ts'

const format = { locale: 'en-US', wordless: false }

test.each([
  ['2026-12-03T08:00:00.000Z', '2026-12-03T09:30:00.000Z', 'December 3, 2026, 9:00 – 10:30 AM'],
  ['2026-12-03T08:00:00.000Z', null, 'December 3, 2026 at 9:00 AM'],
  ['2026-12-03T08:00:00', null, 'December 3, 2026 at 8:00 AM'],
  ['2026-12-03', '2026-12-04', 'December 3, 2026'],
  ['2026-12-03', '2026-12-06', 'December 3 – 5, 2026'],
  ['2026-12-03', null, 'December 3, 2026'],
])('%s to %s is shown as %s in Berlin', (start, end, shown) =>
  expect(eventText({ start, end }, format, 'Europe/Berlin', true).replaceAll(/\s/g, ' ')).toBe(shown),
)

test('repeats the day until the page is interactive', () =>
  expect(eventText({ start: '2026-12-03', end: '2026-12-06' }, format, 'UTC', false)).toBe(
    'December 3, 2026 – December 5, 2026',
  ))

test.each([
  ['2026-03-14T09:00:00', '2026-03-14T10:00:00.000Z', 'March 14, 2026 at 9:00 AM'],
  ['2026-03-14T09:00:00.000Z', '2026-03-14T12:00:00', 'March 14, 2026 at 10:00 AM'],
  ['2026-03-14', '2026-03-14T12:00:00.000Z', 'March 14, 2026'],
])('leaves out an end of another kind: %s to %s', (start, end, shown) => {
  for (const short of [true, false])
    expect(eventText({ start, end }, format, 'Europe/Berlin', short).replaceAll(/\s/g, ' ')).toBe(shown)
})
