import type { SubscriptionId } from '../ids.ts'

/** Lets a program use the API under the rules of a subscription. Times are milliseconds since the epoch. */
export interface ApiKey {
  /** 22 random characters. */
  id: string
  /** SHA-256 of the token, base64url. */
  tokenHash: string
  subscriptionId: SubscriptionId
  /** The name that its owner chose, wrapped with the service key. */
  sealedLabel: Uint8Array
  createdAt: number
  usedAt: number | null
}

/** The addresses that API keys create count against the subscription: at most `max` of them are alive at once. */
export interface KeyQuota {
  subscriptionId: SubscriptionId
  max: number
  /** The key that creates the address. */
  keyId?: string | undefined
  /** The own domain of the new address. Default: a domain of the service. */
  ownDomain?: string | undefined
}

/** Stores API keys. Writes are durable when the promise resolves. Errors as in `Store`. */
export interface ApiKeyStore {
  /** Adds a key in one transaction. Returns false if the subscription has `max` keys or does not exist. */
  add(key: ApiKey, max: number): Promise<boolean>
  find(tokenHash: string): Promise<ApiKey | undefined>
  /** Returns the keys of the subscription, oldest first. */
  list(subscriptionId: SubscriptionId): Promise<ApiKey[]>
  touch(id: string, usedAt: number): Promise<void>
  /** Returns false if the subscription has no such key. */
  remove(subscriptionId: SubscriptionId, id: string): Promise<boolean>
}
