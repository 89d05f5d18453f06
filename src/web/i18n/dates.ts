import type { Language } from '#locales/languages.ts'
import { getDateTimeFormat } from './formats.ts'

interface Shape {
  /** `long`: with the year; `short`: day and month only. */
  day?: 'long' | 'short'
  time?: boolean
  /** IANA time zone; without it the visitor's. */
  zone?: string | undefined
}

function optionsOf({ day, time, zone }: Shape, wordless: boolean): Intl.DateTimeFormatOptions {
  const month = wordless ? '2-digit' : day === 'long' ? 'long' : 'short'
  return {
    ...(day ? { day: wordless ? '2-digit' : 'numeric', month } : {}),
    ...(day === 'long' ? { year: 'numeric' } : {}),
    ...(time ? { hour: 'numeric', minute: '2-digit' } : {}),
    ...(zone === undefined ? {} : { timeZone: zone }),
  }
}

/** Urdu is the only right-to-left language that writes AM and PM in Latin letters. */
const LATIN_PERIODS = /^ur\b/
const TIME = /\d+:\d\d(?:\s?–\s?\d+:\d\d)?\s[AP]M/g

type Dates = Pick<Intl.DateTimeFormat, 'format' | 'formatRange'>

/** Returns a formatter of dates. */
export function dateFormat({ locale, wordless }: Language['format'], shape: Shape): Dates {
  const dates = getDateTimeFormat(locale, optionsOf(shape, wordless))
  if (!LATIN_PERIODS.test(locale)) return dates
  // From right to left, "2:23 PM" would be shown as "PM 2:23".
  const isolated = (text: string): string => text.replaceAll(TIME, '\u2066$&\u2069')
  return {
    format: (date) => isolated(dates.format(date)),
    formatRange: (start, end) => isolated(dates.formatRange(start, end)),
  }
}
