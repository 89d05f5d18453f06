import type { KeptAddressStore } from '#core/account/kept-address.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { AddressRow, AddressStore, ExpectedAddress } from '#core/mailbox/address.ts'
import type { ChosenLifetime, Lifetime } from '#core/mailbox/lifetime.ts'
import type { Logger } from '#core/telemetry.ts'
import { groupedLookUp } from '#lib/group-commit.ts'
import { withRing } from '#mail/sealing/key-ring.ts'
import { type AddressKeys, deriveKeys } from '#mail/sealing/keys.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { AddressNames, WantedName } from './address-names.ts'
import type { Claims, OpenAddress, OpenedAddress } from './claims.ts'
import { extendOnVisit, restartLifetime, type VisitDeps } from './visits.ts'

export interface AddressView {
  address: string
  /** Milliseconds since the epoch, like `createdAt`. */
  expiresAt: number
  lifetime: Lifetime
  createdAt: number
  storage: { usedBytes: number; limitBytes: number }
}

export interface AddressRequest extends WantedName {
  lifetime?: ChosenLifetime | undefined
  /** The secret of an address that was deleted or expired. Its holder may claim the same name during the quarantine. */
  previousSecret?: string | undefined
  /** The secret of the new address. Default: a new one. */
  secret?: string | undefined
}

export interface Addresses {
  /**
   * Creates an address. This is the only time that `secret` is returned. Throws `address_taken`, `login_invalid`,
   * `login_reserved`, `domain_unknown` or `premium_required`, and `invalid_request` for a malformed `secret`.
   */
  create(request: AddressRequest): Promise<OpenedAddress>
  /**
   * Returns the address of a secret. Returns undefined if the secret is malformed, opens no live address, or belongs to
   * a fully private address. Counts as a visit, which restarts a sliding lifetime, unless `visit` is false. A damaged
   * name is an empty text.
   */
  open(secret: string, visit?: boolean): Promise<OpenAddress | undefined>
  /**
   * Returns the time at which an opened address expires, in milliseconds since the epoch. Returns 0 if it is gone or
   * its secret was replaced. Does not count as a visit.
   */
  validUntil(open: OpenAddress): Promise<number>
  /**
   * Returns a text that is different after each change of the address or its messages, and empty if the address is gone.
   * Returns undefined for an address of a subscription, because its storage changes with the other addresses too.
   */
  version(open: OpenAddress): Promise<string | undefined>
  /** For an address of a subscription, the storage is that of all its addresses together. */
  view(open: Pick<OpenAddress, 'address' | 'row'>): Promise<AddressView>
  /**
   * Restarts the lifetime ("Reset to 10 minutes"). Does not change an address of a subscription. Throws `unauthorized`
   * if the address is gone.
   */
  extend(open: OpenAddress): Promise<AddressView>
  /**
   * Deletes the address, its messages, its forwardings, and its entry in the subscriber's list. Its name stays reserved,
   * unless it is under an own domain: nobody else can get such a name. Does nothing if the secret was replaced, as when a
   * subscriber has kept the address meanwhile.
   */
  remove(open: OpenAddress): Promise<void>
  /**
   * Does the same for an address of which only the row is known. `isOwn`: whether it is under an own domain, so that its name
   * becomes free at once. Does nothing if the address is no longer as expected.
   */
  removeRow(row: Pick<AddressRow, 'id' | 'subscriptionId'>, isOwn: boolean, expected?: ExpectedAddress): Promise<void>
}

interface AddressesDeps extends VisitDeps {
  store: AddressStore
  keptAddresses: Pick<KeptAddressStore, 'remove' | 'usedBytes'>
  bus: EventBus
  names: AddressNames
  claims: Claims
  opener: Pick<Opener, 'open'>
  /** Bytes of messages that an address may hold. The addresses of one subscription share their limit. */
  storageBytes: Record<Lifetime, number>
  logger: Pick<Logger, 'error'>
}

export function createAddresses(deps: AddressesDeps): Addresses {
  const { store, keptAddresses, opener, bus, clock, lifetimes } = deps
  // Many event streams check their addresses at the same time.
  const find = groupedLookUp<AddressId, AddressRow>(
    (ids) => store.findAll(ids, clock()),
    ({ id }) => id,
  )
  /** Addresses whose damaged names were logged. */
  const damaged = new Set<string>()

  const isOwnName = ({ address, row: { nameKey, subscriptionId, keySubscriptionId } }: OpenAddress): boolean =>
    deps.names.isOwn({ address, nameKey }, subscriptionId ?? keySubscriptionId)

  async function view({ address, row }: Pick<OpenAddress, 'address' | 'row'>): Promise<AddressView> {
    const { expiresAt, lifetime, createdAt, subscriptionId } = row
    const shared = lifetime === 'subscription' && subscriptionId !== null
    const usedBytes = shared ? await keptAddresses.usedBytes(subscriptionId) : row.usedBytes
    return {
      address,
      expiresAt,
      lifetime,
      createdAt,
      storage: { usedBytes, limitBytes: deps.storageBytes[lifetime] },
    }
  }

  function nameOf(keys: AddressKeys, row: AddressRow): string {
    try {
      return Buffer.from(opener.open(keys, addressPlace('name', row), row.sealedName)).toString()
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      if (!damaged.has(row.id)) deps.logger.error({ err: error }, 'the name of an address is damaged')
      damaged.add(row.id)
      return ''
    }
  }

  const removeRow: Addresses['removeRow'] = async ({ id, subscriptionId }, isOwn, expected) => {
    const heldUntil = clock() + (isOwn ? 0 : lifetimes.quarantine)
    const isRemoved = await store.remove(id, heldUntil, undefined, expected)
    if (expected && !isRemoved) return
    if (subscriptionId !== null) {
      await keptAddresses.remove(subscriptionId, id)
      // A concurrent request that had already read the list may have revived the address.
      await store.remove(id, heldUntil)
      bus.publish(subscriptionId)
    }
    bus.publish(id)
  }

  return {
    view,

    create: ({ lifetime = 'day', previousSecret, secret, ...wanted }) =>
      deps.claims.claimFirst(deps.names.forVisitor(wanted), { lifetime, previousSecret, secret }),

    async open(secret, visit = true) {
      const own = deriveKeys(secret)
      if (!own) return undefined
      const found = await store.findBySecret(own.id, clock())
      if (!found || found.private) return undefined
      const row = visit ? await extendOnVisit(deps, found) : found
      if (!row) return undefined
      const keys = withRing(opener, own, row, row.sealedEarlierKeys)
      return { address: nameOf(keys, row), keys, row }
    },

    async validUntil({ row: { id, secretId } }) {
      const row = await find(id)
      return row?.secretId === secretId ? row.expiresAt : 0
    },

    async version({ row: { id } }) {
      const row = await find(id)
      if (!row) return ''
      const { revision, expiresAt, usedBytes, lifetime } = row
      return lifetime === 'subscription' ? undefined : [revision, expiresAt, usedBytes, lifetime].join(' ')
    },

    async extend(open) {
      if (open.row.lifetime === 'subscription') return view(open)
      const row = await restartLifetime(deps, open.row)
      if (!row) throw new MayflyError('unauthorized')
      open.row = row
      bus.publish(open.row.id)
      return view(open)
    },

    removeRow,
    remove: (open) => removeRow(open.row, isOwnName(open), { secretId: open.row.secretId }),
  }
}
