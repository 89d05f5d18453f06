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
  const lines = textOfPart(part)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const event = lines.slice(lines.indexOf('BEGIN:VEVENT') + 1, lines.indexOf('END:VEVENT'))
  const values = FIELDS.flatMap((field) => {
    const line = event.find((each) => each.startsWith(`${field}:`) || each.startsWith(`${field};`))
    return line ? [valueOf(line)] : []
  })
  return values.length > 0 ? values.join('\n') : undefined
}

/** Returns the value of a property, whose parameters may have quoted colons. A local time is followed by its zone. */
function valueOf(line: string): string {
  const parameters = /^[A-Z]+((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):/.exec(line)
  if (!parameters) return ''
  const zone = /;TZID="?([^";:]+)/.exec(parameters[1] ?? '')?.[1]
  const value = readable(line.slice(parameters[0].length).trim())
  return zone ? `${value} ${zone}` : value
}
