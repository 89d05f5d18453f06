import type { CalendarEventJson } from '#contract/message-content.ts'
import { DAY } from '#core/time.ts'
import type { Language } from '#locales/languages.ts'
import { dateFormat } from '../../i18n/dates.ts'

/** The kinds of time that an event can have: whole days, a local time without zone, or a point in time. */
export function kindOf(start: string): 'days' | 'local' | 'point' {
  if (/^\d{4}-\d\d-\d\d$/.test(start)) return 'days'
  return start.endsWith('Z') ? 'point' : 'local'
}

/**
 * Returns the text for the time of an event. `zone`: the time zone to show a point in time in; undefined for that of
 * this device. The end of whole days is exclusive. An end of another kind than the start can't be compared with it and is
 * left out. `short` leaves out what start and end have in common. Server and
 * browser may format that differently, so the first render must be without it.
 */
export function eventText(
  { start, end }: Pick<CalendarEventJson, 'start' | 'end'>,
  format: Language['format'],
  zone: string | undefined,
  short: boolean,
): string {
  const kind = kindOf(start)
  const at = (time: string): number => Date.parse(kind === 'local' ? `${time}Z` : time)
  const first = at(start)
  const last = end === null || kindOf(end) !== kind ? first : at(end) - (kind === 'days' ? DAY : 0)
  const shape = { day: 'long', time: kind !== 'days', zone: kind === 'point' ? zone : 'UTC' } as const
  const shown = dateFormat(format, shape)
  if (last <= first) return shown.format(first)
  return short ? shown.formatRange(first, last) : `${shown.format(first)} – ${shown.format(last)}`
}
