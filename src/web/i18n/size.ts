const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the largest unit that leaves a whole number before the point. */
export function sizeText(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1024 ** power)
}
