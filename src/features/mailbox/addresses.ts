import type { KeptAddressStore } from '#core/account/kept-address.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressRow, AddressStore } from '#core/mailbox/address.ts'
import { type ChosenLifetime, expiryOf, type Lifetime, type Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { withRing } from '#mail/sealing/key-ring.ts'
import { type AddressKeys, deriveKeys } from '#mail/sealing/keys.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { addressPlace } from '#mail/sealing/place.ts'
import type { AddressNames, WantedName } from './address-names.ts'
import type { Claims, OpenAddress, OpenedAddress } from './claims.ts'

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
  /** The secret of an ended address: its holder may take the same name again during the quarantine. */
  previousSecret?: string | undefined
}

export interface Addresses {
  /** Throws `address_taken`, `login_invalid`, `login_reserved`, `domain_unknown`, `premium_required`. `secret` is handed out here and never again. */
  create(request: AddressRequest): Promise<OpenedAddress>
  /**
   * The live address of a secret, else undefined. Counts as a visit: starts a sliding lifetime again. Never throws for a
   * malformed secret. A fully private address is not opened here, whoever sends its secret. A damaged name is an empty text.
   */
  open(secret: string): Promise<OpenAddress | undefined>
  /** Until when an opened address is alive and still opened by the same secret; 0 where it isn't. Counts as no visit. */
  holdsUntil(open: OpenAddress): Promise<number>
  /** The storage is that of all addresses of the subscription, where it is one's. */
  view(open: Pick<OpenAddress, 'address' | 'row'>): Promise<AddressView>
  /** Starts the lifetime again ("Reset to 10 minutes"); one that has no end stays as it is. */
  extend(open: OpenAddress): Promise<AddressView>
  /** Ends the address: it, its messages and its forwarding are gone when the promise resolves, also from a subscriber's list. */
  end(open: { row: Pick<AddressRow, 'id' | 'subscriptionId'> }): Promise<void>
}

export interface AddressesDeps {
  store: AddressStore
  keptAddresses: Pick<KeptAddressStore, 'remove' | 'usedBytes'>
  bus: EventBus
  clock: Clock
  names: AddressNames
  claims: Claims
  opener: Pick<Opener, 'open'>
  lifetimes: Lifetimes
  /** Bytes of mail that an address may hold; those of one subscription together. */
  storageBytes: Record<Lifetime, number>
  /** How much a visit must gain before it is written down, in milliseconds; spares the store a write for each request. */
  visitGranularity: number
  logger: Pick<Logger, 'error'>
}

export function createAddresses(deps: AddressesDeps): Addresses {
  const { store, keptAddresses, opener, bus, clock, lifetimes } = deps
  /** Addresses whose damaged names were logged. */
  const damaged = new Set<string>()

  /** Moves the end of the address; answers the row as it is then, undefined where it ended meanwhile. */
  async function moveEnd(row: AddressRow, now: number): Promise<AddressRow | undefined> {
    const expiresAt = Math.max(row.expiresAt, expiryOf(row.lifetime, now, lifetimes))
    const moved = await store.extend(row.id, expiresAt, expiresAt + lifetimes.quarantine, now)
    return moved ? { ...row, expiresAt } : undefined
  }

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

  return {
    view,

    create: ({ lifetime = 'day', previousSecret, ...wanted }) =>
      deps.claims.claimFirst(deps.names.forVisitor(wanted), { lifetime, previousSecret }),

    async open(secret) {
      const own = deriveKeys(secret)
      if (!own) return undefined
      const now = clock()
      let row = await store.findBySecret(own.id, now)
      if (row?.private) return undefined
      if (row?.lifetime === 'day' && expiryOf('day', now, lifetimes) - row.expiresAt >= deps.visitGranularity) {
        const found = row
        // Where the store can't write the visit isn't counted, but what is there can be read.
        row = await moveEnd(found, now).catch((error: unknown) => {
          if (isStoreFault(error)) return found
          throw error
        })
      }
      if (!row) return undefined
      const keys = withRing(opener, own, row, row.sealedEarlierKeys)
      return { address: nameOf(keys, row), keys, row }
    },

    async holdsUntil({ row: { id, secretId } }) {
      const row = await store.find(id, clock())
      return row?.secretId === secretId ? row.expiresAt : 0
    },

    async extend(open) {
      if (open.row.lifetime === 'subscription') return view(open)
      const row = await moveEnd(open.row, clock())
      if (!row) throw new MayflyError('unauthorized')
      open.row = row
      bus.publish(open.row.id)
      return view(open)
    },

    async end({ row: { id, subscriptionId } }) {
      const heldUntil = clock() + lifetimes.quarantine
      await store.end(id, heldUntil)
      if (subscriptionId !== null) {
        await keptAddresses.remove(subscriptionId, id)
        // Whoever read the list before may have brought it back meanwhile.
        await store.end(id, heldUntil)
        bus.publish(subscriptionId)
      }
      bus.publish(id)
    },
  }
}
