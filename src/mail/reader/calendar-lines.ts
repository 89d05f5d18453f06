import { MINUTE } from '#core/time.ts'

const BEGIN = /^BEGIN:\s*([\w-]+)\s*$/i
const END = /^END:\s*([\w-]+)\s*$/i
/** What a content line begins with (RFC 5545 3.1): its name, and parameters or a value. */
const PROPERTY = /^[A-Za-z0-9-]+[;:]/
/** Components within each other. An alarm in an event in a calendar makes three. */
const MAX_DEPTH = 20

/** A line that is not folded: its name, its parameters, which may have quoted colons, and its value. */
const LINE = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s
const TIMED = /^(?:DTSTART|DTEND|DTSTAMP|RECURRENCE-ID)$/
/** A date, or a date and a time, also in the forms of ISO 8601 that calendars should not have. */
const TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)? ?(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i
const VALUE = /;VALUE=[^;:]*/gi

/** Returns the name of a content line in upper case, its parameters and its value. Undefined if it is none. */
export function readLine(line: string): { name: string; parameters: string; value: string } | undefined {
  const [, name, parameters = '', value = ''] = LINE.exec(line) ?? []
  return name === undefined ? undefined : { name: name.toUpperCase(), parameters, value: value.trim() }
}

/** Returns a line with its date or time as the parser expects it (RFC 5545 3.3.4 and 3.3.5). */
function withTime(line: string): string {
  const { name = '', parameters = '', value = '' } = readLine(line) ?? {}
  const [, year, month, day, hour, minute, second = '00', utc, sign, hours, minutes] =
    (TIMED.test(name) && TIME.exec(value)) || []
  if (year === undefined) return line
  const date = `${year}${month}${day}`
  // The parser takes a time for the default.
  if (hour === undefined) return `${name};VALUE=DATE:${date}`
  if (sign !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === '-' ? -1 : 1)
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - offset
    return Number.isNaN(time) ? line : `${name}:${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}`
  }
  return `${name}${parameters.replace(VALUE, '')}:${date}T${hour}${minute}${second}${utc ? 'Z' : ''}`
}

/**
 * Returns the first calendar of a file as the parser expects it: without what surrounds it, without lines that are no
 * properties, such as those of a text that was not folded, with the ends of all components, and not folded. Empty if there
 * is none. `outermost`: the component to begin with.
 */
export function calendarLines(file: string, outermost = /^vcalendar$/i): string {
  const lines = file
    .replace(/^\uFEFF/, '')
    .replace(/(?:\r\n?|\n)[ \t]/g, '')
    .split(/\r\n?|\n/)
  const first = lines.findIndex((line) => outermost.test(BEGIN.exec(line)?.[1] ?? ''))
  const kept: string[] = []
  const open: string[] = []
  for (const line of first === -1 ? [] : lines.slice(first)) {
    const [, begun] = BEGIN.exec(line) ?? []
    const [, ended] = END.exec(line) ?? []
    if (begun && open.push(begun.toUpperCase()) > MAX_DEPTH) return ''
    if (ended) {
      if (!open.includes(ended.toUpperCase())) continue
      while (open.at(-1) !== ended.toUpperCase()) kept.push(`END:${open.pop()}`)
      open.pop()
    }
    if (PROPERTY.test(line)) kept.push(begun ? `BEGIN:${begun}` : ended ? `END:${ended}` : withTime(line))
    if (open.length === 0) break
  }
  return [...kept, ...open.toReversed().map((name) => `END:${name}`)].join('\r\n')
}
