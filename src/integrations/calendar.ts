import { DAY } from '#core/time.ts'

/** The duration of a month that is paid once and does not renew, in milliseconds. */
export const MONTH = 30 * DAY

/** Returns the milliseconds from a time to the same date and time (UTC) in a later year, including leap days. */
export function calendarYears(from: number, years: number): number {
  const end = new Date(from)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end.getTime() - from
}
