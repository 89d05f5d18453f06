import { MayflyError } from '#core/errors.ts'

/** That of this process, as in Mailpit. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const LOCAL = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Returns how far the clock of a time zone is ahead of UTC, in milliseconds. */
function aheadOf(timeZone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = format.formatToParts(time).map(({ type, value }) => [type, Number(value)] as const)
  const { year = 0, month = 1, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
}

/** Returns the time of a date in UTC, in milliseconds since the epoch; NaN if there is no such date or time. */
function utcOf([year = '', month = '', day = '', hour = '0', minute = '00', second = '00']: readonly string[]): number {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const [date, clock] = [[year, month, day].map(twoDigits).join('-'), [hour, minute, second].map(twoDigits).join(':')]
  // `Date.UTC` takes 31 April for 1 May.
  return new Date(time).toISOString().startsWith(`${date}T${clock}`) ? time : NaN
}

const twoDigits = (part: string): string => part.padStart(2, '0')

/** Texts in which nothing but numbers, months, weekdays and the names of UTC is to be understood. */
const DATE_TEXT = new RegExp(
  String.raw`^(?:[\d\s:/.,+-]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*|[ap]m|utc|gmt|t|z)+$`,
  'i',
)
const HAS_ZONE = /(?:[a-z\d](?:z|\s*(?:utc|gmt)))$|:\d{2}(?:\.\d+)?\s*[+-]\d{2}:?\d{2}$/i
/** Seconds, milliseconds, microseconds or nanoseconds since the epoch, by their number of digits. */
const UNIX: Record<number, number> = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 }

/** Returns the time of a text in any of the other forms of dates as if it were in UTC. NaN if it is none. */
function otherForm(text: string): number {
  if (!DATE_TEXT.test(text)) return NaN
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}T/.test(text) ? `${text}Z` : `${text} UTC`)
  if (Number.isNaN(time) || /^\d{4}(?:-\d{1,2})?$/.test(text)) return time
  // `Date.parse` takes 30 February for 2 March.
  const [, day = '', month = ''] = new Date(time).toUTCString().split(' ')
  const numbers =
    text
      .replace(/\d+:[\d:.]+/g, '')
      .match(/\d+/g)
      ?.map(Number) ?? []
  const hasMonth =
    text.toLowerCase().includes(month.toLowerCase()) || numbers.includes(new Date(time).getUTCMonth() + 1)
  return hasMonth && numbers.includes(Number(day)) ? time : NaN
}

/**
 * Returns the time of a text such as `2026-04-30`, `2026-04-30 12:30`, `Apr 30, 2026`, `4/30/2026`, `2026-04-30T12:30:00Z`
 * or `1777552200`, in milliseconds since the epoch. A text without a zone is in `timeZone`. Throws `invalid_request`.
 */
export function zonedTime(given: string, timeZone = LOCAL_ZONE): number {
  const text = given.trim()
  const unix = /^\d+$/.test(text) ? UNIX[text.length] : undefined
  if (unix !== undefined) return Number(text) * unix
  const local = LOCAL.exec(text)
  const isZoned = !local && HAS_ZONE.test(text)
  const time = local ? utcOf(local.slice(1)) : isZoned && DATE_TEXT.test(text) ? Date.parse(text) : otherForm(text)
  if (Number.isNaN(time)) throw new MayflyError('invalid_request', `\`${given}\` is not a date such as 2026-04-30`)
  if (isZoned) return time
  try {
    // The clock may change between the local time and the same time in UTC, so the first result may be an hour off.
    return time - aheadOf(timeZone, time - aheadOf(timeZone, time))
  } catch {
    throw new MayflyError('invalid_request', `\`${timeZone}\` is not a time zone`)
  }
}
