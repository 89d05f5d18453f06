import { expect, test } from 'vitest'
import { dateOf, parseDate } from './date.ts'

const iso = (value: string): string | null => {
  const time = parseDate(value)
  return time === null ? null : new Date(time).toISOString()
}

test.each([
  ['Tue, 1 Jul 2003 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
  ['Tue, 01 Jul 2003 10:52:37 -0330', '2003-07-01T14:22:37.000Z'],
  ['1 Jul 2003 10:52 GMT', '2003-07-01T10:52:00.000Z'],
  ['Tue, 1 Jul 2003 10:52:37 +0200 (CEST)', '2003-07-01T08:52:37.000Z'],
  ['Tue (a (nested) comment), 1 Jul 2003 10:52:37 -0000', '2003-07-01T10:52:37.000Z'],
  ['Tue,  1  JUL 2003 10:52:37 EDT', '2003-07-01T14:52:37.000Z'],
  ['Thu, 13 Feb 69 23:32 PST', '1969-02-14T07:32:00.000Z'],
  ['Thu, 13 Feb 20 23:32:00 Z', '2020-02-13T23:32:00.000Z'],
  ['1 Jul 103 10:52:37 +0000', '2003-07-01T10:52:37.000Z'],
  ['Tue, 1 Jul 2003 10:52:37', '2003-07-01T10:52:37.000Z'],
  ['Thu, 29 Feb 2024 00:00:60 +0000', '2024-02-29T00:01:00.000Z'],
  ['Tue, 1 Jul 2003 10:52:37 +02:00', '2003-07-01T08:52:37.000Z'],
  ['Tue, 1 Jul 2003 10:52:37 GMT+0200', '2003-07-01T08:52:37.000Z'],
  ['Tue, 1 Jul 2003 10:52:37 UTC-03:30', '2003-07-01T14:22:37.000Z'],
  ['Tue Jul 01 2003 10:52:37 GMT+0200 (Central European Summer Time)', '2003-07-01T08:52:37.000Z'],
  ['Tue Jul  1 10:52:37 2003', '2003-07-01T10:52:37.000Z'],
  ['Tue Jul  1 10:52:37 EDT 2003', '2003-07-01T14:52:37.000Z'],
  ['1-Jul-2003 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
  ['Jul 1, 2003 1:00 PM', '2003-07-01T13:00:00.000Z'],
  ['1 Jul 2003 12:30:05 am EDT', '2003-07-01T04:30:05.000Z'],
  ['1 Jul 2003 12:30pm', '2003-07-01T12:30:00.000Z'],
  ['2003-07-01T10:52:37Z', '2003-07-01T10:52:37.000Z'],
  ['2003-07-01T10:52:37.123+02:00', '2003-07-01T08:52:37.000Z'],
  ['2003-07-01 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
  ['2003-07-01 10:52', '2003-07-01T10:52:00.000Z'],
])('parseDate parses %s as %s', (value, expected) => expect(iso(value)).toBe(expected))

test.each([
  '',
  'yesterday',
  '2003',
  'Tue, 32 Jul 2003 10:52:37 +0200',
  'Sun, 30 Feb 2025 10:52:37 +0200',
  'Tue, 1 Foo 2003 10:52:37 +0200',
  'Tue, 1 Jul 2003 24:00:00 +0200',
  'Tue, 1 Jul 2003 10:60:00 +0200',
  'Tue, 1 Jul 2003 10:52:61 +0200',
  'Tue, 1 Jul 2003 10:52:37 +0260',
  'Tue, 1 Jul 1800 10:52:37 +0000',
  '2003-13-01T10:52:37Z',
  '2003-00-01T10:52:37Z',
  '2003-07-01',
  '01-07-2003 10:52',
  'Tue, 1 Jul 2003 10:52:37 +2:00',
  `Tue, 1 Jul 2003 10:52:37 ${'('.repeat(100_000)}`,
])('parseDate rejects %.60s', (value) => expect(parseDate(value)).toBeNull())

test('dateOf returns the date of the first Date header, in any case', () => {
  const header = (name: string, value: string) => ({ name, value })
  expect(dateOf([header('Subject', 'x')])).toBeNull()
  expect(dateOf([header('DATE', '1 Jul 2003 10:00 +0000'), header('Date', '2 Jul 2003 10:00 +0000')])).toBe(
    Date.UTC(2003, 6, 1, 10),
  )
})
