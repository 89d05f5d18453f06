const YEAR = 365 * 24 * 3600

/** SPEC 9: the language that was chosen is kept for a year; `none` where the site is shown within another one. */
export function keepLocale(code: string): void {
  const elsewhere = window.top !== window && location.protocol === 'https:'
  document.cookie = `mayfly_locale=${code}; path=/; max-age=${YEAR}; samesite=${elsewhere ? 'none; secure' : 'lax'}`
}
