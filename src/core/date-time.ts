const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:)([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Parses a date and time with a zone (RFC 3339). Returns milliseconds since the epoch; undefined if it is not valid. A
 * leap second is the second after it.
 */
export function parseDateTime(text: string): number | undefined {
  const [, minute, second = '', fraction = '', zone = ''] = DATE_TIME.exec(text.toUpperCase()) ?? []
  if (minute === undefined) return undefined
  // `Date` accepts 30 February and 24:00, as a later day.
  const local = Date.parse(`${minute}00Z`)
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(minute)) return undefined
  if (second !== '60') return Date.parse(`${minute}${second}${fraction}${zone}`)
  const time = Date.parse(`${minute}59${fraction}${zone}`) + 1000
  return new Date(time).toISOString().includes('-01T00:00:00') ? time : undefined
}
