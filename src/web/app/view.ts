import type { PagePayload } from '#contract/pages.ts'

export type View = PagePayload['page'] | 'message' | 'delete' | 'deliveries'

/** The component that renders a payload. The home page is the list, one message, a confirmation, or the deliveries. */
export function viewOf(payload: PagePayload): View {
  if (payload.page !== 'home' || !payload.data.address) return payload.page
  if (payload.data.deleting) return 'delete'
  if (payload.data.deliveries) return 'deliveries'
  return payload.data.message ? 'message' : 'home'
}
