import type { KeyQuota } from '../account/api-key.ts'
import type { AddressId, NameKey, SecretId, SubscriptionId } from '../ids.ts'
import type { Lifetime } from './lifetime.ts'
import type { SecretChange } from './secret-change.ts'

/** What must still hold for an address that is removed. A subscriber may keep it at the same moment. */
export interface ExpectedAddress {
  secretId?: SecretId
  /** The subscription whose API key created it. */
  keySubscriptionId?: SubscriptionId
}

export interface AddressRow {
  id: AddressId
  /** The look-up hash of the current secret: equal to `id` until the secret is replaced. */
  secretId: SecretId
  nameKey: NameKey
  /** X25519 public key, 32 bytes, raw. */
  publicKey: Uint8Array
  /** `login@domain`, sealed to `publicKey`. */
  sealedName: Uint8Array
  lifetime: Lifetime
  createdAt: number
  expiresAt: number
  /** The total size of all messages as received, in bytes. */
  usedBytes: number
  /** Incremented with every change of the inbox; the event id of the live stream. */
  revision: number
  /** The subscription that the address belongs to; null for a free address. */
  subscriptionId: SubscriptionId | null
  /** The subscription whose API key created it as a test address under the free rules; null for all other addresses. */
  keySubscriptionId: SubscriptionId | null
  /** Whether only the owner's browser has the private key, so that the server cannot read the messages. */
  private: boolean
  /** Whether a destination has ever consented. If not, the receiver does not look up forwardings. */
  forwards: boolean
  /** Whether a browser ever asked to be told of new messages. If not, the receiver queues no pushes. */
  pushes: boolean
  /** The private keys from before the secret was replaced (`mail/sealing/key-ring.ts`); null if it never was. */
  sealedEarlierKeys: Uint8Array | null
  /** The SMTP faults that the owner set, wrapped with the service key; null if there are none. */
  sealedFaults: Uint8Array | null
}

export type NewAddress = Omit<
  AddressRow,
  | 'secretId'
  | 'usedBytes'
  | 'revision'
  | 'subscriptionId'
  | 'keySubscriptionId'
  | 'private'
  | 'forwards'
  | 'pushes'
  | 'sealedEarlierKeys'
  | 'sealedFaults'
> & {
  /** Default: the id. An address that is created again may have had several secrets. */
  secretId?: SecretId
  /** Default null. */
  subscriptionId?: SubscriptionId | null
  /** Set for an address that an API key creates. */
  quota?: KeyQuota | undefined
  /** Default false. */
  private?: boolean
  /** Until when the name is reserved for the holder of the secret. */
  heldUntil: number
}

export type RecipientRow = Pick<
  AddressRow,
  | 'id'
  | 'nameKey'
  | 'publicKey'
  | 'lifetime'
  | 'usedBytes'
  | 'subscriptionId'
  | 'keySubscriptionId'
  | 'private'
  | 'forwards'
  | 'pushes'
  | 'sealedFaults'
>

/**
 * Stores addresses. Times are milliseconds since the epoch. Writes are durable when the promise resolves. Errors as in
 * `Store`.
 */
export interface AddressStore {
  /**
   * Creates an address in one transaction. The name must be free, its quarantine must be over, or it must be reserved
   * for `previousId` (the last secret of the deleted address). Returns false if another address has the name, the name
   * is reserved for another secret, or the quota is used up. Expired addresses that still had the name, the id or the
   * secret are removed in further transactions.
   */
  claim(address: NewAddress, now: number, previousId?: SecretId): Promise<boolean>
  /** Returns the live address (`expiresAt` after `now`), otherwise undefined. */
  find(id: AddressId, now: number): Promise<AddressRow | undefined>
  /** Returns the live addresses with these ids, in no particular order. */
  findAll(ids: readonly AddressId[], now: number): Promise<AddressRow[]>
  /** Returns the live address that the secret opens, otherwise undefined. */
  findBySecret(secretId: SecretId, now: number): Promise<AddressRow | undefined>
  /**
   * Replaces the secret of a live address that is not fully private, in one transaction. Returns false if the current
   * secret is not the one that `change` replaces.
   */
  replaceSecret(change: SecretChange, now: number): Promise<boolean>
  /**
   * Returns the live addresses that API keys of a subscription created, except those that it keeps now: all, those under
   * one of its own domains (`true`: under any of them), or those that one key created.
   */
  ofKeys(
    subscriptionId: SubscriptionId,
    now: number,
    only?: { ownDomain?: string | true; keyId?: string },
  ): Promise<AddressId[]>
  /** Returns the live addresses with these names, in no particular order, at most one per name. */
  findRecipients(names: readonly NameKey[], now: number): Promise<RecipientRow[]>
  /** Whether somebody has the name, or it is reserved for somebody who had it. */
  isHeld(name: NameKey, now: number): Promise<boolean>
  /**
   * Extends a live address and the reservation of its name in one transaction, never to an earlier time. Returns false
   * if the address is not alive.
   */
  extend(id: AddressId, expiresAt: number, heldUntil: number, now: number): Promise<boolean>
  /**
   * Replaces the faults of a live address. Returns false if the address is not alive, or if `secretId` is no longer its
   * secret.
   */
  setFaults(id: AddressId, sealedFaults: Uint8Array | null, now: number, secretId?: SecretId): Promise<boolean>
  /**
   * Deletes an address with everything that belongs to it, and reserves its name until `heldUntil` for its secret or for
   * `heldFor`. The first transaction makes the address unreadable; large mailboxes take several. Returns false if the
   * address does not exist, or if it is no longer as expected.
   */
  remove(id: AddressId, heldUntil: number, heldFor?: SecretId, expected?: ExpectedAddress): Promise<boolean>
  /** Reserves a name until `heldUntil` for `heldFor`, and replaces an earlier reservation. An existing address keeps the name. */
  reserve(nameKey: NameKey, heldUntil: number, heldFor: SecretId): Promise<void>
  /**
   * Deletes up to `limit` addresses that expired before `now`, the earliest first, and returns their ids. Their
   * messages are unreadable from then on. Returns none when there are no more.
   */
  removeExpired(now: number, limit: number): Promise<AddressId[]>
  /** Removes up to `limit` names whose quarantine is over. Returns the number of removed rows. */
  forgetNames(now: number, limit: number): Promise<number>
}
