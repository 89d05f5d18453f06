import type { Header } from '#core/mailbox/message.ts'
import { MINUTE } from '#core/time.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME = String.raw`(?<hour>\d{1,2})\s*:\s*(?<minute>\d{2})(?:\s*:\s*(?<second>\d{2})(?:[.,]\d{1,9})?)?(?:\s*(?<half>[ap])m\b)?`
/** An offset, also as JavaScript (`GMT+0100`) and ISO 8601 (`+01:00`) write it, or a name. */
const ZONE = String.raw`(?:\s*(?<zone>(?:(?:GMT|UTC?)\s*)?[+-]\d{2}:?\d{2}|[a-z]{1,5}))?`
const NAME = String.raw`(?:[a-z]{3,9}\.?\s*,?\s*)?`
const MONTH = String.raw`(?<month>[a-z]{3})[a-z]*`
/**
 * RFC 5322 3.3 and 4.3, and what other clients read: hyphens in the date, the forms of `asctime` and of JavaScript, and
 * ISO 8601. The day of the week, the seconds and the zone are optional. Without a zone the time is UTC.
 */
const DATES = [
  String.raw`${NAME}(?<day>\d{1,2})(?:\s+|-)${MONTH}(?:\s+|-)(?<year>\d{2,4})\s+${TIME}${ZONE}`,
  String.raw`${NAME}${MONTH}\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})\s+${TIME}${ZONE}`,
  String.raw`${NAME}${MONTH}\s+(?<day>\d{1,2})\s+${TIME}${ZONE}\s+(?<year>\d{4})`,
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:\s+|T)${TIME}${ZONE}`,
].map((source) => new RegExp(`^${source}$`, 'i'))
/** Hours from UTC. Military and unknown zones count as UTC (RFC 5322 4.3). */
const ZONES: Record<string, number> = { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 }
const COMMENT = /\([^()]*\)/g
const MAX_LENGTH = 200

/** Returns the minutes from UTC. Undefined if the zone is invalid. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours = '', minutes = ''] = /([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  if (sign === undefined) return (ZONES[zone.toLowerCase()] ?? 0) * 60
  if (Number(minutes) > 59) return undefined
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** Interprets years of two and three digits (RFC 5322 4.3): 00 to 49 are 2000 to 2049, others are counted from 1900. */
const yearOf = (digits: string): number => {
  const year = Number(digits)
  if (digits.length === 4) return year
  return digits.length === 2 && year < 50 ? 2000 + year : 1900 + year
}

/**
 * Parses a date of RFC 5322 to milliseconds since the epoch. Null for anything else. `Date` is not used because engines
 * differ in what they accept and take texts without a zone for local time.
 */
export function parseDate(value: string): number | null {
  const text = value.slice(0, MAX_LENGTH).replace(COMMENT, ' ').replace(COMMENT, ' ').trim()
  for (const pattern of DATES) {
    const groups = pattern.exec(text)?.groups
    if (groups) return timeOf(groups)
  }
  return null
}

function timeOf(groups: Record<string, string | undefined>): number | null {
  const {
    day = '',
    month: name = '',
    year: digits = '',
    hour: hours = '',
    half,
    minute = '',
    second = '0',
    zone = '',
  } = groups
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const month = /\d/.test(name) ? Number(name) - 1 : MONTHS.indexOf(name.toLowerCase())
  const year = yearOf(digits)
  const offset = offsetOf(zone)
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  // A leap second is written as 60.
  const valid = year >= 1900 && month >= 0 && month < 12 && Number(day) >= 1 && Number(day) <= days && hour < 24
  if (!valid || Number(minute) > 59 || Number(second) > 60 || offset === undefined) return null
  return Date.UTC(year, month, Number(day), hour, Number(minute), Number(second)) - offset * MINUTE
}

/** Returns the date of the first Date header. */
export function dateOf(headers: readonly Header[]): number | null {
  const header = headers.find(({ name }) => name.toLowerCase() === 'date')
  return header ? parseDate(header.value) : null
}
