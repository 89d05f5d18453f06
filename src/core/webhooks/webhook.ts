import type { SubscriptionId } from '../ids.ts'

/** A URL on a subscriber's own server that is told of each mail. Times are milliseconds since the epoch. */
export interface Webhook {
  /** 22 random characters. */
  id: string
  subscriptionId: SubscriptionId
  /** The URL and the secret of its signatures, each wrapped with the service's key. */
  sealedUrl: Uint8Array
  sealedSecret: Uint8Array
  /** A keyed hash of the URL's host: what goes to one host must not hold up what goes to others. */
  hostKey: string
  createdAt: number
  deliveredAt: number | null
  /** Since when nothing got through; null where the last delivery did. */
  failingSince: number | null
  /** After too long a time of failures: nothing is sent until a test gets through. */
  off: boolean
}

export interface NewDelivery {
  /** What the receiver knows it by, the same at each attempt. */
  id: string
  webhookId: string
  /** The body, wrapped with the service's key. */
  sealed: Uint8Array
  createdAt: number
}

export interface WaitingDelivery extends Omit<NewDelivery, 'webhookId'> {
  attempts: number
  webhook: Webhook
}

export interface WebhookStore {
  /** False where the subscription has `max` already, or is gone. */
  add(webhook: Webhook, max: number): Promise<boolean>
  find(subscriptionId: SubscriptionId, id: string): Promise<Webhook | undefined>
  /** Oldest first. */
  list(subscriptionId: SubscriptionId): Promise<Webhook[]>
  /** With all that waits for it. False where there is no such webhook of this subscription. */
  remove(subscriptionId: SubscriptionId, id: string): Promise<boolean>
  /** Something got through: it is well, and on, again. */
  succeeded(id: string, at: number): Promise<void>
  /** Switches it off where nothing got through since `before`, and drops all that waits for it; answers whether it did. */
  switchOff(id: string, before: number): Promise<boolean>
}

export interface WebhookDeliveryStore {
  /** Keeps those whose webhook is there, on, and has less than `max` that wait; one with an id that waits already is kept once. Answers how many it kept. */
  add(deliveries: readonly NewDelivery[], max: number): Promise<number>
  /**
   * Up to `limit` that are due at `now`, longest due first, one to a host at most and none to the hosts `except`; nobody else gets
   * them before `leasedUntil`.
   */
  take(
    now: number,
    leasedUntil: number,
    rules: { limit: number; except: readonly string[] },
  ): Promise<WaitingDelivery[]>
  /** It got through. */
  delivered(delivery: WaitingDelivery, at: number): Promise<void>
  /** It failed: again at `dueAt` with one attempt more, or given up where that is null. */
  failed(delivery: WaitingDelivery, at: number, dueAt: number | null): Promise<void>
  waiting(): Promise<number>
}

/** A POST to a URL that somebody else chose. */
export interface WebhookPost {
  /** Whether the URL may be posted to: https, and a host on the public internet as far as the DNS says now. Never throws. */
  allows(url: string): Promise<boolean>
  /** Answers the HTTP status; redirects are not followed. Rejects where there was no answer. */
  send(url: string, headers: Record<string, string>, body: string): Promise<number>
}
