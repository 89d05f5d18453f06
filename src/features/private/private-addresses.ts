import type { Subscription } from '#core/billing/subscription.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { AddressRow, AddressStore } from '#core/mailbox/address.ts'
import { expiryOf, type Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Clock } from '#core/time.ts'
import type { KeptAddressRequest, KeptAddressView, KeptAddresses } from '#features/account/index.ts'
import { ID_BYTES, KEY_BYTES } from '#mail/sealing/format.ts'
import { canonicalBytes, isUsableKey } from '#mail/sealing/keys.ts'

export interface PrivateAddressRequest extends Omit<KeptAddressRequest, 'previousSecret'> {
  /** Base64url, as the browser derived them from a secret that it keeps (`web/private/keys.ts`). */
  id: string
  publicKey: string
}

/** A fully private address, for one request or stream of its owner. There is nothing here that opens its mail. */
export interface PrivateAddress {
  id: AddressId
  /** Where its inbox stood. */
  revision: number
  /** As it is now; undefined where it has ended. */
  look(): Promise<KeptAddressView | undefined>
}

export interface PrivateAddresses {
  /**
   * Throws `address_invalid` for keys that no secret has, and all that `KeptAddresses.create` does; `address_taken` also where
   * the id is in use.
   */
  create(subscription: Subscription, request: PrivateAddressRequest): Promise<KeptAddressView>
  /**
   * Throws `not_found` where it is no private address of this subscriber, or has ended. It works as long as the address lives, also
   * after the end of what was paid. Counts as a visit.
   */
  open(subscription: Subscription, id: AddressId): Promise<PrivateAddress>
}

export interface PrivateAddressesDeps {
  store: AddressStore
  kept: Pick<KeptAddresses, 'createSealed' | 'find'>
  clock: Clock
  lifetimes: Lifetimes
  /** How much a visit must gain before it is written down, in milliseconds. */
  visitGranularity: number
}

export function createPrivateAddresses(deps: PrivateAddressesDeps): PrivateAddresses {
  const { store, kept, clock, lifetimes } = deps

  /** One that has fallen back to the free rules lives for a day after each visit. */
  async function visit({ id, lifetime, expiresAt }: AddressRow): Promise<void> {
    const now = clock()
    const later = expiryOf('day', now, lifetimes)
    if (lifetime !== 'day' || later - expiresAt < deps.visitGranularity) return
    await store.extend(id, later, later + lifetimes.quarantine, now).catch((error: unknown) => {
      // Where the store can't write the visit isn't counted, but what is there can be read.
      if (!isStoreFault(error)) throw error
    })
  }

  return {
    async create(subscription, { id, publicKey, ...request }) {
      const key = canonicalBytes(publicKey, KEY_BYTES)
      if (!canonicalBytes(id, ID_BYTES) || !key || !isUsableKey(key)) throw new MayflyError('address_invalid')
      await kept.createSealed(subscription, { id, publicKey: key }, request)
      return kept.find(subscription, id)
    },

    async open(subscription, id) {
      const view = await kept.find(subscription, id)
      const row = view.private ? await store.find(id, clock()) : undefined
      if (!row) throw new MayflyError('not_found')
      await visit(row)
      return {
        id,
        revision: row.revision,
        async look() {
          const now = await kept.find(subscription, id).catch((error: unknown) => {
            if (error instanceof MayflyError && error.code === 'not_found') return undefined
            throw error
          })
          return now?.alive ? now : undefined
        },
      }
    },
  }
}
