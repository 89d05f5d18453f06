import type { AddressId, SubscriptionId } from './ids.ts'

/** What watchers listen to: the inbox of an address, the failed deliveries to it, or what belongs to a subscription. */
export type Topic = AddressId | SubscriptionId | `${AddressId} deliveries`

/**
 * Notifies the watchers of a topic of changes. A notification carries only the topic; the watcher reads the changes from
 * the store.
 */
export interface EventBus {
  publish(topic: Topic): void
  /** Returns a function that unsubscribes the listener. */
  subscribe(topic: Topic, listener: () => void): () => void
  /** Whether the topic has a listener in this process. */
  isWatched(topic: Topic): boolean
}

/** The topic of the failed deliveries to an address, which do not change its inbox. */
export const deliveriesOf = (addressId: AddressId): Topic => `${addressId} deliveries`

/** The topic of the channel for the events of the bus. Its items are the topics of the bus. */
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
