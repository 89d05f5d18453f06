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

/**
 * Returns the time of a text such as `2026-04-30`, `2026-04-30 12:30` or `2026-04-30T12:30:00Z`, in milliseconds since
 * the epoch. A text without a zone is in `timeZone`. Throws `invalid_request`.
 */
export function zonedTime(text: string, timeZone: string): number {
  const local = LOCAL.exec(text.trim())
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (local ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0))
  const time = local ? Date.UTC(year, month - 1, day, hour, minute, second) : Date.parse(text)
  if (Number.isNaN(time)) throw new MayflyError('invalid_request', `\`${text}\` is not a date such as 2026-04-30`)
  try {
    return local ? time - aheadOf(timeZone, time) : time
  } catch {
    throw new MayflyError('invalid_request', `\`${timeZone}\` is not a time zone`)
  }
}
