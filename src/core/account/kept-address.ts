import type { AddressId, NameKey, SubscriptionId } from '../ids.ts'
import type { SecretChange } from '../mailbox/secret-change.ts'

/**
 * An address that a subscriber keeps, so that it is available on all devices. Times are milliseconds since the epoch.
 */
export interface KeptAddress {
  addressId: AddressId
  subscriptionId: SubscriptionId
  nameKey: NameKey
  /** `login@domain` and the subscriber's optional label, each wrapped with the service key. */
  sealedName: Uint8Array
  sealedLabel: Uint8Array | null
  /** The secret, wrapped with the service key; null for a fully private address, whose key never leaves the browser. */
  sealedSecret: Uint8Array | null
  createdAt: number
}

export interface KeptAddressRow extends KeptAddress {
  /** Null if the address has expired or was deleted. */
  expiresAt: number | null
  usedBytes: number
  unread: number
  revision: number
  /** See `AddressRow.sealedEarlierKeys`. */
  sealedEarlierKeys: Uint8Array | null
}

/** Stores the addresses that subscribers keep. Writes are durable when the promise resolves. Errors as in `Store`. */
export interface KeptAddressStore {
  /**
   * Keeps a live address in one transaction. The address gets the rules of a subscription: `lifetime: 'subscription'`,
   * no expiry, and its name reserved forever. An address that the subscription already keeps gets them again. With
   * `change`, the same transaction replaces the secret.
   * Returns false if the subscription has lapsed, does not exist or keeps `max` addresses, if the address is not alive
   * or belongs to another subscription, or if the current secret is not the one that `change` replaces.
   */
  add(address: KeptAddress, max: number, now: number, change?: SecretChange): Promise<boolean>
  /** Returns the kept addresses of the subscription, oldest first. */
  list(subscriptionId: SubscriptionId, now: number): Promise<KeptAddressRow[]>
  find(subscriptionId: SubscriptionId, addressId: AddressId, now: number): Promise<KeptAddressRow | undefined>
  rename(subscriptionId: SubscriptionId, addressId: AddressId, sealedLabel: Uint8Array | null): Promise<boolean>
  /** Removes the address from the list. The address itself does not change. */
  remove(subscriptionId: SubscriptionId, addressId: AddressId): Promise<boolean>
  /** Returns the bytes of all messages of the subscription's addresses, except those of `except`. */
  usedBytes(subscriptionId: SubscriptionId, except?: AddressId): Promise<number>
  /**
   * Gives all live addresses of the subscription the free rules in one transaction: their lifetime is `day`, they expire
   * at `expiresAt`, and their names are reserved until `heldUntil`. An address whose forwarding ends later expires when the
   * forwarding ends, and its name is reserved that much longer. If `expiresAt` is not after `now`, all addresses expire at
   * once, also those that forward.
   */
  release(subscriptionId: SubscriptionId, expiresAt: number, heldUntil: number, now: number): Promise<void>
  /** Reverts `release`: gives all live addresses the rules of a subscription again, in one transaction. */
  restore(subscriptionId: SubscriptionId, now: number): Promise<void>
}

/**
 * Returns the context to which wrapped values of a kept address are bound: they unwrap only for this address and
 * subscription.
 */
export const keptRow = ({ subscriptionId, addressId }: Pick<KeptAddress, 'subscriptionId' | 'addressId'>): string =>
  `${subscriptionId} ${addressId}`
