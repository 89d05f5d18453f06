import type { KeyQuota } from '#core/account/api-key.ts'
import { MayflyError } from '#core/errors.ts'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import type { AddressRow, AddressStore, NewAddress } from '#core/mailbox/address.ts'
import { expiryOf, type Lifetime, type Lifetimes, NEVER } from '#core/mailbox/lifetime.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import type { Clock } from '#core/time.ts'
import { type AddressKeys, deriveKeys } from '#mail/sealing/keys.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import type { AddressName } from './address-names.ts'

/** An address with the secret that opens it. */
export interface OpenedAddress {
  secret: string
  open: OpenAddress
}

/** The public values derived from a secret that the server does not know. */
export type PublicKeys = Pick<AddressKeys, 'id' | 'publicKey'>

/** A fully private address. Only its owner can open it. */
export interface CreatedPrivateAddress {
  secret: null
  open: Pick<OpenAddress, 'address' | 'row'>
  /** Whether it was created before, and not kept, because the process stopped. It may have messages. */
  isFound?: true
}

interface ClaimTerms {
  lifetime: Lifetime
  /** The subscription that keeps the address. Default: none. */
  subscriptionId?: SubscriptionId | null
  /** The quota of the API key that creates the address. */
  quota?: KeyQuota | undefined
  /** The secret of the address that last had the name. Its holder may claim the name during the quarantine. */
  previousSecret?: string | undefined
  /** The secret of the new address, for `claimFirst`. Default: a new one. */
  secret?: string | undefined
  /** The earlier id of an address that is created again. Default: the id derived from the secret. */
  id?: AddressId | undefined
}

/** Creates addresses. */
export interface Claims {
  /**
   * Creates the address with this secret. Returns undefined if the name or the secret is taken, or the quota is used up.
   * Throws `invalid_request` if the secret is malformed.
   */
  claim(name: AddressName, secret: string, terms: ClaimTerms): Promise<OpenAddress | undefined>
  /** Creates an address under the first free name. Throws `address_taken` if no name is free, else like `claim`. */
  claimFirst(names: Iterable<AddressName>, terms: ClaimTerms): Promise<OpenedAddress>
  /**
   * Like `claimFirst`, with keys that the owner's browser made. `listedBy`: the subscription whose list has the address
   * of these keys already, so that it is created again; null for a new address. Returns the live address of these keys
   * and one of the names, if no subscription keeps it.
   */
  claimPrivate(
    names: Iterable<AddressName>,
    keys: PublicKeys,
    listedBy: SubscriptionId | null,
  ): Promise<CreatedPrivateAddress>
  /**
   * Removes an address that was not handed out yet. Its name is free at once, or, as it may have been reserved for
   * `previousSecret` before the claim, reserved for it again.
   */
  undo(open: Pick<OpenAddress, 'row'>, previousSecret?: string): Promise<void>
}

interface ClaimsDeps {
  store: AddressStore
  clock: Clock
  seal: Seal
  lifetimes: Lifetimes
  /** Addresses that nobody may have, not even who had one before. */
  reserved: readonly (string | undefined)[]
}

export function createClaims({ store, clock, seal, lifetimes, reserved }: ClaimsDeps): Claims {
  /** `previousId` is the id of the address that last had the name. */
  async function claimRow(
    { address, nameKey }: AddressName,
    { id, publicKey }: PublicKeys,
    {
      quota,
      secretId = id,
      ...terms
    }: Pick<AddressRow, 'lifetime' | 'subscriptionId' | 'private'> & Pick<ClaimTerms, 'quota'> & { secretId?: string },
    previousId: string | undefined,
  ): Promise<AddressRow | undefined> {
    if (reserved.includes(address)) return undefined
    const now = clock()
    const expiresAt = expiryOf(terms.lifetime, now, lifetimes)
    const row = {
      ...terms,
      id,
      secretId,
      nameKey,
      publicKey,
      sealedName: seal(publicKey, addressPlace('name', { id, createdAt: now }), Buffer.from(address)),
      createdAt: now,
      expiresAt,
    } satisfies Partial<NewAddress>
    const heldUntil = expiresAt === NEVER ? NEVER : expiresAt + lifetimes.quarantine
    if (!(await store.claim({ ...row, heldUntil, quota }, now, previousId))) return undefined
    const keySubscriptionId = quota?.subscriptionId ?? null
    return {
      ...row,
      keySubscriptionId,
      forwards: false,
      pushes: false,
      sealedEarlierKeys: null,
      sealedFaults: null,
      usedBytes: 0,
      revision: 0,
    }
  }

  async function claim(
    name: AddressName,
    secret: string,
    { lifetime, subscriptionId = null, quota, previousSecret = '', id }: ClaimTerms,
  ): Promise<OpenAddress | undefined> {
    const keys = deriveKeys(secret)
    if (!keys) throw new MayflyError('invalid_request')
    const previousId = deriveKeys(previousSecret)?.id
    const { id: secretId, publicKey } = keys
    const terms = { lifetime, subscriptionId, private: false, quota, secretId }
    const row = await claimRow(name, { id: id ?? secretId, publicKey }, terms, previousId)
    return row && { address: name.address, keys: { ...keys, id: row.id }, row }
  }

  return {
    claim,
    async claimFirst(names, terms) {
      for (const name of names) {
        const secret = terms.secret ?? newSecret()
        const open = await claim(name, secret, terms)
        if (open) return { secret, open }
      }
      throw new MayflyError('address_taken')
    },
    async claimPrivate(names, keys, listedBy) {
      const terms = { lifetime: 'day', subscriptionId: listedBy, private: true } as const
      const found = await store.find(keys.id, clock())
      const isFree = found?.private && found.subscriptionId === null && !Buffer.compare(found.publicKey, keys.publicKey)
      for (const name of names) {
        if (isFree && found.nameKey === name.nameKey)
          return { secret: null, open: { address: name.address, row: found }, isFound: true }
        const row = await claimRow(name, keys, terms, listedBy === null ? undefined : keys.id)
        if (row) return { secret: null, open: { address: name.address, row } }
      }
      throw new MayflyError('address_taken')
    },
    async undo({ row: { id } }, previousSecret = '') {
      const heldFor = deriveKeys(previousSecret)?.id
      await store.remove(id, clock() + (heldFor === undefined ? 0 : lifetimes.quarantine), heldFor)
    },
  }
}

/** An address opened with its secret. It exists for one request or stream and is never stored. */
export interface OpenAddress {
  address: string
  keys: AddressKeys
  row: AddressRow
}
