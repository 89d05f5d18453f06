import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { fromUtf8 } from '../bytes.ts'
import { calendarEventOf } from './calendar-event.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const mailWith = (lines: string[], { method = 'REQUEST', before = '' } = {}) => {
  const calendar = `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\n${before}BEGIN:VEVENT\r\nUID:1\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  const raw = `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n--b\r\nContent-Type: text/calendar; charset=utf-8\r\n\r\n${calendar}\r\n--b--\r\n`
  return parseMail(fromUtf8(raw), defaultParseLimits)
}
const read = async (lines: string[], options = {}) => calendarEventOf(await mailWith(lines, options))
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
    copies: [],
  }))

test('tells copies of the file from others of the same name and size', async () => {
  const file = (day: string, end = '\n', type = 'application/ics') =>
    `--b\nContent-Type: ${type}; name=invite.ics\nContent-Transfer-Encoding: base64\n\n${Buffer.from(
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:202612${day}\nEND:VEVENT\nEND:VCALENDAR${end}`,
    ).toString('base64')}\n`
  const parts = [
    file('03', '\n', 'text/calendar'),
    file('04'),
    file('03', '\r\n\r\n'),
    file('03').replace('invite', 'lunch'),
    file('03').replace('application/ics; name=invite.ics', 'text/plain; name=a.txt'),
  ]
  const raw = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n${parts.join('')}--b--\n`
  const event = calendarEventOf(await parseMail(fromUtf8(raw), defaultParseLimits))
  expect(event).toMatchObject({ start: '2026-12-03', attachment: 0, copies: [2, 3] })
})

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
  test('in a zone as Notes defines it becomes UTC', async () => {
    const half = (name: string, month: number, week: number, from: number): string =>
      `BEGIN:${name}\r\nDTSTART:19500101T020000\r\nTZOFFSETFROM:-0${from}00\r\nTZOFFSETTO:-0${9 - from}00\r\nRRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=${week}SU;BYMONTH=${month}\r\nEND:${name}\r\n`
    const zone = `BEGIN:VTIMEZONE\r\nTZID:Eastern\r\n${half('STANDARD', 11, 1, 4)}${half('DAYLIGHT', 3, 2, 5)}END:VTIMEZONE\r\n`
    expect(await start('DTSTART;TZID=Eastern:20260715T100000', zone)).toBe('2026-07-15T14:00:00.000Z')
    expect(await start('DTSTART;TZID=Eastern:20261215T100000', zone)).toBe('2026-12-15T15:00:00.000Z')
  })
  test('in a zone whose id ends with one of the IANA database becomes UTC', async () =>
    expect(await start('DTSTART;TZID=/a.example/v1/America/New_York:20260715T100000')).toBe('2026-07-15T14:00:00.000Z'))
  test.each([
    ['DTSTART:20261201T100000Z  ', '2026-12-01T10:00:00.000Z'],
    ['dtstart;value=date-time:20261201T1000Z', '2026-12-01T10:00:00.000Z'],
    ['DTSTART:2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000Z'],
    ['DTSTART:2026-12-01T10:00:00.000+01:00', '2026-12-01T09:00:00.000Z'],
    ['DTSTART;TZID=Europe/Paris:2026-12-01 10:00', '2026-12-01T09:00:00.000Z'],
    ['DTSTART:2026-12-01', '2026-12-01'],
    ['DTSTART;TZID="Europe/\r\n Paris":202612\r\n\t01T100000', '2026-12-01T09:00:00.000Z'],
    ['DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/Europe/Paris:20261201T100000', '2026-12-01T09:00:00.000Z'],
    ['DTSTART;TZID=/a.example/America/Argentina/Buenos_Aires:20261201T100000', '2026-12-01T13:00:00.000Z'],
  ])('that is written as %j', async (line, time) => expect(await start(line)).toBe(time))

  test('in an unknown zone stays local', async () =>
    expect(await start('DTSTART;TZID=Nowhere:20261203T090000')).toBe('2026-12-03T09:00:00'))
})

test.each([
  ['Eastern Standard Time', '2026-12-03T14:00:00.000Z'],
  ['"W. Europe Standard Time"', '2026-12-03T08:00:00.000Z'],
  ['Central Standard Time (Mexico)', '2026-12-03T15:00:00.000Z'],
  ['Europe/berlin', '2026-12-03T08:00:00.000Z'],
  ['GMT+0200', '2026-12-03T07:00:00.000Z'],
  ['UTC-5', '2026-12-03T14:00:00.000Z'],
  ['"+05:30"', '2026-12-03T03:30:00.000Z'],
  ['GMT Standard Time', '2026-12-03T09:00:00.000Z'],
  ['UTC+14', '2026-12-02T19:00:00.000Z'],
  ['"UTC+25:99"', '2026-12-03T09:00:00'],
  ['+99', '2026-12-03T09:00:00'],
])('knows the time zone %s', async (zone, time) =>
  expect(await start(`DTSTART;TZID=${zone}:20261203T090000`)).toBe(time),
)

const WHOLE = (lines: string, before = 'METHOD:REQUEST\n'): string =>
  `BEGIN:VCALENDAR\n${before}BEGIN:VEVENT\nSUMMARY:Lunch\n${lines}\nEND:VEVENT\nEND:VCALENDAR`
const TIME = 'DTSTART:20261203T090000Z'
const UTC = '2026-12-03T09:00:00.000Z'

test.each([
  ['a date without its type', WHOLE('DTSTART:20261203\nDTEND:20261204'), { start: '2026-12-03', end: '2026-12-04' }],
  ['a missing end', WHOLE(TIME).replace('\nEND:VCALENDAR', ''), { start: UTC }],
  ['two missing ends', WHOLE(TIME).replace(/\nEND:[^]*/, ''), { start: UTC }],
  ['a footer', `${WHOLE(TIME)}\n\n_____\nSent from: my phone`, { start: UTC }],
  ['text before it', `Hello\n\n${WHOLE(TIME)}`, { start: UTC }],
  ['a second calendar', `${WHOLE(TIME)}\n${WHOLE('DTSTART:20271203T090000Z')}`, { start: UTC }],
  [
    'a text that is not folded',
    WHOLE(`DESCRIPTION:one\ntwo without fold\n  three\nJoin here: https://a.example\n${TIME}\nLOCATION:Room`),
    { start: UTC, location: 'Room' },
  ],
  ['an end without beginning', WHOLE(`END:VALARM\n${TIME}`), { start: UTC }],
  ['the method in the type only', WHOLE(TIME, ''), { kind: 'invitation', start: UTC }],
  [
    'one time zone for all',
    WHOLE('DTSTART:20261203T090000', 'METHOD:PUBLISH\nX-WR-TIMEZONE:Europe/Berlin\n'),
    { kind: 'event', start: '2026-12-03T08:00:00.000Z' },
  ],
])('reads a file with %s', async (_what, file, expected) => {
  const raw = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\nContent-Type: text/calendar; method=REQUEST\n\n${file}\n--b--\n`
  const event = calendarEventOf(await parseMail(fromUtf8(raw), defaultParseLimits))
  expect(event).toMatchObject({ kind: 'invitation', summary: 'Lunch', ...expected })
})

test('a file without calendar has no event', async () => {
  const raw = 'Content-Type: text/calendar\n\nBEGIN:VEVENT\nDTSTART:20261203T090000Z\nEND:VEVENT\n'
  expect(calendarEventOf(await parseMail(fromUtf8(raw), defaultParseLimits))).toBeNull()
})

test('distinguishes answers and cancellations from invitations', async () => {
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'REPLY' }))?.kind).toBe('answer')
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'CANCEL' }))?.kind).toBe('cancelled')
  expect((await read(['DTSTART:20261203T090000Z', 'STATUS:CANCELLED']))?.kind).toBe('cancelled')
  expect((await read(['DTSTART:20261203T090000Z'], { method: 'PUBLISH' }))?.kind).toBe('event')
})

describe('hostile calendars take little time', () => {
  const zoneWith = (rule: string): string =>
    `BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n${rule}END:STANDARD\r\nEND:VTIMEZONE\r\n`
  const timed = async (lines: string[], before = '') => {
    const mail = await mailWith(lines, { before })
    let event: ReturnType<typeof calendarEventOf> = null
    expect(cpuTime(() => (event = calendarEventOf(mail)))).toBeLessThan(1000)
    return event as ReturnType<typeof calendarEventOf>
  }

  test.each(['P99999999999999999999D', 'P999999999W', 'PT999999999999999S', 'P4000D', '-P99999999999999D'])(
    'DURATION:%s',
    async (duration) => {
      const event = await timed(['DTSTART:20260101T000000Z', `DURATION:${duration}`])
      expect(event).toMatchObject({ start: '2026-01-01T00:00:00.000Z', end: null })
    },
  )

  test.each([
    'FREQ=SECONDLY',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYDAY=SU',
    'FREQ=YEARLY;BYMONTHDAY=1,2,3,4,5,6,7',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=50',
    'FREQ=YEARLY;BYHOUR=1,2,3,4,5,6,7,8,9;BYMINUTE=1,2,3,4,5,6,7,8,9',
    'FREQ=YEARLY;BYWEEKNO=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19;BYDAY=MO,TU,WE,TH,FR,SA,SU',
  ])('a time zone with the rule %s', async (rule) =>
    expect((await timed(['DTSTART;TZID=Mine:20260101T000000'], zoneWith(`RRULE:${rule}\r\n`)))?.start).toBe(
      '2026-01-01T00:00:00',
    ),
  )

  test.each([
    ['DTSTART:99991231T000000Z', ''],
    ['DTSTART;TZID=Mine:99991231T000000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n'],
    ['DTSTART;TZID=Mine:20269999T999999', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n'],
    ['DTSTART;TZID=Mine:20260101T000000', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n'],
    ['DTSTART;TZID=Mine:20260101T000000', 'RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1\r\n'.repeat(3000)],
    ['DTSTART;TZID=Mine:20260101T000000', 'RRULE:FREQ=YEARLY;BYMONTH=1;BYDAY=53MO\r\n'],
    ['DTSTART;TZID=Mine:20260101T000000', 'RRULE:FREQ=YEARLY;INTERVAL=99999999;BYMONTH=1;BYDAY=1MO\r\n'],
  ])('%s in a time zone %#', async (line, rule) => void (await timed([line], zoneWith(rule))))

  test.each(['BEGIN:X', 'END:X', 'x', 'BEGIN:X\r\nEND:Y', 'X:1', ' '])('100 KB of %j', async (line) => {
    const event = await timed([...Array<string>(20_000).fill(line), 'DTSTART:20260101T000000'])
    expect(event?.start ?? null).toBe(line.startsWith('BEGIN') ? null : '2026-01-01T00:00:00')
  })

  test('a long name of a time zone', async () =>
    expect((await timed([`DTSTART;TZID=${'A'.repeat(100_000)}-:20260101T000000`]))?.start).toBe('2026-01-01T00:00:00'))
})
