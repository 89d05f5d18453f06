import ICAL from 'ical.js'
import type { CalendarEvent, Mailbox } from '#core/mailbox/message.ts'
import { DAY, SECOND } from '#core/time.ts'
import { listAttachments } from './attachments.ts'
import { calendarLines } from './calendar-lines.ts'
import { clean } from './header-text.ts'
import { type Email, type Part, sizeOf, textOfPart } from './parse.ts'
import { inZone } from './time-zone.ts'

/** A larger calendar is not an invitation. */
const MAX_BYTES = 256 * 1024
const MAX_TEXT = 500
/** The last year and the longest duration, in seconds, that are read. Counting to later ones takes the parser very long. */
const LAST_YEAR = 2200
const MAX_DURATION = (10 * 365 * DAY) / SECOND

const KINDS: Record<string, CalendarEvent['kind']> = { request: 'invitation', reply: 'answer', cancel: 'cancelled' }

/** Whether a part may be an event. */
const isEvent = (part: Part): boolean =>
  (/^(?:text\/calendar|application\/ics)$/.test(part.mimeType) || /\.ics$/i.test(part.filename ?? '')) &&
  sizeOf(part) <= MAX_BYTES

const textOf = (value: unknown): string => clean(typeof value === 'string' ? value : '').slice(0, MAX_TEXT)

function mailboxOf(property: ICAL.Property | null): Mailbox | null {
  if (!property) return null
  const address = textOf(property.getFirstValue()).replace(/^mailto:/i, '')
  return { name: textOf(property.getFirstParameter('cn')), address }
}

/** A date, a time in UTC, or a time without zone if the zone is unknown. */
function timeOf(time: ICAL.Time, zone: string | undefined): string {
  const { year, month, day, hour, minute, second, isDate } = time
  if (year > LAST_YEAR) throw new RangeError('The year is too late')
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString()
  if (isDate) return local.slice(0, 10)
  const floats = time.zone === ICAL.Timezone.localTimezone
  if (!floats) return time.toJSDate().toISOString()
  const utc = zone === undefined ? undefined : inZone(Date.parse(local), zone)
  return utc === undefined ? local.slice(0, 19) : new Date(utc).toISOString()
}

/** Rules in a definition of a time zone. Each is for one change a year. */
const MAX_RULES = 8
const MAX_VALUES: Record<string, number> = { BYMONTH: 1, BYDAY: 1, BYMONTHDAY: 7, BYHOUR: 1, BYMINUTE: 1, BYSECOND: 1 }

const isYearly = ({ freq, parts }: ICAL.Recur): boolean =>
  freq === 'YEARLY' &&
  ('BYMONTH' in parts || !('BYDAY' in parts || 'BYMONTHDAY' in parts)) &&
  Object.entries(parts).every(([name, values]) => (values?.length ?? 0) <= (MAX_VALUES[name] ?? 0))

/**
 * Whether a component defines a time zone that could have billions of changes. The parser would count them one by one.
 */
function isExcessiveZone(component: ICAL.Component): boolean {
  const rules = component
    .getAllSubcomponents()
    .flatMap((each) => each.getAllProperties('rrule').map((rule) => rule.getFirstValue() as ICAL.Recur))
  return component.name === 'vtimezone' && (rules.length > MAX_RULES || !rules.every(isYearly))
}

/** Reads a calendar without excessive time zones. Times in them are local times. Throws if it is malformed. */
function readCalendar(text: string): ICAL.Component {
  const [name, properties, components] = ICAL.parse(calendarLines(text)) as [string, unknown[], string[]]
  return new ICAL.Component([
    name,
    properties,
    components.filter((each) => !isExcessiveZone(new ICAL.Component(each))),
  ] as never)
}

/** The end of an event, null if it has none or a duration that is too long. */
function endOf(event: ICAL.Event): ICAL.Time | null {
  const duration = event.component.getFirstPropertyValue('duration') as ICAL.Duration | null
  if (duration !== null && !(Math.abs(duration.toSeconds()) <= MAX_DURATION)) return null
  return duration !== null || event.component.hasProperty('dtend') ? event.endDate : null
}

/** The text of a part, however its lines end. */
const linesOf = (part: Part): string => textOfPart(part).replace(/\r\n?/g, '\n').trimEnd()

/** Returns the event of an invitation (RFC 5545, RFC 5546), null if there is none that can be read. */
export function calendarEventOf(mail: Email): CalendarEvent | null {
  const part = mail.attachments.find(isEvent)
  if (!part) return null
  try {
    const calendar = readCalendar(textOfPart(part))
    const component = calendar.getFirstSubcomponent('vevent')
    const started = component?.getFirstProperty('dtstart')
    if (!component || !started) return null
    const event = new ICAL.Event(component)
    const calendarZone = calendar.getFirstPropertyValue('x-wr-timezone')
    const zoneOf = (name: string): string | undefined =>
      component.getFirstProperty(name)?.getFirstParameter('tzid') ??
      component.getFirstProperty('dtstart')?.getFirstParameter('tzid') ??
      (typeof calendarZone === 'string' ? calendarZone : undefined)
    const end = endOf(event)
    const method = String(calendar.getFirstPropertyValue('method') ?? part.method ?? '').toLowerCase()
    const cancelled = /^cancelled$/i.test(String(component.getFirstPropertyValue('status') ?? ''))
    const attachments = listAttachments(mail)
    const lines = linesOf(part)
    const index = attachments.findIndex((each) => each.part === part)
    return {
      kind: cancelled ? 'cancelled' : (KINDS[method] ?? 'event'),
      summary: textOf(event.summary),
      start: timeOf(event.startDate, zoneOf('dtstart')),
      end: end && timeOf(end, zoneOf('dtend')),
      recurring: event.isRecurring(),
      location: textOf(event.location),
      organizer: mailboxOf(component.getFirstProperty('organizer')),
      attachment: index === -1 ? null : index,
      copies: attachments
        .filter((each) => each.part !== part && isEvent(each.part) && linesOf(each.part) === lines)
        .map(({ info }) => info.index),
    }
  } catch {
    return null
  }
}
