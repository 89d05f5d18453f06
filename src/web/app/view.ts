import type { PagePayload } from '#contract/pages.ts'

export type View = PagePayload['page'] | 'message' | 'delete'

/** Which component shows a payload: the home page is a list, a single email, or the question before one of them is deleted. */
export function viewOf(payload: PagePayload): View {
  if (payload.page !== 'home' || !payload.data.address) return payload.page
  if (payload.data.deleting) return 'delete'
  return payload.data.message ? 'message' : 'home'
}
