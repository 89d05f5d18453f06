import { calendarLines, readLine } from './calendar-lines.ts'
import { isCalendar } from './content-type.ts'
import { type Email, textOfPart } from './parse.ts'

const FIELDS = ['SUMMARY', 'DTSTART', 'DTEND', 'LOCATION', 'ORGANIZER', 'DESCRIPTION'] as const

/** Formats a value for reading, such as `20260314T090000Z` as `2026-03-14 09:00 UTC` (RFC 5545 3.3.5). */
function readable(value: string): string {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value)
  if (!match) {
    const plain = value.replace(/^mailto:/i, '')
    return plain.replace(/\\([\\,;nN])/g, (_all, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
  }
  const [, year, month, day, hour, minute, zone] = match
  return `${year}-${month}-${day}${hour ? ` ${hour}:${minute}` : ''}${zone ? ' UTC' : ''}`
}

/** Returns the text of an invitation (RFC 5545), for messages without any other text. Undefined if there is none. */
export function calendarText(mail: Email): string | undefined {
  const part = mail.attachments.find(({ mimeType }) => isCalendar(mimeType))
  if (!part) return undefined
  const lines = calendarLines(textOfPart(part), /^v(?:calendar|event)$/i).split('\r\n')
  const values = new Map<string, string>()
  const open: string[] = []
  for (const line of lines) {
    const property = readLine(line)
    if (property === undefined) continue
    const { name, value } = property
    if (name === 'BEGIN') open.push(value.toUpperCase())
    else if (name === 'END' && open.pop() === 'VEVENT') break
    // Not those of its alarms.
    else if (open.at(-1) === 'VEVENT' && !values.has(name)) values.set(name, valueOf(property))
  }
  const text = FIELDS.flatMap((field) => values.get(field) ?? []).join('\n')
  return FIELDS.some((field) => values.has(field)) ? text : undefined
}

/** Returns a value for reading. A local time is followed by its zone. */
function valueOf({ parameters, value }: { parameters: string; value: string }): string {
  const [, quoted, zone = quoted] = /;TZID=(?:"([^"]*)"|([^";:]*))/i.exec(parameters) ?? []
  return zone && !value.endsWith('Z') ? `${readable(value)} ${zone}` : readable(value)
}
