import type { AddressJson } from '#contract/addresses.ts'
import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'

export type LiveStatus = 'connecting' | 'live' | 'lost' | 'off'

/** The displayed fields of an address. */
export type ShownAddress = Pick<AddressJson, 'address' | 'expiresAt' | 'lifetime'>

/** The home page's state of the address and its messages. */
export interface InboxState {
  address: ShownAddress | null
  /** Revision of the inbox from which the live stream continues. */
  revision: number
  /** The payload that the list comes from. The stream starts again after it, because it may be older than the last events. */
  source?: object
  ended: boolean
  messages: readonly MessageSummaryJson[]
  /** Ids of the messages that were deleted while the page was open. */
  deleted: readonly string[]
  /** Cursor of the older messages; null if all are loaded. */
  next: string | null
  status: LiveStatus
  /** The last message that arrived while the page was open, for the announcement. */
  arrived: MessageSummaryJson | null
  /** How many times the list of deliveries may have changed apart from the messages. */
  failures: number
}

export type InboxEvent =
  | { type: 'message'; message: MessageSummaryJson }
  | { type: 'deleted'; id: string }
  | { type: 'address'; address: ShownAddress }
  | { type: 'created'; address: ShownAddress }
  /** `before`: the cursor for which the batch was requested. */
  | { type: 'older'; before?: string; page: MessageListJson }
  | { type: 'deliveries' }
  | { type: 'status'; status: LiveStatus }
  | { type: 'ended' }
  | { type: 'reset'; state: Partial<InboxState> }

export const emptyInbox: InboxState = {
  address: null,
  revision: 0,
  ended: false,
  messages: [],
  deleted: [],
  next: null,
  status: 'connecting',
  arrived: null,
  failures: 0,
}

/** Newest first; ids sort by time of arrival. */
function withMessage(messages: readonly MessageSummaryJson[], message: MessageSummaryJson): MessageSummaryJson[] {
  const rest = messages.filter(({ id }) => id !== message.id)
  const at = rest.findIndex(({ id }) => id < message.id)
  return at === -1 ? [...rest, message] : [...rest.slice(0, at), message, ...rest.slice(at)]
}

export function inboxReducer(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'message': {
      const known = state.messages.some(({ id }) => id === event.message.id)
      // The change concerns a message that is not loaded.
      if (!known && state.next !== null && event.message.id < state.next) return state
      return {
        ...state,
        messages: withMessage(state.messages, event.message),
        arrived: known || event.message.seen ? state.arrived : event.message,
      }
    }
    case 'deleted':
      return {
        ...state,
        messages: state.messages.filter(({ id }) => id !== event.id),
        deleted: [...state.deleted, event.id],
      }
    case 'address':
      return { ...state, address: event.address, ended: false }
    case 'created':
      return { ...emptyInbox, address: event.address }
    case 'older': {
      // The list was replaced since. The batch does not follow this one.
      if (event.before && event.before !== state.next) return state
      // A batch that was on its way may still have messages that were deleted since.
      const there = event.page.messages.filter(({ id }) => !state.deleted.includes(id))
      const messages = there.reduce<readonly MessageSummaryJson[]>(withMessage, state.messages)
      return { ...state, messages, next: event.page.next }
    }
    case 'deliveries':
      return { ...state, failures: state.failures + 1 }
    case 'status':
      // A new stream that replaces a live one is not announced.
      return event.status === 'connecting' && state.status === 'live' ? state : { ...state, status: event.status }
    case 'ended':
      return { ...emptyInbox, ended: true, status: 'off' }
    case 'reset': {
      const isSame = event.state.address?.address === state.address?.address
      return { ...state, arrived: isSame ? state.arrived : null, ...event.state }
    }
  }
}

/** A set with a value added, or removed if it was there. */
export const toggled = <T>(set: ReadonlySet<T> | null, value: T): ReadonlySet<T> =>
  new Set(set?.has(value) ? [...set].filter((each) => each !== value) : [...(set ?? []), value])

export const unreadCount = ({ messages }: Pick<InboxState, 'messages'>): number =>
  messages.filter(({ seen }) => !seen).length

/** Whether the open message was deleted, alone or with its address. */
export const isGone = ({ ended, deleted }: Pick<InboxState, 'ended' | 'deleted'>, id: string): boolean =>
  ended || deleted.includes(id)
