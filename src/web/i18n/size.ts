import { getNumberFormat } from './formats.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the largest unit that leaves a whole number before the point. */
export function sizeText(bytes: number, locale: string): string {
  // One decimal digit is shown, so 1,023.95 and more rounds up to 1 of the next unit.
  const power = UNITS.findIndex((_, i) => bytes / 1024 ** i < 1023.95 || i === UNITS.length - 1)
  const format = getNumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1024 ** power)
}
