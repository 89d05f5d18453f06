import { type KeptAddress, type KeptAddressRow, type KeptAddressStore, keptRow } from '#core/account/kept-address.ts'
import { type EndRules, isActive, requireActive, type Subscription } from '#core/billing/subscription.ts'
import { MayflyError, undefinedFor } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import { sameText } from '#core/same-text.ts'
import { lineOf } from '#core/text.ts'
import type { Clock } from '#core/time.ts'
import type {
  AddressName,
  AddressNames,
  Addresses,
  Claims,
  OpenedAddress,
  PublicKeys,
  CreatedPrivateAddress,
  Secrets,
  WantedName,
} from '#features/mailbox/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { keptName, type KeptAddressView } from './kept-address-view.ts'
import type { SignedIn } from './sign-in.ts'

export interface KeptAddressRequest extends WantedName {
  label?: string | null | undefined
  /** The secret of an expired address: its holder may take the same name again during the quarantine. */
  previousSecret?: string | undefined
  /** The secret of the new address. Default: a new one. */
  secret?: string | undefined
}

/** The addresses of a subscriber, the same on every device. An id that is not on the list throws `not_found`. */
export interface KeptAddresses {
  /**
   * Returns the addresses, oldest first. If the subscription is active again, first restores the addresses that expired
   * after the lapse, without their messages.
   */
  listAndRestore(subscription: Subscription): Promise<KeptAddressView[]>
  /** Returns the addresses without restoring any. */
  list(subscription: Subscription): Promise<KeptAddressView[]>
  find(subscription: Subscription, id: AddressId): Promise<KeptAddressView>
  /** Returns the own domains under which the subscriber can create addresses. */
  ownDomains(subscription: Subscription): Promise<readonly string[]>
  /**
   * Creates an address that is kept. Throws `premium_required`, `addresses_full`, `label_invalid`, `address_taken`,
   * `login_invalid`, `login_reserved`, `domain_unknown`.
   */
  create(subscription: Subscription, request: KeptAddressRequest): Promise<OpenedAddress>
  /**
   * Keeps an address that was created but not kept, because the process stopped in between, under its secret. Does nothing
   * if it is kept or for ten minutes, or the subscription is not active. Returns whether there was room.
   */
  keepCreated(subscription: Subscription, address: OpenedAddress): Promise<boolean>
  /**
   * Creates a fully private address with the keys that the browser generated, or restores one that expired. Throws like
   * `create`.
   */
  createPrivate(
    subscription: Subscription,
    keys: PublicKeys,
    request: Omit<KeptAddressRequest, 'previousSecret' | 'secret'>,
  ): Promise<CreatedPrivateAddress>
  /**
   * Keeps an existing address under a new secret, which locks out everyone who had the old one. An address that is kept
   * already stays under its secret. Throws `premium_required`, `addresses_full`, `label_invalid`, `address_taken`, and
   * the errors of `Secrets.replace`.
   */
  adopt(subscription: Subscription, address: OpenedAddress, label?: string | null): Promise<OpenedAddress>
  /** Throws `label_invalid`. */
  rename(subscription: Subscription, id: AddressId, label: string | null): Promise<void>
  /** Opens an address. Throws `address_invalid` if it has expired or is fully private. */
  open(subscription: Subscription, id: AddressId): Promise<OpenedAddress>
  /**
   * Returns a token with which a signed-in browser returns to an address. It works only together with the session for
   * which it was created, and opens nothing by itself.
   */
  passFor(signedIn: Pick<SignedIn, 'sessionId'>, id: AddressId): string
  /**
   * Returns the address of a pass. Undefined if the pass is for another session, or the address has expired or is not
   * on the list.
   */
  openPass(signedIn: SignedIn, pass: string, visit?: boolean): Promise<OpenedAddress | undefined>
  /** Deletes an address and its messages at once. */
  remove(subscription: Subscription, id: AddressId): Promise<void>
  /** Calls `listener` when the list or one of these inboxes may have changed. Returns a function that stops it. */
  watch(subscription: Subscription, ids: readonly AddressId[], listener: () => void): () => void
}

export interface KeptAddressesDeps {
  store: KeptAddressStore
  addresses: Pick<Addresses, 'open' | 'remove' | 'removeRow' | 'validUntil'>
  names: AddressNames
  claims: Claims
  secrets: Pick<Secrets, 'replacement'>
  /** Returns the subscriber's verified own domains. */
  ownDomains(subscription: Subscription): Promise<readonly string[]>
  bus: EventBus
  clock: Clock
  wrap: Wrap
  rules: EndRules
  maxAddresses: number
  /** In UTF-16 code units, like `maxlength` in HTML. */
  maxLabelCharacters: number
}

