import type { DeliveryListJson } from '#contract/deliveries.ts'
import type { InboxState } from '../../hooks/inbox-state.ts'

/** How the list of an inbox is read. Null until the inbox is open. */
export interface DeliveriesSource {
  deliveries: (() => Promise<DeliveryListJson>) | null
}

export interface DeliveriesProps {
  inbox: Pick<InboxState, 'messages' | 'failures'> & DeliveriesSource
  address: string
}
