import { getNumberFormat } from './formats.ts'

/** Symbols that all languages share; CLDR has only a word for bytes. */
const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in kilobytes, or the largest unit that leaves a whole number before the point. Only nothing is 0. */
export function sizeText(bytes: number, locale: string): string {
  const kilobytes = bytes === 0 ? 0 : Math.max(0.1, bytes / 1024)
  // One decimal digit is shown, so 1,023.95 and more rounds up to 1 of the next unit.
  const power = UNITS.findIndex((_, i) => kilobytes / 1024 ** i < 1023.95 || i === UNITS.length - 1)
  const format = getNumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'gigabyte',
    maximumFractionDigits: 1,
  })
  return format.format(kilobytes / 1024 ** power)
}
