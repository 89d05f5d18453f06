import { describe, expect, test } from 'vitest'
import { fromUtf8 } from '../bytes.ts'
import { calendarEventOf } from './calendar-event.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const read = async (lines: string[], { method = 'REQUEST', before = '' } = {}) => {
  const calendar = `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\n${before}BEGIN:VEVENT\r\nUID:1\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  const raw = `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n--b\r\nContent-Type: text/calendar; charset=utf-8\r\n\r\n${calendar}\r\n--b--\r\n`
  return calendarEventOf(await parseMail(fromUtf8(raw), defaultParseLimits))
}
const start = async (line: string, before = '') => (await read([line], { before }))?.start

test('reads summary, time, location and organizer', async () =>
  expect(
    await read([
      'SUMMARY:Lunch\\, then\r\n  more',
      'DTSTART:20261203T090000Z',
      'DURATION:PT90M',
      'LOCATION:Room 4',
      'ORGANIZER;CN="Lee, Ann":mailto:ann@a.example',
      'RRULE:FREQ=WEEKLY',
    ]),
  ).toEqual({
    kind: 'invitation',
    summary: 'Lunch, then more',
    start: '2026-12-03T09:00:00.000Z',
    end: '2026-12-03T10:30:00.000Z',
    recurring: true,
    location: 'Room 4',
    organizer: { name: 'Lee, Ann', address: 'ann@a.example' },
    attachment: 0,
  }))

describe('a time', () => {
  test('of whole days is a date', async () => expect(await start('DTSTART;VALUE=DATE:20261203')).toBe('2026-12-03'))
  test('without zone stays local', async () =>
    expect(await start('DTSTART:20261203T090000')).toBe('2026-12-03T09:00:00'))
  test('in a zone of the IANA database becomes UTC, in summer and winter', async () => {
    expect(await start('DTSTART;TZID=Europe/Berlin:20261203T090000')).toBe('2026-12-03T08:00:00.000Z')
    expect(await start('DTSTART;TZID=Europe/Berlin:20260703T090000')).toBe('2026-07-03T07:00:00.000Z')
  })
  test('in a zone that the file defines becomes UTC', async () => {
    const zone =
      'BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n'
    expect(await start('DTSTART;TZID=Mine:20261203T090000', zone)).toBe('2026-12-03T03:30:00.000Z')
  })
  test('in an unknown zone stays local', async () =>
    expect(await start('DTSTART;TZID=Nowhere:20261203T090000')).toBe('2026-12-03T09:00:00'))
})

test('distinguishes answers and cancellations from invitations', async () => {
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'REPLY' }))?.kind).toBe('answer')
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'CANCEL' }))?.kind).toBe('cancelled')
  expect((await read(['DTSTART:20261203T090000Z', 'STATUS:CANCELLED']))?.kind).toBe('cancelled')
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'PUBLISH' }))?.kind).toBe('event')
})

test.each([['SUMMARY:no start'], ['DTSTART:rubbish'], ['BEGIN:VEVENT'], ['END:VCALENDAR']])(
  'shows nothing for %s',
  async (line) => expect(await read([line])).toBeNull(),
)
