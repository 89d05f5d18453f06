import type { AddressId, MessageId, SubscriptionId } from '../ids.ts'

/** An endpoint of a subscriber that Mayfly calls for each message. Times are milliseconds since the epoch. */
export interface Webhook {
  /** 22 random characters. */
  id: string
  subscriptionId: SubscriptionId
  /** The URL and the secret of its signatures, each wrapped with the service key. */
  sealedUrl: Uint8Array
  sealedSecret: Uint8Array
  /** A keyed hash of the URL's host. Calls to one host must not delay those to others. */
  hostKey: string
  createdAt: number
  deliveredAt: number | null
  /** Since when all calls fail; null if the last one succeeded. */
  failingSince: number | null
  /** True after failing for too long: nothing is sent until a test succeeds. */
  off: boolean
}

export interface NewWebhookCall {
  /** The id that the endpoint sees, the same for each attempt. */
  id: string
  webhookId: string
  /** The message that it announces. */
  addressId: AddressId
  messageId: MessageId
  /** The request body, wrapped with the service key. */
  sealed: Uint8Array
  createdAt: number
}

/** The calls that announce a message. */
export interface WebhookCalls {
  list: readonly NewWebhookCall[]
  /** The number of calls that may wait for one webhook. */
  max: number
}

/** How many calls were queued, and how many were dropped because too many wait. */
export interface QueuedCalls {
  queued: number
  dropped: number
}

export interface WaitingCall extends Omit<NewWebhookCall, 'webhookId' | 'addressId' | 'messageId'> {
  attempts: number
  webhook: Webhook
}

/**
 * Stores webhooks. Times are milliseconds since the epoch. Writes are durable when the promise resolves. Errors as in
 * `Store`.
 */
export interface WebhookStore {
  /** Adds a webhook in one transaction. Returns false if the subscription has `max` webhooks or does not exist. */
  add(webhook: Webhook, max: number): Promise<boolean>
  find(subscriptionId: SubscriptionId, id: string): Promise<Webhook | undefined>
  /** Replaces the secret and switches the webhook on. Returns false if it was removed. */
  replaceSecret(id: string, sealedSecret: Uint8Array): Promise<boolean>
  /** Returns the webhooks of the subscription, oldest first. */
  list(subscriptionId: SubscriptionId): Promise<Webhook[]>
  /**
   * Removes a webhook and its queued calls in one transaction. Returns false if the subscription has no such
   * webhook.
   */
  remove(subscriptionId: SubscriptionId, id: string): Promise<boolean>
  /** Records a successful call: the webhook is no longer failing, and is switched on again. */
  recordSuccess(id: string, at: number): Promise<void>
  /**
   * Switches the webhook off if it has failed since `before` or longer, and drops its queued calls, in one
   * transaction. Returns whether it was switched off.
   */
  switchOff(id: string, before: number): Promise<boolean>
}

/**
 * The queue of webhook calls. `MessageStore.attachSummaries` adds calls in the transaction of the first summary
 * of their message, with which they are removed. Times are milliseconds since the epoch. Writes are durable when the
 * promise resolves. Errors as in `Store`.
 */
export interface WebhookCallStore {
  /**
   * Leases up to `limit` calls that are due at `now`, the longest due first, at most one per host and none to the
   * hosts in `except`, in one atomic step. No other caller gets them before `leasedUntil`.
   */
  take(now: number, leasedUntil: number, rules: { limit: number; except: readonly string[] }): Promise<WaitingCall[]>
  /** Removes a call that succeeded, and records the success on its webhook. */
  recordSuccess(call: WaitingCall, at: number): Promise<void>
  /**
   * Records a failed attempt: reschedules the call for `dueAt` and increments its attempts, or gives it up if
   * `dueAt` is null.
   */
  recordFailure(call: WaitingCall, at: number, dueAt: number | null): Promise<void>
  /** Removes a call without an attempt. */
  drop(id: string): Promise<void>
  waiting(): Promise<number>
}

/** The response to a call. */
interface PostResponse {
  status: number
  location: string | undefined
}

/** Sends a POST to a URL that a subscriber or visitor chose. */
export interface WebhookPost {
  /** Whether the URL is allowed: HTTPS and, according to DNS now, a host on the public internet. Never throws. */
  allows(url: string): Promise<boolean>
  /** Does not follow redirects. Rejects if there is no response. */
  send(url: string, headers: Record<string, string>, body: string | Uint8Array): Promise<PostResponse>
}
