import { DAY } from '#core/time.ts'

/** A month that is paid once and does not renew, in milliseconds. */
export const MONTH = 30 * DAY

/** Milliseconds from a time to the same day and time (UTC) this many years later, including leap days. */
export function calendarYears(from: number, years: number): number {
  const end = new Date(from)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end.getTime() - from
}
