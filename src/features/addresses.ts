import type { Domain } from '#core/domain.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import { type ChosenLifetime, expiryOf, type Lifetime, type Lifetimes } from '#core/lifetime.ts'
import { chosenLogin } from '#core/login.ts'
import type { AddressRow, AddressStore, Clock, EventBus, NewAddress } from '#core/ports.ts'
import { type RandomInt, randomLogin } from '#core/random-login.ts'
import { type AddressKeys, deriveKeys, nameKey, newSecret } from '#mail/sealing/keys.ts'
import { open as openSealed } from '#mail/sealing/open.ts'
import type { Seal } from '#mail/sealing/seal.ts'

/** An address opened with its secret; lives as long as one request or stream and is never stored. */
export interface OpenAddress {
  address: string
  keys: AddressKeys
  row: AddressRow
}

export interface AddressView {
  address: string
  /** Milliseconds since the epoch, like `createdAt`. */
  expiresAt: number
  lifetime: Lifetime
  createdAt: number
  storage: { usedBytes: number; limitBytes: number }
}

export interface AddressRequest {
  login?: string | undefined
  domain?: string | undefined
  lifetime?: ChosenLifetime | undefined
  /** The secret of an ended address: its holder may take the same name again during the quarantine. */
  previousSecret?: string | undefined
}

export interface Addresses {
  /** Throws `address_taken`, `login_invalid`, `login_reserved`, `domain_unknown`, `premium_required`. `secret` is handed out here and never again. */
  create(request: AddressRequest): Promise<{ secret: string; open: OpenAddress }>
  /** The live address of a secret, else undefined. Counts as a visit: starts a sliding lifetime again. Never throws for a malformed secret. */
  open(secret: string): Promise<OpenAddress | undefined>
  view(open: OpenAddress): AddressView
  /** Starts the lifetime again ("10 more minutes"). */
  extend(open: OpenAddress): Promise<AddressView>
  /** Ends the address: it, its messages and its forwarding are gone when the promise resolves. */
  end(open: OpenAddress): Promise<void>
}

export interface AddressesDeps {
  store: AddressStore
  bus: EventBus
  clock: Clock
  random: RandomInt
  seal: Seal
  serviceKey: Uint8Array
  domains: readonly Domain[]
  lifetimes: Lifetimes
  /** Bytes of mail that an address may hold. */
  storageBytes: Record<Lifetime, number>
  /** How much a visit must gain before it is written down, in milliseconds; spares the store a write for each request. */
  visitGranularity: number
}

/** So many names are tried before a random one counts as taken; with 2^40 names the second is never needed. */
const RANDOM_TRIES = 8

export function createAddresses(deps: AddressesDeps): Addresses {
  const { store, bus, clock, lifetimes } = deps

  function domainFor(name: string | undefined): Domain {
    const wanted = name?.trim().toLowerCase()
    const domain = deps.domains.find((each) => (wanted === undefined ? each.tier === 'free' : each.name === wanted))
    if (!domain) throw new MayflyError('domain_unknown')
    if (domain.tier === 'premium') throw new MayflyError('premium_required')
    return domain
  }

  async function claim(address: string, lifetime: Lifetime, previousId: string | undefined) {
    const secret = newSecret()
    const keys = deriveKeys(secret)
    if (!keys) throw new MayflyError('internal')
    const now = clock()
    const expiresAt = expiryOf(lifetime, now, lifetimes)
    const row: NewAddress = {
      id: keys.id,
      nameKey: nameKey(deps.serviceKey, address),
      publicKey: keys.publicKey,
      sealedName: deps.seal(keys.publicKey, Buffer.from(address)),
      lifetime,
      createdAt: now,
      expiresAt,
      heldUntil: expiresAt + lifetimes.quarantine,
    }
    if (!(await store.claim(row, now, previousId))) return undefined
    return {
      secret,
      open: { address, keys, row: { ...row, usedBytes: 0, revision: 0, subscriptionId: null, private: false } },
    }
  }

  /** Moves the end of the address; answers the row as it is then, undefined where it ended meanwhile. */
  async function moveEnd(row: AddressRow, now: number): Promise<AddressRow | undefined> {
    const expiresAt = Math.max(row.expiresAt, expiryOf(row.lifetime, now, lifetimes))
    const moved = await store.extend(row.id, expiresAt, expiresAt + lifetimes.quarantine, now)
    return moved ? { ...row, expiresAt } : undefined
  }

  return {
    async create(request) {
      const domain = domainFor(request.domain)
      const previousId = request.previousSecret === undefined ? undefined : deriveKeys(request.previousSecret)?.id
      const tries = request.login === undefined ? RANDOM_TRIES : 1
      for (let i = 0; i < tries; i++) {
        const login = request.login === undefined ? randomLogin(deps.random) : chosenLogin(request.login)
        // oxlint-disable-next-line no-await-in-loop -- the next try is for the case that this one fails
        const created = await claim(`${login}@${domain.name}`, request.lifetime ?? 'day', previousId)
        if (created) return created
      }
      throw new MayflyError('address_taken')
    },

    async open(secret) {
      const keys = deriveKeys(secret)
      if (!keys) return undefined
      const now = clock()
      let row = await store.find(keys.id, now)
      if (row?.lifetime === 'day' && expiryOf('day', now, lifetimes) - row.expiresAt >= deps.visitGranularity) {
        const found = row
        // Where the store can't write the visit isn't counted, but what is there can be read.
        row = await moveEnd(found, now).catch((error: unknown) => {
          if (isStoreFault(error)) return found
          throw error
        })
      }
      return row && { address: Buffer.from(openSealed(keys, row.sealedName)).toString(), keys, row }
    },

    view({ address, row }) {
      const { expiresAt, lifetime, createdAt, usedBytes } = row
      return {
        address,
        expiresAt,
        lifetime,
        createdAt,
        storage: { usedBytes, limitBytes: deps.storageBytes[lifetime] },
      }
    },

    async extend(open) {
      const row = await moveEnd(open.row, clock())
      if (!row) throw new MayflyError('unauthorized')
      open.row = row
      bus.publish(open.row.id)
      return this.view(open)
    },

    async end(open) {
      await store.end(open.row.id, clock() + lifetimes.quarantine)
      bus.publish(open.row.id)
    },
  }
}
