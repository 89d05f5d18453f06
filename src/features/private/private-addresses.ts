import type { Subscription } from '#core/billing/subscription.ts'
import { MayflyError, undefinedFor } from '#core/errors.ts'
import { type AddressId, ID_BYTES } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { KeptAddressRequest, KeptAddressView, KeptAddresses } from '#features/account/index.ts'
import { extendOnVisit, type VisitDeps } from '#features/mailbox/index.ts'
import { KEY_BYTES } from '#mail/sealing/format.ts'
import { canonicalBytes, isUsableKey } from '#mail/sealing/keys.ts'

interface PrivateAddressRequest extends Omit<KeptAddressRequest, 'previousSecret' | 'secret'> {
  /** Id and public key in base64url. The browser derives both from a secret that it keeps (`web/private/keys.ts`). */
  id: string
  publicKey: string
}

/** A fully private address, for one request or stream of its owner. It holds nothing that could open a message. */
export interface PrivateAddress {
  id: AddressId
  /** The revision of its inbox at the time of `open`. */
  revision: number
  createdAt: number
  lifetime: Lifetime
  /** Returns the current state of the address, or undefined if it is gone. */
  current(): Promise<KeptAddressView | undefined>
}

export interface PrivateAddresses {
  /**
   * Creates an address for the keys of the request. Throws `address_invalid` for keys that cannot be derived from a
   * secret, `address_taken` if the id is in use, and everything that `KeptAddresses.create` throws.
   */
  create(subscription: Subscription, request: PrivateAddressRequest): Promise<KeptAddressView>
  /**
   * Returns the live address that this subscriber has created with these keys, for a request that is repeated because its
   * response was lost. Throws `address_taken` if the request is for another name.
   */
  created(subscription: Subscription, request: PrivateAddressRequest): Promise<KeptAddressView | undefined>
  /**
   * Opens an address for its owner. Counts as a visit, unless `visit` is false. Works as long as the address exists,
   * even after the subscription ended. Throws `not_found` if this subscriber has no fully private address with the id.
   */
  open(subscription: Subscription, id: AddressId, visit?: boolean): Promise<PrivateAddress>
}

interface PrivateAddressesDeps extends VisitDeps {
  store: AddressStore
  kept: Pick<KeptAddresses, 'createPrivate' | 'find' | 'rename'>
}

export function createPrivateAddresses(deps: PrivateAddressesDeps): PrivateAddresses {
  const { store, kept, clock } = deps

  const listed = (subscription: Subscription, id: AddressId): Promise<KeptAddressView | undefined> =>
    kept.find(subscription, id).catch(undefinedFor('not_found'))

  return {
    async created(subscription, { id, publicKey, login, domain, label }) {
      const view = await listed(subscription, id)
      const row = view?.private && view.alive ? await store.find(id, clock()) : undefined
      if (!view || !row || Buffer.from(row.publicKey).toString('base64url') !== publicKey) return undefined
      const [name, host] = view.address.split('@')
      const is = (wanted: string | undefined, given: string | undefined): boolean =>
        wanted === undefined || wanted.trim().toLowerCase() === given
      if (!is(login, name) || !is(domain, host)) throw new MayflyError('address_taken')
      if (label === undefined || label === view.label) return view
      await kept.rename(subscription, id, label)
      return kept.find(subscription, id)
    },

    async create(subscription, { id, publicKey, ...request }) {
      const key = canonicalBytes(publicKey, KEY_BYTES)
      if (!canonicalBytes(id, ID_BYTES) || !key || !isUsableKey(key)) throw new MayflyError('address_invalid')
      await kept.createPrivate(subscription, { id, publicKey: key }, request)
      return kept.find(subscription, id)
    },

    async open(subscription, id, visit = true) {
      const view = await kept.find(subscription, id)
      const found = view.private ? await store.find(id, clock()) : undefined
      const row = found && visit ? await extendOnVisit(deps, found) : found
      if (!row) throw new MayflyError('not_found')
      return {
        id,
        revision: row.revision,
        createdAt: row.createdAt,
        lifetime: row.lifetime,
        async current() {
          const now = await listed(subscription, id)
          return now?.alive ? now : undefined
        },
      }
    },
  }
}
