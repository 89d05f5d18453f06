import type { KeyQuota } from '#core/account/api-key.ts'
import { MayflyError } from '#core/errors.ts'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import type { AddressRow, AddressStore, NewAddress } from '#core/mailbox/address.ts'
import { expiryOf, type Lifetime, type Lifetimes, NEVER } from '#core/mailbox/lifetime.ts'
import type { Clock } from '#core/time.ts'
import { type AddressKeys, deriveKeys, newSecret } from '#mail/sealing/keys.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import type { AddressName } from './address-names.ts'

/** An address with the secret that opens it. */
export interface OpenedAddress {
  secret: string
  open: OpenAddress
}

/** What follows from a secret that nobody here knows. */
export type PublicKeys = Pick<AddressKeys, 'id' | 'publicKey'>

/** An address that its owner alone can open. */
export interface SealedAddress {
  secret: null
  open: Pick<OpenAddress, 'address' | 'row'>
}

export interface ClaimTerms {
  lifetime: Lifetime
  /** Whose it is to be; nobody's where nothing is said. */
  subscriptionId?: SubscriptionId | null
  /** For a test address, made with an API key. */
  quota?: KeyQuota | undefined
  /** The secret of the address that had the name until now: its holder may take it again. */
  previousSecret?: string | undefined
  /** The id that it had before, where it is made again; that of its secret where nothing is said. */
  id?: AddressId | undefined
}

/** How addresses come to be. */
export interface Claims {
  /** Makes the address with this secret; undefined where somebody has its name, or the quota is used up. */
  claim(name: AddressName, secret: string, terms: ClaimTerms): Promise<OpenAddress | undefined>
  /** Makes one with a new secret under the first name that is free. Throws `address_taken`. */
  claimFirst(names: Iterable<AddressName>, terms: ClaimTerms): Promise<OpenedAddress>
  /** The same with keys that the owner made, for mail that nobody here shall read; `again`: it had its name before. */
  claimSealed(names: Iterable<AddressName>, keys: PublicKeys, again: boolean): Promise<SealedAddress>
  /** Takes back an address that nobody was told of; its name is free at once. */
  undo(open: Pick<OpenAddress, 'row'>): Promise<void>
}

export interface ClaimsDeps {
  store: AddressStore
  clock: Clock
  seal: Seal
  lifetimes: Lifetimes
}

export function createClaims({ store, clock, seal, lifetimes }: ClaimsDeps): Claims {
  /** `previousId`: of the address that had the name until now. */
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
    return { ...row, keySubscriptionId, forwards: false, sealedEarlierKeys: null, usedBytes: 0, revision: 0 }
  }

  async function claim(
    name: AddressName,
    secret: string,
    { lifetime, subscriptionId = null, quota, previousSecret = '', id }: ClaimTerms,
  ): Promise<OpenAddress | undefined> {
    const keys = deriveKeys(secret)
    if (!keys) throw new MayflyError('internal')
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
        const secret = newSecret()
        const open = await claim(name, secret, terms)
        if (open) return { secret, open }
      }
      throw new MayflyError('address_taken')
    },
    async claimSealed(names, keys, again) {
      const terms = { lifetime: 'day', subscriptionId: null, private: true } as const
      for (const name of names) {
        const row = await claimRow(name, keys, terms, again ? keys.id : undefined)
        if (row) return { secret: null, open: { address: name.address, row } }
      }
      throw new MayflyError('address_taken')
    },
    undo: async ({ row }) => void (await store.end(row.id, clock())),
  }
}

/** An address opened with its secret; lives as long as one request or stream and is never stored. */
export interface OpenAddress {
  address: string
  keys: AddressKeys
  row: AddressRow
}
