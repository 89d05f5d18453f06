import type { Language } from '#locales/languages.ts'
import { dateFormat } from './dates.ts'

/** A day as text in UTC, because a subscription counts UTC days. */
export const dayText = (at: string, format: Language['format']): string =>
  dateFormat(format, { day: 'long', zone: 'UTC' }).format(new Date(at))
