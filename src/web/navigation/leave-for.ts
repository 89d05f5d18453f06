/** How long a form stays blocked for another site that does not load, in milliseconds. */
const LONGEST = 15_000

/**
 * Opens a page of another site. Resolves when the visitor is back, or if that page does not load: until then, the button that
 * led there must not be pressed again.
 */
export const leaveFor = (url: string): Promise<void> =>
  new Promise((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, LONGEST)
    location.assign(url)
  })
