import { bytesOf, type Email } from './parse.ts'

const FIELDS = ['SUMMARY', 'DTSTART', 'DTEND', 'LOCATION', 'ORGANIZER', 'DESCRIPTION'] as const

/** `20260314T090000Z` as `2026-03-14 09:00 UTC` (RFC 5545 3.3.5). */
function readable(value: string): string {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value)
  if (!match)
    return value
      .replace(/^mailto:/i, '')
      .replace(/\\n/gi, '\n')
      .replace(/\\([,;\\])/g, '$1')
  const [, year, month, day, hour, minute, zone] = match
  return `${year}-${month}-${day}${hour ? ` ${hour}:${minute}` : ''}${zone ? ' UTC' : ''}`
}

/** What an invitation (RFC 5545) says, for mails that have nothing else to read; undefined where there is none. */
export function calendarText(mail: Email): string | undefined {
  const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  if (!part) return undefined
  const event =
    /BEGIN:VEVENT([^]*?)END:VEVENT/.exec(
      Buffer.from(bytesOf(part))
        .toString()
        .replace(/\r?\n[ \t]/g, ''),
    )?.[1] ?? ''
  const lines = FIELDS.flatMap((field) => {
    const value = new RegExp(`^${field}(?:;[^:\\r\\n]*)?:(.*)$`, 'm').exec(event)?.[1]?.trim()
    return value ? [readable(value)] : []
  })
  return lines.length > 0 ? lines.join('\n') : undefined
}
