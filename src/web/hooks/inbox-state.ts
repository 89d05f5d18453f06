import type { AddressJson } from '#contract/addresses.ts'
import type { MessageListJson, MessageSummaryJson } from '#contract/messages.ts'

export type LiveStatus = 'connecting' | 'live' | 'lost' | 'off'

/** What is shown of an address. */
export type ShownAddress = Pick<AddressJson, 'address' | 'expiresAt' | 'lifetime'>

/** What the home page knows of the address and its mail. */
export interface InboxState {
  address: ShownAddress | null
  /** Where the live stream begins. */
  revision: number
  ended: boolean
  messages: readonly MessageSummaryJson[]
  /** Ids of the messages that were deleted while the page was open. */
  deleted: readonly string[]
  /** Where the older messages begin; null when all are here. */
  next: string | null
  status: LiveStatus
  /** The message that came last while the page was open, for the announcement. */
  arrived: MessageSummaryJson | null
}

export type InboxEvent =
  | { type: 'message'; message: MessageSummaryJson }
  | { type: 'deleted'; id: string }
  | { type: 'address'; address: ShownAddress }
  | { type: 'created'; address: ShownAddress }
  | { type: 'older'; page: MessageListJson }
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
}

/** Newest first; ids sort by time of arrival. */
function withMessage(messages: readonly MessageSummaryJson[], message: MessageSummaryJson): MessageSummaryJson[] {
  const others = messages.filter(({ id }) => id !== message.id)
  const at = others.findIndex(({ id }) => id < message.id)
  return at === -1 ? [...others, message] : [...others.slice(0, at), message, ...others.slice(at)]
}

export function inboxReducer(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'message': {
      const known = state.messages.some(({ id }) => id === event.message.id)
      // A change of a message on a page that isn't loaded is none of the list's business.
      if (!known && state.next !== null && event.message.id < state.next) return state
      return {
        ...state,
        messages: withMessage(state.messages, event.message),
        arrived: known ? state.arrived : event.message,
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
      const messages = event.page.messages.reduce<readonly MessageSummaryJson[]>(withMessage, state.messages)
      return { ...state, messages, next: event.page.next }
    }
    case 'status':
      return { ...state, status: event.status }
    case 'ended':
      return { ...emptyInbox, ended: true, status: 'off' }
    case 'reset':
      return { ...state, ...event.state }
  }
}

export const unreadCount = ({ messages }: Pick<InboxState, 'messages'>): number =>
  messages.filter(({ seen }) => !seen).length

/** Whether a message that is being read is no longer there, by itself or with its address. */
export const isGone = ({ ended, deleted }: Pick<InboxState, 'ended' | 'deleted'>, id: string): boolean =>
  ended || deleted.includes(id)
