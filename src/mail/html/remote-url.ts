/** Longer URLs are removed from messages. */
const MAX_URL_LENGTH = 4096

/** Returns the reference of a link as browsers read it: without line breaks and tabs, and never without a scheme. */
export const browserHref = (href: string): string =>
  href
    .trim()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0020]/g, (character) => (character === ' ' ? '%20' : ''))
    .replace(/^\/\//, 'https://')

/** Returns the absolute http or https URL of remote content. Undefined for anything else. */
export function remoteUrl(reference: string): string | undefined {
  const text = reference.trim().replace(/^\/\//, 'https://')
  const href = text.length <= MAX_URL_LENGTH && /^https?:/i.test(text) ? URL.parse(text)?.href : undefined
  // Letters of other scripts are up to nine times as long in a URL.
  return href !== undefined && href.length <= MAX_URL_LENGTH ? href : undefined
}
