/** Where the payload of a page is (SPEC 7): `/en/change?x` -> `/en/change/_payload.json?x`. */
export function payloadPath(href: string): string {
  const { pathname, search } = new URL(href, 'http://localhost')
  return `${pathname.replace(/\/$/, '')}/_payload.json${search}`
}
