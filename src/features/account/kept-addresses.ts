import { timingSafeEqual } from 'node:crypto'
import { type KeptAddress, type KeptAddressRow, type KeptAddressStore, keptRow } from '#core/account/kept-address.ts'
import { type EndRules, isActive, requireActive, type Subscription } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import { lineOf } from '#core/text.ts'
import type { Clock } from '#core/time.ts'
import type {
  AddressName,
  AddressNames,
  Addresses,
  Claims,
  OpenedAddress,
  PublicKeys,
  SealedAddress,
  Secrets,
  WantedName,
} from '#features/mailbox/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignedIn } from './sign-in.ts'

/** Times are milliseconds since the epoch. */
export interface KeptAddressView {
  id: AddressId
  address: string
  /** The subscriber's label. */
  label: string | null
  /** Whether only the owner's browser has the key. */
  private: boolean
  unread: number
  usedBytes: number
  createdAt: number
  /** Null while it lasts as long as the subscription, and if it has expired. */
  expiresAt: number | null
  alive: boolean
}

export interface KeptAddressRequest extends WantedName {
  label?: string | null | undefined
  /** The secret of an expired address: its holder may claim the same name again during the quarantine. */
  previousSecret?: string | undefined
}

/**
 * The kept addresses of a subscriber, the same on every device. Throws `not_found` for an address that is not in the
 * list.
 */
export interface KeptAddresses {
  /**
   * Returns the addresses, oldest first. An address that expired in a lapse is restored if Premium is active again; its
   * messages are gone.
   */
  list(subscription: Subscription): Promise<KeptAddressView[]>
  /** Like `list`, but restores nothing. */
  look(subscription: Subscription): Promise<KeptAddressView[]>
  find(subscription: Subscription, id: AddressId): Promise<KeptAddressView>
  /** Verified own domains of the subscriber for new addresses. */
  ownDomains(subscription: Subscription): Promise<readonly string[]>
  /**
   * Throws `premium_required`, `addresses_full`, `label_invalid`, `address_taken`, `login_invalid`, `login_reserved`,
   * `domain_unknown`.
   */
  create(subscription: Subscription, request: KeptAddressRequest): Promise<OpenedAddress>
  /**
   * Creates a fully private address with the public keys from the subscriber's browser, or restores an expired one.
   * Throws like `create`.
   */
  createSealed(
    subscription: Subscription,
    keys: PublicKeys,
    request: Omit<KeptAddressRequest, 'previousSecret'>,
  ): Promise<SealedAddress>
  /**
   * Keeps an existing address under a new secret, so that earlier holders lose access. An address that is already kept
   * keeps its secret. Throws `premium_required`, `addresses_full`, `label_invalid`, `address_taken`, and like
   * `Secrets.replace`.
   */
  adopt(subscription: Subscription, address: OpenedAddress, label?: string | null): Promise<OpenedAddress>
  /** Throws `label_invalid`. */
  rename(subscription: Subscription, id: AddressId, label: string | null): Promise<void>
  /** Throws `address_invalid` for an expired or fully private address. */
  open(subscription: Subscription, id: AddressId): Promise<OpenedAddress>
  /**
   * Returns what a signed-in browser opens an address with. It only works with the session that it was made for, while
   * the browser is signed in.
   */
  passFor(signedIn: Pick<SignedIn, 'sessionId'>, id: AddressId): string
  /**
   * Opens the address of a pass. Returns undefined for a pass of another session, or if the address is expired or not
   * in the list.
   */
  openPass(signedIn: SignedIn, pass: string): Promise<OpenedAddress | undefined>
  /** Deletes the address with its messages at once. */
  remove(subscription: Subscription, id: AddressId): Promise<void>
  /** Calls `listener` when the list or one of the inboxes may have changed. Returns a function that ends it. */
  watch(subscription: Subscription, ids: readonly AddressId[], listener: () => void): () => void
}

