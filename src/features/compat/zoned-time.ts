import { MayflyError } from '#core/errors.ts'

/** The time zone of this process, as in Mailpit. */
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

/** The words of dates. Zones are those that `Date.parse` knows. */
const WORD =
  /^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*|[ap]m|t|z|utc|gmt|[ecmp][sd]t)$/i
const ZONE = /(?:[\d ](?:z|utc|gmt|[ecmp][sd]t)|(?:gmt|utc|:\d\d(?:\.\d{1,9})?) ?[+-]\d\d:?\d\d)$/i

/** Whether a text has nothing but numbers and words of dates. `Date.parse` also reads texts such as `foo 1`. */
const isDateText = (text: string): boolean =>
  /^[\da-z\s:/.,+-]+$/i.test(text) && (text.match(/[a-z]+/gi) ?? []).every((word) => WORD.test(word))

/** Seconds, milliseconds, microseconds or nanoseconds since the epoch, by their number of digits. */
const UNIX: Record<number, number> = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 }

/** Returns the time of a text without a zone, in a form other than `LOCAL`, as if it were in UTC. NaN if it is none. */
function otherForm(text: string): number {
  const time = Date.parse(/^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`)
  if (Number.isNaN(time)) return NaN
  // `Date.parse` takes 30 February for 2 March.
  const [, day = '', month = ''] = new Date(time).toUTCString().split(' ')
  const numbers =
    text
      .replace(/\d{1,2}:[\d:.]+/g, '')
      .match(/\d+/g)
      ?.map(Number) ?? []
  const isNamed = text.toLowerCase().includes(month.toLowerCase())
  if (!isNamed && numbers.length === 1) return /^\d{4}$/.test(text) ? time : NaN
  const hasMonth = isNamed || numbers.includes(new Date(time).getUTCMonth() + 1)
  const hasNoDay = numbers.length === (isNamed ? 1 : 2) && Number(day) === 1
  return hasMonth && (hasNoDay || numbers.includes(Number(day))) ? time : NaN
}

/**
 * Returns the time of a text such as `2026-04-30`, `2026-04-30 12:30`, `Apr 30, 2026`, `4/30/2026`, `2026-04-30T12:30:00Z`
 * or `1777552200`, in milliseconds since the epoch. A text without a zone is in `timeZone`. Throws `invalid_request`.
 */
export function zonedTime(given: string, timeZone = LOCAL_ZONE): number {
  // JavaScript adds the name of the zone: `GMT+0100 (Central European Standard Time)`.
  const text = given.trim().replace(/ \([^()]*\)$/, '')
  const unix = /^\d+$/.test(text) ? UNIX[text.length] : undefined
  if (unix !== undefined) return Number(text) * unix
  const local = LOCAL.exec(text)
  const isZoned = !local && ZONE.test(text)
  const parse = isZoned ? Date.parse : otherForm
  const time = local ? utcOf(local.slice(1)) : isDateText(text) ? parse(text) : NaN
  if (Number.isNaN(time)) throw new MayflyError('invalid_request', `\`${given}\` is not a date such as 2026-04-30`)
  if (isZoned) return time
  try {
    // The clock may change between the local time and the same time in UTC, so the first result may be an hour off.
    return time - aheadOf(timeZone, time - aheadOf(timeZone, time))
  } catch {
    throw new MayflyError('invalid_request', `\`${timeZone}\` is not a time zone`)
  }
}
