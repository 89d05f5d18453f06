import type { SubscriptionId } from '../ids.ts'

/** Lets a program use the API by the rules of a subscription. Times are milliseconds since the epoch. */
export interface ApiKey {
  /** 22 random characters. */
  id: string
  /** SHA-256 of the token, base64url. */
  tokenHash: string
  subscriptionId: SubscriptionId
  /** The name that its owner gave it, wrapped with the service's key. */
  sealedLabel: Uint8Array
  createdAt: number
  usedAt: number | null
}

/** Addresses that are made with a key belong to the subscription: at most `max` of them are alive at once. */
export interface KeyQuota {
  subscriptionId: SubscriptionId
  max: number
}

export interface ApiKeyStore {
  /** False where the subscription has `max` already, or is gone. */
  add(key: ApiKey, max: number): Promise<boolean>
  find(tokenHash: string): Promise<ApiKey | undefined>
  /** Oldest first. */
  list(subscriptionId: SubscriptionId): Promise<ApiKey[]>
  touch(id: string, usedAt: number): Promise<void>
  /** False where there is no such key of this subscription. */
  remove(subscriptionId: SubscriptionId, id: string): Promise<boolean>
}
