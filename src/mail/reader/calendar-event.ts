import ICAL from 'ical.js'
import type { CalendarEvent, Mailbox } from '#core/mailbox/message.ts'
import { listAttachments } from './attachments.ts'
import { clean } from './header-text.ts'
import { type Email, sizeOf, textOfPart } from './parse.ts'

/** A larger calendar is not an invitation. */
const MAX_BYTES = 256 * 1024
const MAX_TEXT = 500

const KINDS: Record<string, CalendarEvent['kind']> = { request: 'invitation', reply: 'answer', cancel: 'cancelled' }

const isCalendar = (mimeType: string, filename: string | null): boolean =>
  /^(?:text\/calendar|application\/ics)$/.test(mimeType) || /\.ics$/i.test(filename ?? '')

const textOf = (value: unknown): string => clean(typeof value === 'string' ? value : '').slice(0, MAX_TEXT)

function mailboxOf(property: ICAL.Property | null): Mailbox | null {
  if (!property) return null
  const address = textOf(property.getFirstValue()).replace(/^mailto:/i, '')
  return { name: textOf(property.getFirstParameter('cn')), address }
}

/** The UTC time of a local time in a zone of the IANA database, undefined for an unknown zone. */
function inZone(local: number, timeZone: string): number | undefined {
  const shownAt = (time: number): number => {
    const options = { timeZone, hourCycle: 'h23', numberingSystem: 'latn', calendar: 'gregory' } as const
    const parts = new Intl.DateTimeFormat('en', {
      ...options,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }).formatToParts(time)
    const [year = 0, month = 1, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
      (name) => Number(parts.find(({ type }) => type === name)?.value),
    )
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  try {
    // The second step is needed near a change of the offset.
    const once = local - (shownAt(local) - local)
    return once - (shownAt(once) - local)
  } catch {
    return undefined
  }
}

/** A date, a time in UTC, or a time without zone if the zone is unknown. */
function timeOf(time: ICAL.Time, zone: string | undefined): string {
  const { year, month, day, hour, minute, second, isDate } = time
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString()
  if (isDate) return local.slice(0, 10)
  const floats = time.zone === ICAL.Timezone.localTimezone
  if (!floats) return time.toJSDate().toISOString()
  const utc = zone === undefined ? undefined : inZone(Date.parse(local), zone)
  return utc === undefined ? local.slice(0, 19) : new Date(utc).toISOString()
}

/** Returns the event of an invitation (RFC 5545, RFC 5546), null if there is none that can be read. */
export function calendarEventOf(mail: Email): CalendarEvent | null {
  const part = mail.attachments.find((each) => isCalendar(each.mimeType, each.filename) && sizeOf(each) <= MAX_BYTES)
  if (!part) return null
  try {
    const calendar = new ICAL.Component(ICAL.parse(textOfPart(part)) as never)
    const component = calendar.getFirstSubcomponent('vevent')
    const started = component?.getFirstProperty('dtstart')
    if (!component || !started) return null
    const event = new ICAL.Event(component)
    const zoneOf = (name: string): string | undefined => component.getFirstProperty(name)?.getFirstParameter('tzid')
    const hasEnd = component.hasProperty('dtend') || component.hasProperty('duration')
    const method = String(calendar.getFirstPropertyValue('method') ?? '').toLowerCase()
    const cancelled = /^cancelled$/i.test(String(component.getFirstPropertyValue('status') ?? ''))
    const index = listAttachments(mail).findIndex((each) => each.part === part)
    return {
      kind: cancelled ? 'cancelled' : (KINDS[method] ?? 'event'),
      summary: textOf(event.summary),
      start: timeOf(event.startDate, zoneOf('dtstart')),
      end: hasEnd ? timeOf(event.endDate, zoneOf('dtend') ?? zoneOf('dtstart')) : null,
      recurring: event.isRecurring(),
      location: textOf(event.location),
      organizer: mailboxOf(component.getFirstProperty('organizer')),
      attachment: index === -1 ? null : index,
    }
  } catch {
    return null
  }
}
