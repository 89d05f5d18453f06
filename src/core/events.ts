import type { AddressId } from './ids.ts'

/** Tells who watches an inbox that it changed: an id only, the watcher reads what changed from the store. */
export interface EventBus {
  publish(addressId: AddressId): void
  /** Answers a function that ends the subscription. */
  subscribe(addressId: AddressId, listener: () => void): () => void
  /** Whether somebody listens in this process. */
  isWatched(addressId: AddressId): boolean
}

/** The topic of changed inboxes: their addresses' ids. */
export const INBOX_TOPIC = 'inbox'

/** Short texts between the processes of one service; they may get lost, and `onGap` tells of it. */
export interface Channel {
  /** Soon, to all other processes; gathered for some milliseconds. Never throws. */
  send(topic: string, item: string): void
  /** Calls `listener` with the items that another process sent on the topic. */
  onItems(topic: string, listener: (items: readonly string[]) => void): void
  /** Calls `listener` after a time in which items may have been missed. */
  onGap(listener: () => void): void
}
