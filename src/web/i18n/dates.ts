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

/** Returns a formatter of dates. */
export const dateFormat = ({ locale, wordless }: Language['format'], shape: Shape): Intl.DateTimeFormat =>
  getDateTimeFormat(locale, optionsOf(shape, wordless))
