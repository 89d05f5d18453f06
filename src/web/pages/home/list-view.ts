import type { MessageSummaryJson } from '#contract/messages.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import type { DeliveriesSource } from '../deliveries/deliveries-props.ts'

/** The inbox as far as the list needs it. */
export type ListedInbox = Pick<
  Inbox,
  | 'messages'
  | 'next'
  | 'status'
  | 'address'
  | 'arrived'
  | 'busy'
  | 'older'
  | 'attempt'
  | 'ended'
  | 'remove'
  | 'failures'
> &
  DeliveriesSource & {
    /** Whether messages of a fully private address are still being opened. */
    opening?: boolean
    /** The text of a message of a fully private address, as far as this browser has opened it. */
    textOf?: (id: string) => string | undefined
  }

/** Which messages the list shows, and which are selected. */
export interface ListView {
  /** Null: all. */
  filter: ((message: MessageSummaryJson) => boolean) | null
  /** Null unless the visitor selects several. */
  selected: ReadonlySet<string> | null
}
