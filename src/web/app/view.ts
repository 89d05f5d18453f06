import type { PagePayload } from '#contract/pages.ts'

export type View = PagePayload['page'] | 'message' | 'delete'

/**
 * The component that renders a payload. The home page is the list, one message, or (`delete`) what visitors without
 * JavaScript see instead: the question before a deletion, or the deliveries.
 */
export function viewOf(payload: PagePayload): View {
  if (payload.page !== 'home' || !payload.data.address) return payload.page
  if (payload.data.panel) return 'delete'
  return payload.data.message ? 'message' : 'home'
}
