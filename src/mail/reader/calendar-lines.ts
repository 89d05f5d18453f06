const BEGIN = /^BEGIN:\s*([\w-]+)\s*$/i
const END = /^END:\s*([\w-]+)\s*$/i
/** What a content line begins with (RFC 5545 3.1): its name, and parameters or a value. */
const PROPERTY = /^[A-Za-z0-9-]+[;:]/
/** Components within each other. An alarm in an event in a calendar makes three. */
const MAX_DEPTH = 20
/** A date without a time, in a property whose default type is a date with a time. */
const DATE = /^(DTSTART|DTEND)(?:;[^:]*)?:(\d{8})\s*$/i

/**
 * Returns the first calendar of a file as the parser expects it: without what surrounds it, without lines that are no
 * properties, such as those of a text that was not folded, and with the ends of all components. Empty if there is none.
 */
export function calendarLines(file: string): string {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const first = lines.findIndex((line) => /^vcalendar$/i.test(BEGIN.exec(line)?.[1] ?? ''))
  const kept: string[] = []
  const open: string[] = []
  let isProperty = false
  for (const line of first === -1 ? [] : lines.slice(first)) {
    const [, begun] = BEGIN.exec(line) ?? []
    const [, ended] = END.exec(line) ?? []
    if (begun && open.push(begun.toUpperCase()) > MAX_DEPTH) return ''
    if (ended) {
      if (!open.includes(ended.toUpperCase())) continue
      while (open.at(-1) !== ended.toUpperCase()) kept.push(`END:${open.pop()}`)
      open.pop()
    }
    // Lines that begin with a space continue the one before.
    if (!/^[ \t]/.test(line)) isProperty = PROPERTY.test(line)
    if (isProperty) kept.push(line.replace(DATE, '$1;VALUE=DATE:$2'))
    if (open.length === 0) break
  }
  return [...kept, ...open.toReversed().map((name) => `END:${name}`)].join('\r\n')
}
