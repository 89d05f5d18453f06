/** Longer URLs are removed from messages. */
const MAX_URL_LENGTH = 4096

/** Returns the absolute http or https URL of remote content. Undefined for anything else. */
export function remoteUrl(reference: string): string | undefined {
  const text = reference.trim().replace(/^\/\//, 'https://')
  if (text.length > MAX_URL_LENGTH || !/^https?:/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
