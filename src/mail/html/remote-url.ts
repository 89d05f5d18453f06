/** Longer URLs are left out of mails. */
const MAX_URL_LENGTH = 4096

/** The http or https URL of remote content, whole; undefined for everything else. */
export function remoteUrl(reference: string): string | undefined {
  const text = reference.trim().replace(/^\/\//, 'https://')
  if (text.length > MAX_URL_LENGTH || !/^https?:/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