export function createKeptAddresses(deps: KeptAddressesDeps): KeptAddresses {
  const { store, addresses, claims, bus, clock, wrap } = deps

  /** Returns the label as one line, or null if it is empty. Throws `label_invalid`. */
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
    address: keptName(wrap, row).address,
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
    { secret, open }: OpenedAddress | CreatedPrivateAddress,
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

  /** Restores an expired address under its secret, unless its name is taken. */
  async function restore(subscriptionId: SubscriptionId, row: KeptAddressRow): Promise<void> {
    if (row.sealedSecret === null) return
    const { addressId: id } = row
    const name = keptName(wrap, row)
    const secret = wrap.unwrapOrEmpty('address secret', row.sealedSecret, keptRow(row))
    if (name.address === '' || secret === '') return
    const terms = { lifetime: 'subscription', subscriptionId, previousSecret: secret, id } as const
    const restored = await claims.claim(name, secret, terms)
    // If the address was removed from the list meanwhile, it must not continue to exist.
    if (restored && !(await store.find(subscriptionId, id, clock()))) await addresses.remove(restored)
  }

  /** Creates a kept address. `id` is set for a fully private address, which may already be on the list. */
  async function createKept<Created extends OpenedAddress | CreatedPrivateAddress>(
    subscription: Subscription,
    { label, ...name }: KeptAddressRequest,
    claim: (names: Iterable<AddressName>, isListed: boolean) => Promise<Created>,
    id?: AddressId,
  ): Promise<Created> {
    requireActive(subscription, deps.rules, clock())
    const line = lineOfLabel(label)
    const rows = await store.list(subscription.id, clock())
    const isListed = rows.some(({ addressId, sealedSecret }) => addressId === id && sealedSecret === null)
    if (rows.length >= deps.maxAddresses && !isListed) throw new MayflyError('addresses_full')
    const names = deps.names.forSubscriber(name, subscription.id, await deps.ownDomains(subscription))
    const created = await claim(names, isListed)
    let isKept = false
    try {
      isKept = await keep(subscription, created, line)
    } finally {
      // The limit was reached meanwhile, or the store failed. If only its response was lost, the list has the address, which
      // must stay.
      const { row } = created.open
      if (!isKept && !('isFound' in created) && !(await store.find(subscription.id, row.id, clock())))
        await claims.undo(created.open, name.login === undefined ? undefined : name.previousSecret)
    }
    if (!isKept) throw new MayflyError('addresses_full')
    return created
  }

  async function openKept(subscription: Subscription, id: AddressId, visit = true): Promise<OpenedAddress> {
    const row = await rowOf(subscription, id)
    const secret = row.sealedSecret && wrap.unwrapOrEmpty('address secret', row.sealedSecret, keptRow(row))
    const opened = secret && (await addresses.open(secret, visit))
    if (!opened) throw new MayflyError('address_invalid')
    return { secret, open: opened }
  }

  const passFor: KeptAddresses['passFor'] = ({ sessionId }, id) =>
    `${id}.${wrap.hash('address pass', `${sessionId} ${id}`)}`

  const list = async ({ id }: Subscription): Promise<KeptAddressView[]> => (await store.list(id, clock())).map(viewOf)

  return {
    list,

    async listAndRestore(subscription) {
      const { id, lapsed } = subscription
      const rows = await store.list(id, clock())
      const expired = rows.filter(({ expiresAt }) => expiresAt === null)
      if (lapsed || expired.length === 0 || !isActive(subscription, deps.rules, clock())) return rows.map(viewOf)
      await Promise.all(expired.map((row) => restore(id, row)))
      return list(subscription)
    },

    find: async (subscription, id) => viewOf(await rowOf(subscription, id)),
    ownDomains: deps.ownDomains,

    create: (subscription, request) =>
      createKept(subscription, request, (names) => {
        const { previousSecret, secret } = request
        return claims.claimFirst(names, { lifetime: 'day', previousSecret, secret })
      }),

    async keepCreated(subscription, address) {
      const { lifetime, subscriptionId } = address.open.row
      if (lifetime !== 'day' || subscriptionId !== null || !isActive(subscription, deps.rules, clock())) return true
      return keep(subscription, address, null)
    },

    createPrivate: (subscription, keys, request) =>
      createKept(
        subscription,
        request,
        (names, isListed) => claims.claimPrivate(names, keys, isListed ? subscription.id : null),
        keys.id,
      ),

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
      // The secret was replaced meanwhile, or the limit is reached.
      throw new MayflyError((await addresses.validUntil(address.open)) > 0 ? 'addresses_full' : 'unauthorized')
    },

    async rename({ id: subscriptionId }, id, label) {
      const sealedLabel = sealLabel({ subscriptionId, addressId: id }, lineOfLabel(label))
      if (!(await store.rename(subscriptionId, id, sealedLabel))) throw new MayflyError('not_found')
      bus.publish(subscriptionId)
    },

    open: openKept,
    passFor,

    async openPass(signedIn, pass, visit = true) {
      const [id = ''] = pass.split('.')
      if (!sameText(pass, passFor(signedIn, id))) return undefined
      return openKept(signedIn.subscription, id, visit).catch(undefinedFor('not_found', 'address_invalid'))
    },

    async remove(subscription, id) {
      const isOwn = deps.names.isOwn(keptName(wrap, await rowOf(subscription, id)), subscription.id)
      await addresses.removeRow({ id, subscriptionId: subscription.id }, isOwn)
    },

    watch({ id: subscriptionId }, ids, listener) {
      const stops = [subscriptionId, ...ids].map((topic) => bus.subscribe(topic, listener))
      return () => stops.forEach((stop) => stop())
    },
  }
}
