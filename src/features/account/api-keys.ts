import type { ApiKey, ApiKeyStore } from '#core/account/api-key.ts'
import {
  type EndRules,
  endsAt,
  isActive,
  requireActive,
  requireConfirmed,
  type Subscription,
  type SubscriptionStore,
} from '#core/billing/subscription.ts'
import { ignoreStoreFault, MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import { lineOf } from '#core/text.ts'
import { type Clock, MINUTE } from '#core/time.ts'
import type {
  Addresses,
  AddressNames,
  AddressRequest,
  Claims,
  OpenAddress,
  OpenedAddress,
} from '#features/mailbox/index.ts'
import { inChunks } from '#lib/batches.ts'
import { hashOf, newToken, randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** Times are milliseconds since the epoch. */
export interface ApiKeyView {
  id: string
  label: string
  createdAt: number
  usedAt: number | null
}

/** The API key of a request, and its subscription. */
export interface KeyHolder {
  keyId: string
  tokenHash: string
  /** As of the look-up of the key, at most `rules.cacheTime` ago. */
  subscription: Subscription
}

export interface ApiKeys {
  readonly rules: KeyRules
  list(subscription: Subscription): Promise<ApiKeyView[]>
  /** Creates a key. Its token is returned only here. Throws `premium_required`, `label_invalid`, `keys_full`. */
  create(subscription: Subscription, label: string): Promise<ApiKeyView & { token: string }>
  /** Revokes a key at once, or within `rules.cacheTime` on nodes that cannot be notified. Throws `key_not_found`. */
  revoke(subscription: Subscription, id: string): Promise<void>
  /** Whether a key worked when it was last looked up, or is looked up now. A node forgets keys that nobody uses. */
  knows(token: string): boolean
  /** Finds the holder of a key. Throws `key_invalid` unless the token is a key of an active subscription. */
  find(token: string): Promise<KeyHolder>
  /** Reads from the store until when a key works; 0 if it does not work. */
  validUntil(holder: KeyHolder): Promise<number>
  /**
   * Creates a test address, with the rules of free addresses, but under any domain of the subscriber. Throws
   * `addresses_full`, `address_taken`, `login_invalid`, `login_reserved`, `domain_unknown`. `replaces`: an address that
   * the caller deletes afterwards, whose place counts as free.
   */
  createAddress(
    holder: KeyHolder,
    request: AddressRequest & { replaces?: Pick<OpenAddress, 'row'> | undefined },
  ): Promise<OpenedAddress>
  /** Deletes all addresses that this key created, for example after a run of tests that did not end. */
  deleteAddresses(holder: KeyHolder): Promise<void>
}

interface KeyRules {
  ends: EndRules
  maxKeys: number
  /** How many addresses created by the keys of one subscription may exist at the same time. */
  maxAddresses: number
  /** In UTF-16 code units, like `maxlength` in HTML. */
  maxLabelCharacters: number
  /** How long a look-up is cached, in milliseconds, unless the bus reports a change. */
  cacheTime: number
}

interface ApiKeysDeps {
  store: ApiKeyStore
  addresses: Pick<AddressStore, 'ofKeys'> & Pick<Addresses, 'removeRow'>
  subscriptions: Pick<SubscriptionStore, 'find'>
  names: AddressNames
  claims: Claims
  /** Publishes the id of a subscription when its keys may have stopped working. */
  bus: Pick<EventBus, 'subscribe'>
  /** Returns the subscriber's verified own domains. */
  ownDomains(subscription: Subscription): Promise<readonly string[]>
  wrap: Wrap
  clock: Clock
  rules: KeyRules
}

/** A cached look-up. It is valid until a time, or until the bus reports a change. */
interface CachedKey {
  until: number
  holder: Promise<KeyHolder>
  stopListening: () => void
}

const TOKEN = /^mfk_[\w-]{43}$/
const SECRET = /^[\w-]{43}$/
const NO_KEY = 'An API key starts with `mfk_`.'
const SECRET_IS_NO_KEY =
  'This looks like the secret of an address. Send it as `Authorization: Bearer SECRET`. `X-Api-Key` is for API keys, which start with `mfk_`.'
const noRoom = (max: number): string =>
  `The API keys of this subscription have ${max} addresses. Delete some, or all of this key: DELETE /api/v1/key/addresses`
const CACHE_MAX = 10_000
/** Addresses that are deleted at the same time. */
const AT_ONCE = 50

export function createApiKeys(deps: ApiKeysDeps): ApiKeys {
  const { store, wrap, clock, rules } = deps
  /** The last look-ups by token hash, the oldest first. Keys that did not work are removed. */
  const cache = new Map<string, CachedKey>()

  const holderOf = (tokenHash: string): Promise<KeyHolder> | undefined => {
    const entry = cache.get(tokenHash)
    return entry && entry.until > clock() ? entry.holder : undefined
  }

  function forget(tokenHash: string, entry: CachedKey): void {
    entry.stopListening()
    if (cache.get(tokenHash) === entry) cache.delete(tokenHash)
  }

  function makeRoom(): void {
    for (const [tokenHash, entry] of cache) {
      if (cache.size < CACHE_MAX) break
      forget(tokenHash, entry)
    }
  }

  /** Reads a key and its subscription from the store; undefined if the key does not work. */
  async function workingKey(
    tokenHash: string,
    now: number,
  ): Promise<{ key: ApiKey; subscription: Subscription } | undefined> {
    const key = await store.find(tokenHash)
    const subscription = key && (await deps.subscriptions.find(key.subscriptionId))
    return subscription && isActive(subscription, rules.ends, now) ? { key, subscription } : undefined
  }

  async function lookUp(tokenHash: string, now: number): Promise<KeyHolder> {
    const found = await workingKey(tokenHash, now)
    if (!found) throw new MayflyError('key_invalid')
    const { key, subscription } = found
    if (now - (key.usedAt ?? 0) >= MINUTE) {
      // The key works even if the store cannot record its use.
      await store.touch(key.id, now).catch(ignoreStoreFault)
    }
    return { keyId: key.id, tokenHash, subscription }
  }

  function sealLabel(label: string, id: string): Uint8Array {
    const line = lineOf(label)
    if (line === '' || line.length > rules.maxLabelCharacters)
      throw new MayflyError('label_invalid', `A name has 1 to ${rules.maxLabelCharacters} characters`)
    return wrap.wrap('key label', line, id)
  }

  const viewOf = ({ id, sealedLabel, createdAt, usedAt }: ApiKey): ApiKeyView => ({
    id,
    label: wrap.unwrapOrEmpty('key label', sealedLabel, id),
    createdAt,
    usedAt,
  })

  async function isFull(id: SubscriptionId, max: number): Promise<boolean> {
    return (await deps.addresses.ofKeys(id, clock())).length >= max
  }

  return {
    rules,

    list: async ({ id }) => (await store.list(id)).map(viewOf),

    async create(subscription, label) {
      const now = clock()
      requireActive(subscription, rules.ends, now)
      requireConfirmed(subscription)
      const token = `mfk_${newToken()}`
      const id = randomId()
      const key: ApiKey = {
        id,
        tokenHash: hashOf(token),
        subscriptionId: subscription.id,
        sealedLabel: sealLabel(label, id),
        createdAt: now,
        usedAt: null,
      }
      if (!(await store.add(key, rules.maxKeys))) throw new MayflyError('keys_full')
      return { ...viewOf(key), token }
    },

    async revoke(subscription, id) {
      if (!(await store.remove(subscription.id, id))) throw new MayflyError('key_not_found')
    },

    knows: (token) => cache.has(hashOf(token)),

    async find(token) {
      if (!TOKEN.test(token)) throw new MayflyError('key_invalid', SECRET.test(token) ? SECRET_IS_NO_KEY : NO_KEY)
      const tokenHash = hashOf(token)
      const cached = holderOf(tokenHash)
      if (cached) return cached
      const now = clock()
      const expired = cache.get(tokenHash)
      if (expired) forget(tokenHash, expired)
      makeRoom()
      // Concurrent callers wait for the same look-up.
      const entry: CachedKey = { until: now + rules.cacheTime, holder: lookUp(tokenHash, now), stopListening: () => {} }
      cache.set(tokenHash, entry)
      entry.holder.then(
        ({ subscription }) => {
          if (cache.get(tokenHash) !== entry) return
          entry.until = Math.min(entry.until, endsAt(subscription, rules.ends))
          entry.stopListening = deps.bus.subscribe(subscription.id, () => forget(tokenHash, entry))
        },
        () => forget(tokenHash, entry),
      )
      return entry.holder
    },

    async validUntil({ tokenHash }) {
      const found = await workingKey(tokenHash, clock())
      return found ? endsAt(found.subscription, rules.ends) : 0
    },

    async createAddress({ subscription, keyId }, { lifetime = 'day', previousSecret, replaces, ...wanted }) {
      const { id: subscriptionId } = subscription
      const max = rules.maxAddresses + (replaces?.row.keySubscriptionId === subscriptionId ? 1 : 0)
      const names = deps.names.forSubscriber(wanted, subscriptionId, await deps.ownDomains(subscription))
      for (const name of names) {
        const quota = { subscriptionId, keyId, max, ownDomain: name.ownDomain }
        const secret = newSecret()
        const open = await deps.claims.claim(name, secret, { lifetime, previousSecret, quota })
        if (open) return { secret, open }
        if (await isFull(subscriptionId, max)) throw new MayflyError('addresses_full', noRoom(rules.maxAddresses))
      }
      throw new MayflyError('address_taken')
    },

    async deleteAddresses({ subscription, keyId }) {
      const { ofKeys, removeRow } = deps.addresses
      const [ids, own] = await Promise.all([
        ofKeys(subscription.id, clock(), { keyId }),
        ofKeys(subscription.id, clock(), { keyId, ownDomain: true }),
      ])
      for (const some of inChunks(ids, AT_ONCE))
        await Promise.all(
          // An address that the subscriber has kept since then no longer belongs to the key.
          some.map((id) =>
            removeRow({ id, subscriptionId: null }, own.includes(id), { keySubscriptionId: subscription.id }),
          ),
        )
    },
  }
}
