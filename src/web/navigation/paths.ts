import type { PagePayload } from '#contract/pages.ts'

/** The path of the inbox that a page shows, or of one of its messages; without the language. */
export function inboxPath({ path, query }: Pick<PagePayload, 'path' | 'query'>, message?: string): string {
  // Only a fully private address is named in the path. Any other is identified by the visitor's cookie.
  const inbox = query.address === undefined ? path : `${path}?address=${encodeURIComponent(query.address)}`
  return message === undefined ? inbox : `${inbox}${inbox === path ? '?' : '&'}message=${encodeURIComponent(message)}`
}

/** The path of the JSON payload of a page: `/en/change?x` -> `/en/change/_payload.json?x`. */
export function payloadPath(href: string): string {
  const { pathname, search } = new URL(href, 'http://localhost')
  return `${pathname.replace(/\/$/, '')}/_payload.json${search}`
}
