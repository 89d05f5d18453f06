import { MayflyError } from '#core/errors.ts'

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

/**
 * Returns the time of a text such as `2026-04-30`, `2026-04-30 12:30` or `2026-04-30T12:30:00Z`, in milliseconds since
 * the epoch. A text without a zone is in `timeZone`. Throws `invalid_request`.
 */
export function zonedTime(text: string, timeZone: string): number {
  const local = LOCAL.exec(text.trim())
  const time = local ? utcOf(local.slice(1)) : Date.parse(text)
  if (Number.isNaN(time)) throw new MayflyError('invalid_request', `\`${text}\` is not a date such as 2026-04-30`)
  if (!local) return time
  try {
    // The clock may change between the local time and the same time in UTC, so the first result may be an hour off.
    return time - aheadOf(timeZone, time - aheadOf(timeZone, time))
  } catch {
    throw new MayflyError('invalid_request', `\`${timeZone}\` is not a time zone`)
  }
}
