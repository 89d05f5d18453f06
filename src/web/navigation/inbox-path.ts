import type { PagePayload } from '#contract/pages.ts'

/** The path of the inbox that a page shows, or of one of its messages; without the language. */
export function inboxPath({ path, query }: Pick<PagePayload, 'path' | 'query'>, message?: string): string {
  const named = new URLSearchParams({
    // Of a fully private address; every other one is that of the visitor.
    ...(query.address === undefined ? {} : { address: query.address }),
    ...(message === undefined ? {} : { message }),
  }).toString()
  return named === '' ? path : `${path}?${named}`
}