export interface KeptAddressesDeps {
  store: KeptAddressStore
  addresses: Pick<Addresses, 'open' | 'end' | 'holdsUntil'>
  names: AddressNames
  claims: Claims
  secrets: Pick<Secrets, 'replacement'>
  /** Verified own domains of the subscriber. */
  ownDomains(subscription: Subscription): Promise<readonly string[]>
  bus: EventBus
  clock: Clock
  wrap: Wrap
  rules: EndRules
  maxAddresses: number
  /** UTF-16 units, as browsers count them. */
  maxLabelCharacters: number
}

export function createKeptAddresses(deps: KeptAddressesDeps): KeptAddresses {
  const { store, addresses, claims, bus, clock, wrap } = deps

  /** Returns a label of one line, or null if it is empty. Throws `label_invalid`. */
  function lineOfLabel(label: string | null | undefined): string | null {
    const line = lineOf(label ?? '')
    if (line.length > deps.maxLabelCharacters)
      throw new MayflyError('label_invalid', `${deps.maxLabelCharacters} characters at most`)
    return line === '' ? null : line
  }

  const sealLabel = (row: Parameters<typeof keptRow>[0], line: string | null): Uint8Array | null =>
    line === null ? null : wrap.wrap('address label', line, keptRow(row))

  const viewOf = ({ expiresAt, ...row }: KeptAddressRow): KeptAddressView => ({
    id: row.addressId,
    address: wrap.unwrapOrEmpty('address', row.sealedName, keptRow(row)),
    label: row.sealedLabel && wrap.unwrapOrEmpty('address label', row.sealedLabel, keptRow(row)),
    private: row.sealedSecret === null,
    unread: row.unread,
    usedBytes: row.usedBytes,
    createdAt: row.createdAt,
    expiresAt: expiresAt === NEVER ? null : expiresAt,
    alive: expiresAt !== null,
  })

  async function rowOf({ id }: Subscription, addressId: AddressId): Promise<KeptAddressRow> {
    const row = await store.find(id, addressId, clock())
    if (!row) throw new MayflyError('not_found')
    return row
  }

  async function keep(
    { id: subscriptionId }: Subscription,
    { secret, open }: OpenedAddress | SealedAddress,
    label: string | null,
    change?: SecretChange,
  ): Promise<boolean> {
    const now = clock()
    const { address, row } = open
    const key = { addressId: row.id, subscriptionId }
    const kept: KeptAddress = {
      ...key,
      nameKey: row.nameKey,
      sealedName: wrap.wrap('address', address, keptRow(key)),
      sealedLabel: sealLabel(key, label),
      sealedSecret: secret === null ? null : wrap.wrap('address secret', secret, keptRow(key)),
      createdAt: now,
    }
    const ownChange = change && { ...change, sealedSecret: kept.sealedSecret }
    if (!(await store.add(kept, deps.maxAddresses, now, ownChange))) return false
    open.row = { ...row, lifetime: 'subscription', expiresAt: NEVER, subscriptionId }
    bus.publish(row.id)
    bus.publish(subscriptionId)
    return true
  }

  /** Restores an expired address under its former secret, unless its name has been claimed. */
  async function bringBack(subscriptionId: SubscriptionId, row: KeptAddressRow): Promise<void> {
    if (row.sealedSecret === null) return
    const { addressId: id, nameKey } = row
    const name = { address: wrap.unwrapOrEmpty('address', row.sealedName, keptRow(row)), nameKey }
    const secret = wrap.unwrapOrEmpty('address secret', row.sealedSecret, keptRow(row))
    if (name.address === '' || secret === '') return
    const terms = { lifetime: 'subscription', subscriptionId, previousSecret: secret, id } as const
    const again = await claims.claim(name, secret, terms)
    // If it was removed from the list in this moment, it must not stay without an owner.
    if (again && !(await store.find(subscriptionId, id, clock()))) await addresses.end(again)
  }

  /** Creates a kept address. `again`: an address of this id is in the list. */
  async function make<Made extends OpenedAddress | SealedAddress>(
    subscription: Subscription,
    { label, ...wanted }: KeptAddressRequest,
    claim: (names: Iterable<AddressName>, again: boolean) => Promise<Made>,
    id?: AddressId,
  ): Promise<Made> {
    requireActive(subscription, deps.rules, clock())
    const line = lineOfLabel(label)
    const rows = await store.list(subscription.id, clock())
    const again = rows.some(({ addressId }) => addressId === id)
    if (rows.length >= deps.maxAddresses && !again) throw new MayflyError('addresses_full')
    const names = deps.names.forSubscriber(wanted, subscription.id, await deps.ownDomains(subscription))
    const made = await claim(names, again)
    if (await keep(subscription, made, line)) return made
    // The last place was taken in the meantime.
    await claims.undo(made.open)
    throw new MayflyError('addresses_full')
  }

  async function openKept(subscription: Subscription, id: AddressId): Promise<OpenedAddress> {
    const row = await rowOf(subscription, id)
    const secret = row.sealedSecret && wrap.unwrapOrEmpty('address secret', row.sealedSecret, keptRow(row))
    const opened = secret && (await addresses.open(secret))
    if (!opened) throw new MayflyError('address_invalid')
    return { secret, open: opened }
  }

  const passFor: KeptAddresses['passFor'] = ({ sessionId }, id) =>
    `${id}.${wrap.hash('address pass', `${sessionId} ${id}`)}`

  const look = async ({ id }: Subscription): Promise<KeptAddressView[]> => (await store.list(id, clock())).map(viewOf)

  return {
    look,

    async list(subscription) {
      const { id, lapsed } = subscription
      const rows = await store.list(id, clock())
      const ended = rows.filter(({ expiresAt }) => expiresAt === null)
      if (lapsed || ended.length === 0 || !isActive(subscription, deps.rules, clock())) return rows.map(viewOf)
      await Promise.all(ended.map((row) => bringBack(id, row)))
      return look(subscription)
    },

    find: async (subscription, id) => viewOf(await rowOf(subscription, id)),
    ownDomains: deps.ownDomains,

    create: (subscription, { previousSecret, ...request }) =>
      make(subscription, request, (names) => claims.claimFirst(names, { lifetime: 'day', previousSecret })),

    createSealed: (subscription, keys, request) =>
      make(subscription, request, (names, again) => claims.claimSealed(names, keys, again), keys.id),

    async adopt(subscription, address, label) {
      requireActive(subscription, deps.rules, clock())
      const line = lineOfLabel(label)
      const { lifetime, subscriptionId } = address.open.row
      if (lifetime === 'operator' || (subscriptionId !== null && subscriptionId !== subscription.id))
        throw new MayflyError('address_taken')
      if (subscriptionId !== null) {
        if (!(await keep(subscription, address, line))) throw new MayflyError('addresses_full')
        return address
      }
      const { change, ...renewed } = deps.secrets.replacement(address.open)
      if (await keep(subscription, renewed, line, change)) return renewed
      // Another client used the secret first, or there is no room.
      throw new MayflyError((await addresses.holdsUntil(address.open)) > 0 ? 'addresses_full' : 'unauthorized')
    },

    async rename({ id: subscriptionId }, id, label) {
      const sealedLabel = sealLabel({ subscriptionId, addressId: id }, lineOfLabel(label))
      if (!(await store.rename(subscriptionId, id, sealedLabel))) throw new MayflyError('not_found')
      bus.publish(subscriptionId)
    },

    open: openKept,
    passFor,

    async openPass(signedIn, pass) {
      const [id = ''] = pass.split('.')
      const [given, right] = [pass, passFor(signedIn, id)].map((each) => Buffer.from(each)) as [Buffer, Buffer]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      return openKept(signedIn.subscription, id).catch((error: unknown) => {
        if (error instanceof MayflyError && (error.code === 'not_found' || error.code === 'address_invalid'))
          return undefined
        throw error
      })
    },

    async remove(subscription, id) {
      await rowOf(subscription, id)
      await addresses.end({ row: { id, subscriptionId: subscription.id } })
    },

    watch({ id: subscriptionId }, ids, listener) {
      const stops = [subscriptionId, ...ids].map((topic) => bus.subscribe(topic, listener))
      return () => stops.forEach((stop) => stop())
    },
  }
}
