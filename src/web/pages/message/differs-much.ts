const TEN_MINUTES = 10 * 60_000

/** Whether an email arrived so long after (or before) the time in its Date header that both are worth showing. Times are RFC 3339. */
export const differsMuch = (date: string, receivedAt: string): boolean =>
  Math.abs(Date.parse(date) - Date.parse(receivedAt)) > TEN_MINUTES
