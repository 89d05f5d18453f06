import { languages } from '#locales/languages.ts'
import { getNumberFormat } from './formats.ts'
import { isolated } from './isolate.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/**
 * A size in the largest unit that leaves a whole number before the point. In languages written from right to left, an
 * isolate keeps a number together with a unit in Latin letters.
 */
export function sizeText(bytes: number, locale: string): string {
  // One decimal digit is shown, so 1,023.95 and more rounds up to 1 of the next unit.
  const power = UNITS.findIndex((_, i) => bytes / 1024 ** i < 1023.95 || i === UNITS.length - 1)
  const format = getNumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // The short form of "bytes" has no plural in English.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  })
  const text = format.format(bytes / 1024 ** power)
  const rightToLeft = languages.some((each) => each.dir === 'rtl' && each.format.locale === locale)
  return rightToLeft ? isolated(text) : text
}
