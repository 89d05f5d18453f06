import type { PagePayload } from '#contract/pages.ts'

/** Which component shows a payload: the home page has two, the list and a single mail. */
export function viewOf(payload: PagePayload): PagePayload['page'] | 'message' {
  return payload.page === 'home' && payload.data.message && payload.data.address ? 'message' : payload.page
}
