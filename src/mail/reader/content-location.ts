import type { Attachment, Email } from 'postal-mime'
import { contentId } from '../html/inline-images.ts'

const TAG = /<[a-z][^<>]*>/gi
/** The attributes that show an image. */
const REFERENCE = /(\s(?:src|background)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi
const MAX_LENGTH = 2048
/** What relative references are relative to if the message does not say it (RFC 2557 5). */
const BASE = 'thismessage:/'

const locations = new WeakMap<Attachment, string>()

/** Keeps the Content-Location of an image (RFC 2557). An image without a Content-ID gets one, with this number. */
export function keepLocation(part: Attachment, location: string, number: number): void {
  if (!part.mimeType.startsWith('image/') || location === '' || location.length > MAX_LENGTH) return
  locations.set(part, location)
  part.contentId ||= `<${number}@location.invalid>`
}

/**
 * Returns the HTML of a message with references to its images by Content-ID (RFC 2392) instead of Content-Location.
 * `html` is the HTML or its beginning.
 */
export function withContentIds(html: string, mail: Email): string {
  const images = mail.attachments.filter((part) => locations.has(part))
  if (images.length === 0) return html
  const base = URL.parse(mail.headers.find(({ key }) => key === 'content-location')?.value ?? '', BASE)?.href ?? BASE
  const ids = new Map<string, string>()
  for (const part of images) {
    const location = URL.parse(locations.get(part) ?? '', base)?.href
    if (location !== undefined && !ids.has(location)) ids.set(location, encodeURIComponent(contentId(part)))
  }
  return html.replace(TAG, (tag) =>
    tag.replace(REFERENCE, (whole, before: string, value: string) => {
      const reference = value.replace(/^["']|["']$/g, '').replaceAll('&amp;', '&')
      const url = reference.length > MAX_LENGTH ? undefined : URL.parse(reference, base)?.href
      const id = url === undefined ? undefined : ids.get(url)
      return id === undefined ? whole : `${before}"cid:${id}"`
    }),
  )
}
