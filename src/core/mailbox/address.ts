import type { KeyQuota } from '../account/api-key.ts'
import type { AddressId, NameKey, SecretId, SubscriptionId } from '../ids.ts'
import type { Lifetime } from './lifetime.ts'
import type { SecretChange } from './secret-change.ts'

export interface AddressRow {
  id: AddressId
  /** The look-up hash of the secret that opens it now: its id until the secret is replaced. */
  secretId: SecretId
  nameKey: NameKey
  /** X25519 public key, 32 bytes, raw. */
  publicKey: Uint8Array
  /** `login@domain`, sealed to `publicKey`. */
  sealedName: Uint8Array
  lifetime: Lifetime
  createdAt: number
  expiresAt: number
  /** Bytes of all messages, as received. */
  usedBytes: number
  /** Counts every change of the inbox; the event id of the live stream. */
  revision: number
  /** Whose it is; null for a free one. */
  subscriptionId: SubscriptionId | null
  /** Whose API key made it: a test address with the rules of a free one; null where none did. */
  keySubscriptionId: SubscriptionId | null
  /** Whether the key is in the owner's browser alone, so that nothing of its mail is read here. */
  private: boolean
  /** Whether a destination has ever agreed to get its mail, so that its forwardings are worth a look. */
  forwards: boolean
  /** The private keys that it had before its secret was replaced (`mail/sealing/key-ring.ts`); null where it never was. */
  sealedEarlierKeys: Uint8Array | null
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
  | 'sealedEarlierKeys'
> & {
  /** The id where nothing is said: an address that is made again may have had several secrets. */
  secretId?: SecretId
  /** Null where nothing is said. */
  subscriptionId?: SubscriptionId | null
  /** For one that is made with an API key. */
  quota?: KeyQuota | undefined
  /** False where nothing is said. */
  private?: boolean
  /** Until when nobody else can take the name. */
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
>

export interface AddressStore {
  /**
   * Takes a name that is free, whose hold has ended, or that was held for `previousId` (the last secret of the one that ended).
   * One atomic step. False where the name is somebody else's, or alive, or the quota is used up.
   */
  claim(address: NewAddress, now: number, previousId?: SecretId): Promise<boolean>
  /** The live address (`expiresAt` after `now`), else undefined. */
  find(id: AddressId, now: number): Promise<AddressRow | undefined>
  /** The live address that a secret opens now. */
  findBySecret(secretId: SecretId, now: number): Promise<AddressRow | undefined>
  /** Replaces the secret of a live address that is not fully private, in one transaction. False where another one opens it. */
  replaceSecret(change: SecretChange, now: number): Promise<boolean>
  /** The live addresses that the API keys of a subscription made. */
  ofKeys(subscriptionId: SubscriptionId, now: number): Promise<AddressId[]>
  /** The live addresses of these names, in any order, one row a name at most. */
  findRecipients(names: readonly NameKey[], now: number): Promise<RecipientRow[]>
  /** Moves the end of a live address and of its hold; false where it is not alive. Never moves it to an earlier time. */
  extend(id: AddressId, expiresAt: number, heldUntil: number, now: number): Promise<boolean>
  /** Removes the address and all that belongs to it, and holds its name until `heldUntil`. False where there was none. */
  end(id: AddressId, heldUntil: number): Promise<boolean>
  /** Removes up to `limit` addresses that ended before `now`, oldest end first, and answers them; nobody can read their mail from then on. */
  removeExpired(now: number, limit: number): Promise<AddressId[]>
  /** Forgets up to `limit` names whose hold has ended; answers how many. */
  forgetNames(now: number, limit: number): Promise<number>
}
