import type { AddressId } from './ids.ts'

/**
 * Notifies the watchers of an inbox of changes. A notification carries only the id; the watcher reads the changes from
 * the store.
 */
export interface EventBus {
  publish(addressId: AddressId): void
  /** Returns a function that unsubscribes the listener. */
  subscribe(addressId: AddressId, listener: () => void): () => void
  /** Whether the inbox has a listener in this process. */
  isWatched(addressId: AddressId): boolean
}

/** The name under which watchers of an address are notified of its failed deliveries, which do not change the inbox. */
export const deliveriesOf = (addressId: AddressId): AddressId => `${addressId} deliveries`

/** The topic for changed inboxes. Its items are address ids. */
export const INBOX_TOPIC = 'inbox'

/** Short messages between the processes of one service. They may get lost; `onGap` reports that. */
export interface Channel {
  /** Sends an item to all other processes, batched for a few milliseconds. Never throws. */
  send(topic: string, item: string): void
  /** Calls `listener` with the items that other processes sent on the topic. */
  onItems(topic: string, listener: (items: readonly string[]) => void): void
  /** Calls `listener` when items may have been lost. */
  onGap(listener: () => void): void
}
