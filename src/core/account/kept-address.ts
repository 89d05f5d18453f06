import type { AddressId, NameKey, SubscriptionId } from '../ids.ts'
import type { SecretChange } from '../mailbox/secret-change.ts'

/** An address that belongs to a subscription, so that it is there on every device. */
export interface KeptAddress {
  addressId: AddressId
  subscriptionId: SubscriptionId
  nameKey: NameKey
  /** `login@domain`, and its own name where it has one, each wrapped with the service's key. */
  sealedName: Uint8Array
  sealedLabel: Uint8Array | null
  /** The secret, wrapped with the service's key; null for a fully private address, whose key never leaves the browser. */
  sealedSecret: Uint8Array | null
  createdAt: number
}

export interface KeptAddressRow extends KeptAddress {
  /** Null where the address has ended. */
  expiresAt: number | null
  usedBytes: number
  unread: number
  revision: number
  /** As `AddressRow.sealedEarlierKeys`. */
  sealedEarlierKeys: Uint8Array | null
}

export interface KeptAddressStore {
  /**
   * Adds it where the subscription has not lapsed and keeps less than `max`, and the address is alive and no other
   * subscription's; gives the address the rules of a subscription (`lifetime: 'subscription'`, no end, its name held for
   * ever). One that is kept already gets them again. With `change`, it gets a new secret in the same transaction. False where
   * there is no room, or where another secret opens it than the one that `change` replaces.
   */
  add(address: KeptAddress, max: number, now: number, change?: SecretChange): Promise<boolean>
  /** Oldest first. */
  list(subscriptionId: SubscriptionId, now: number): Promise<KeptAddressRow[]>
  find(subscriptionId: SubscriptionId, addressId: AddressId, now: number): Promise<KeptAddressRow | undefined>
  rename(subscriptionId: SubscriptionId, addressId: AddressId, sealedLabel: Uint8Array | null): Promise<boolean>
  /** Takes it off the list; the address itself stays what it is. */
  remove(subscriptionId: SubscriptionId, addressId: AddressId): Promise<boolean>
  /** Bytes of all mail of a subscription, without that of the address `except`. */
  usedBytes(subscriptionId: SubscriptionId, except?: AddressId): Promise<number>
  /** All living addresses of a subscription get the free rules: lifetime `day`, ending at `expiresAt`. */
  release(subscriptionId: SubscriptionId, expiresAt: number, heldUntil: number, now: number): Promise<void>
  /** And back: those that are alive get the rules of a subscription again. */
  restore(subscriptionId: SubscriptionId, now: number): Promise<void>
}

/** What is wrapped of a kept address opens for this address of this subscription alone. */
export const keptRow = ({ subscriptionId, addressId }: Pick<KeptAddress, 'subscriptionId' | 'addressId'>): string =>
  `${subscriptionId} ${addressId}`
