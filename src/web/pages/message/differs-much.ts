const TEN_MINUTES = 10 * 60_000

/** Whether the arrival of a message differs from its Date header by more than ten minutes. Times are RFC 3339. */
export const differsMuch = (date: string, receivedAt: string): boolean =>
  Math.abs(Date.parse(date) - Date.parse(receivedAt)) > TEN_MINUTES
