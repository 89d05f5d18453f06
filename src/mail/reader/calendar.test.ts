import { expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { calendarEventOf } from './calendar-event.ts'
import { calendarText } from './calendar.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const parse = (calendar: string) => parseMail(mail(['Content-Type: text/calendar'], calendar), defaultParseLimits)

const EVENT = 'BEGIN:VEVENT\r\nSUMMARY:Tea\r\nDTSTART:20261201T100000Z\r\nEND:VEVENT'

test.each([
  [`BEGIN:VCALENDAR\r\n${EVENT}\r\nEND:VCALENDAR`, 'Tea\n2026-12-01 10:00 UTC'],
  [`begin:vcalendar\r\n${EVENT.toLowerCase()}\r\nend:vcalendar`, 'tea\n2026-12-01 10:00 UTC'],
  [`text before\r\nBEGIN:VCALENDAR \r\n${EVENT.replaceAll('\r\n', ' \r\n')}`, 'Tea\n2026-12-01 10:00 UTC'],
  [
    `BEGIN:VCALENDAR\r\n${EVENT.replace(':2026', ';TZID="(UTC+01:00) Amsterdam, Ber\r\n lin; Rome":2026').replace('Z\r', '\r')}`,
    'Tea\n2026-12-01 10:00 (UTC+01:00) Amsterdam, Berlin; Rome',
  ],
  [
    `BEGIN:VCALENDAR\r\n${EVENT.replace('SUMMARY', 'BEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM\r\nSUMMARY;LANGUAGE=en')}`,
    'Tea\n2026-12-01 10:00 UTC',
  ],
  [`BEGIN:VCALENDAR\r\n${EVENT.replace(':2026', ';TZID=Europe/Paris:2026')}`, 'Tea\n2026-12-01 10:00 UTC'],
])('the text of %j says what its card says', async (calendar, text) => {
  const parsed = await parse(calendar)
  expect(calendarText(parsed)).toBe(text)
  expect(calendarEventOf(parsed)).toMatchObject({ summary: text.split('\n')[0] })
})

test('there is no text without an event', async () => {
  expect(calendarText(await parse('BEGIN:VCALENDAR\r\nSUMMARY:x\r\nEND:VCALENDAR'))).toBeUndefined()
  expect(calendarText(await parse('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT'))).toBeUndefined()
})

test('an event without a calendar has a text', async () =>
  expect(calendarText(await parse(EVENT))).toBe('Tea\n2026-12-01 10:00 UTC'))
