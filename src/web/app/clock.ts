/*
 * The clock of this device can be wrong by any time. The server sends its own time with each page, in the header
 * `Server-Timing` (http/routes/site/pages.ts): the HTML itself may have been rendered earlier.
 */

const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
const sent = page?.serverTiming?.find(({ name }) => name === 'now')?.duration

/**
 * Milliseconds by which the server's clock is ahead of this one; 0 if unknown. The browser requested the page a little before
 * the server sent it, so the result is a little too high: no address is promised more time than it has.
 */
const ahead = page && sent ? sent - Date.now() + performance.now() - page.requestStart : 0

/** The server's time in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + ahead
