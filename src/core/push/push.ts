import type { AddressId, MessageId, SecretId } from '../ids.ts'
import type { PushResponse } from './push-hosts.ts'

/** A browser that is told when a message arrives at an address. Times are milliseconds since the epoch. */
export interface PushSubscription {
  /** A keyed hash of address and endpoint, 22 characters: the same browser has one for each address. */
  id: string
  addressId: AddressId
  /** Endpoint and keys of the browser (`PushEndpoint` as JSON), wrapped with the service key. */
  sealed: Uint8Array
  /**
   * A keyed hash of the push service. Pushes through one must not delay those through others. All hosts that are not
   * known as push services share one, because anyone can have as many host names as they like.
   */
  hostKey: string
  /** The session of a subscriber with which it ends; null if the browser holds the secret of the address. */
  sessionId: string | null
  createdAt: number
}

/** What a browser needs to be reached, as `PushSubscription.toJSON()` returns it. */
export interface PushEndpoint {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A push that is due. */
export interface WaitingPush extends Pick<PushSubscription, 'id' | 'addressId' | 'sealed' | 'hostKey'> {
  /** The latest message that it announces. */
  messageId: MessageId
  /** The number of unread messages in the inbox. */
  unread: number
  /** When the address expires. */
  expiresAt: number
  /** When the last push was sent; 0 if there was none. */
  pushedAt: number
  queuedAt: number
  attempts: number
}

/**
 * Stores push subscriptions, each with at most one waiting push. Times are milliseconds since the epoch. Writes are
 * durable when the promise resolves. Errors as in `Store`.
 */
export interface PushStore {
  /**
   * Adds a subscription, or replaces the one with the same id, and marks its address, in one transaction. Beyond `max`
   * subscriptions, the oldest of the address are removed, after those whose session has ended. Returns false if the address is not alive, or if `secretId`
   * is no longer its secret.
   */
  subscribe(subscription: PushSubscription, max: number, now: number, secretId?: SecretId): Promise<boolean>
  /** Returns the subscriptions of an address whose session has not ended at `now`, oldest first. */
  list(addressId: AddressId, now: number): Promise<Pick<PushSubscription, 'id' | 'sealed' | 'createdAt'>[]>
  remove(addressId: AddressId, id: string): Promise<void>
  /** Removes a subscription of any address. */
  forget(id: string): Promise<void>
  /**
   * Queues a push for each subscription of the address, due `gap` after its last one. A push that already waits tells
   * of the new message instead. Returns the number of subscriptions.
   */
  queue(addressId: AddressId, messageId: MessageId, now: number, gap: number): Promise<number>
  /**
   * Leases up to `limit` pushes that are due at `now`, the longest due first, at most one per host and none to the hosts
   * in `except`, in one atomic step. No other caller gets them before `leasedUntil`. Subscriptions whose address or
   * session has ended are removed.
   */
  take(now: number, leasedUntil: number, rules: { limit: number; except: readonly string[] }): Promise<WaitingPush[]>
  /** Records a push that was sent. If a message arrived meanwhile, the next is due after `gap`. */
  done(push: WaitingPush, at: number, gap: number): Promise<void>
  /** Ends a push that is no longer needed. If a message arrived meanwhile, the next is due immediately. */
  skip(push: WaitingPush, at: number): Promise<void>
  /** Schedules a failed push for `dueAt` and increments its attempts. */
  retry(push: WaitingPush, dueAt: number): Promise<void>
  waiting(): Promise<number>
}

/** Sends to push services, which the browsers of visitors choose. */
export interface PushService {
  /** Whether the URL is allowed: HTTPS and, according to DNS now, a host on the public internet. Never throws. */
  allows(endpoint: string): Promise<boolean>
  /**
   * Encrypts `payload` for the browser and sends it (RFC 8030, 8188, 8291, 8292). Rejects if there is no response.
   * `ttl`: milliseconds for which the push service keeps it. `topic`: replaces an undelivered push of the same topic.
   */
  send(
    to: PushEndpoint,
    payload: string,
    keys: PushKeys,
    options: { ttl: number; topic: string; contact: string },
  ): Promise<PushResponse>
}

/** The VAPID keys with which this service identifies itself to push services, in Base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}
