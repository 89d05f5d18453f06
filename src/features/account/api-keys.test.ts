import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { MINUTE, DAY } from '#core/time.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createLogger } from '#telemetry/logger.ts'
import { codeOf } from '#test/support/codes.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import {
  KEY_CACHE,
  MAX_KEY_ADDRESSES,
  MAX_KEYS,
  openWebhookFixture,
  type WebhookFixture,
} from '#test/support/fixtures/webhooks.ts'
import { createAccountDeletion } from './account-deletion.ts'
import { createAccountExport } from './account-export.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: WebhookFixture
  /** The number of key look-ups in the store. */
  let lookups = 0
  const wrap = (store: Store): Store => ({
    ...store,
    apiKeys: { ...store.apiKeys, find: (...args) => (lookups++, store.apiKeys.find(...args)) },
  })
  beforeAll(async () => {
    fixture = await openWebhookFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())

  const usedAt = async (subscription: Parameters<typeof fixture.keys.list>[0]) =>
    (await fixture.keys.list(subscription))[0]?.usedAt
  async function withKey() {
    const subscription = await fixture.subscribe()
    const { token, id } = await fixture.keys.create(subscription, 'Tests')
    return { subscription, token, id }
  }

  test('stores the token as a hash and the label wrapped', async () => {
    const { subscription, token } = await withKey()
    const [row] = await fixture.store.apiKeys.list(subscription.id)
    const stored = JSON.stringify({ ...row, sealedLabel: Buffer.from(row!.sealedLabel).toString('latin1') })
    expect(stored).not.toContain(token.slice(4))
    expect(stored).not.toContain('Tests')
  })

  test('limits the number of keys and the length of their labels', async () => {
    const { subscription, id } = await withKey()
    for (const label of ['', '\n', 'x'.repeat(11)]) {
      expect(await codeOf(fixture.keys.create(subscription, label))).toBe('label_invalid')
    }
    for (let i = 1; i < MAX_KEYS; i++) await fixture.keys.create(subscription, 'x'.repeat(10))
    expect(await codeOf(fixture.keys.create(subscription, 'More'))).toBe('keys_full')
    expect(await codeOf(fixture.keys.revoke(await fixture.subscribe(), id))).toBe('key_not_found')
    await fixture.keys.revoke(subscription, id)
    expect(await codeOf(fixture.keys.create(subscription, 'More'))).toBe('fine')
  })

  test('looks a key up once per cache time, also for concurrent requests', async () => {
    const { token, subscription } = await withKey()
    lookups = 0
    expect(fixture.keys.knows(token)).toBe(false)
    const holders = await Promise.all(Array.from({ length: 50 }, () => fixture.keys.find(token)))
    expect(holders.every((holder) => holder.subscription.id === subscription.id)).toBe(true)
    expect([lookups, fixture.keys.knows(token)]).toEqual([1, true])
    fixture.time.now += KEY_CACHE - 1
    await fixture.keys.find(token)
    expect(lookups).toBe(1)
    fixture.time.now += 1
    await fixture.keys.find(token)
    expect(lookups).toBe(2)
  })

  test('remembers that a key worked, until it is revoked', async () => {
    const { token, id, subscription } = await withKey()
    await fixture.keys.find(token)
    fixture.time.now += 10 * KEY_CACHE
    await fixture.keys.find((await withKey()).token)
    expect(fixture.keys.knows(token)).toBe(true)
    await fixture.keys.revoke(subscription, id)
    await expect.poll(() => fixture.keys.knows(token)).toBe(false)
  })

  test('never caches an unknown key, and does not look up a malformed one', async () => {
    lookups = 0
    const wrong = `mfk_${'a'.repeat(43)}`
    for (let i = 0; i < 2; i++) expect(await codeOf(fixture.keys.find(wrong))).toBe('key_invalid')
    expect([lookups, fixture.keys.knows(wrong)]).toEqual([2, false])
    for (const token of ['', 'mfk_', `mfk_${'a'.repeat(44)}`, `mfk_${'ä'.repeat(43)}`]) {
      expect(await codeOf(fixture.keys.find(token))).toBe('key_invalid')
    }
    expect(lookups).toBe(2)
  })

  test('rejects a revoked or expired key on every node within the cache time', async () => {
    const elsewhere = (await fixture.newNode()).apiKeys
    const { token, id, subscription } = await withKey()
    const other = await withKey()
    for (const node of [fixture.keys, elsewhere]) await Promise.all([node.find(token), node.find(other.token)])
    await fixture.keys.revoke(subscription, id)
    await fixture.change(other.subscription, { paidUntil: fixture.time.now - DAY })
    fixture.time.now += KEY_CACHE
    for (const node of [fixture.keys, elsewhere]) {
      expect(await codeOf(node.find(token))).toBe('key_invalid')
      expect(await codeOf(node.find(other.token))).toBe('key_invalid')
    }
    // The key works again after a payment.
    await fixture.comeBack((await fixture.store.subscriptions.find(other.subscription.id))!)
    expect(await codeOf(elsewhere.find(other.token))).toBe('fine')
  })

  test('records the use of a key once a minute', async () => {
    const { token, subscription } = await withKey()
    expect(await usedAt(subscription)).toBeNull()
    const first = fixture.time.now
    await fixture.keys.find(token)
    fixture.time.now = first + MINUTE - 1
    await fixture.keys.find(token)
    expect(await usedAt(subscription)).toBe(first)
    fixture.time.now = first + MINUTE - 1 + KEY_CACHE
    await fixture.keys.find(token)
    expect(await usedAt(subscription)).toBe(fixture.time.now)
  })

  test('creates test addresses under every domain of the subscriber, with the rules of free addresses', async () => {
    const { token, subscription } = await withKey()
    await fixture.own(subscription, 'own.example')
    const holder = await fixture.keys.find(token)
    const login = `created.${lookups}.${engine.toLowerCase()}`
    for (const domain of ['mayfly.test', 'vip.mayfly.test', 'own.example']) {
      const { open, secret } = await fixture.keys.createAddress(holder, { login, domain, lifetime: 'day' })
      expect(open).toMatchObject({ address: `${login}@${domain}`, row: { lifetime: 'day', subscriptionId: null } })
      expect((await fixture.addresses.open(secret))?.row).toMatchObject({ keySubscriptionId: subscription.id })
      await fixture.deliver([open.address])
    }
    expect(await codeOf(fixture.keys.createAddress(holder, { domain: 'strange.example' }))).toBe('domain_unknown')
    expect(await fixture.kept.listAndRestore(subscription)).toEqual([])
  })

  test('exports keys and webhooks, and deletes them with the addresses that the keys created', async () => {
    const { token, subscription } = await withKey()
    const { store, wrap: wrapper, bus, time } = fixture
    const clock = () => time.now
    await fixture.hook(subscription, '/exported')
    const { open } = await fixture.keys.createAddress(await fixture.keys.find(token), {})
    const signedIn = { sessionId: '', subscription, active: true }
    const exported = createAccountExport({ store, wrap: wrapper, opener: createOpener(0), clock, pageSize: 10 })(
      signedIn,
    )
    const { 'account.json': file } = unzipSync(await buffer(exported))
    expect(JSON.parse(Buffer.from(file!).toString())).toMatchObject({
      keys: [{ label: 'Tests', usedAt: new Date(time.now).toISOString() }],
      webhooks: [{ url: fixture.receiver.url('/exported'), deliveredAt: null, failingSince: null, off: false }],
    })
    const { deleteAccount } = createAccountDeletion({
      store,
      wrap: wrapper,
      bus,
      clock,
      providers: [],
      billing: { settle: async () => ({ result: 'same', differences: [] }) },
      logger: createLogger('error'),
      quarantine: DAY,
    })
    await deleteAccount(signedIn, wrapper.unwrap('email', subscription.sealedEmail, subscription.emailKey))
    expect(await store.addresses.find(open.row.id, time.now)).toBeUndefined()
    expect(await store.apiKeys.list(subscription.id)).toEqual([])
    expect(await store.webhooks.list(subscription.id)).toEqual([])
  })

  test('deletes the addresses that a key created, not those of other keys and not one that is kept', async () => {
    const { token, subscription } = await withKey()
    const other = await fixture.keys.create(subscription, 'Other')
    const [holder, otherHolder] = [await fixture.keys.find(token), await fixture.keys.find(other.token)]
    const created = []
    for (let i = 0; i < MAX_KEY_ADDRESSES - 1; i++) created.push(await fixture.keys.createAddress(holder, {}))
    const others = await fixture.keys.createAddress(otherHolder, {})
    await fixture.kept.adopt(subscription, created[0]!)
    await fixture.keys.deleteAddresses(holder)
    const { ofKeys, find } = fixture.store.addresses
    expect(await ofKeys(subscription.id, fixture.time.now)).toEqual([others.open.row.id])
    const alive = await Promise.all(created.map(({ open }) => find(open.row.id, fixture.time.now)))
    expect(alive.map(Boolean)).toEqual(created.map((_, i) => i === 0))
    expect(await codeOf(fixture.keys.createAddress(holder, {}))).toBe('fine')
    expect(await codeOf(fixture.keys.createAddress(holder, { login: 'taken.over' }))).toBe('fine')
    await fixture.keys.deleteAddresses(holder)
    expect(await codeOf(fixture.keys.createAddress(holder, { login: 'taken.over' }))).toBe('address_taken')
  })

  test('a full subscription may replace an address of its keys, and no other', async () => {
    const { token, subscription } = await withKey()
    const holder = await fixture.keys.find(token)
    const created = []
    for (let i = 0; i < MAX_KEY_ADDRESSES; i++) created.push(await fixture.keys.createAddress(holder, {}))
    const create = (replaces: OpenedAddress) => fixture.keys.createAddress(holder, { replaces: replaces.open })
    const replacing = await Promise.allSettled([create(created[0]!), create(created[0]!)])
    expect(replacing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await codeOf(create(created[1]!))).toBe('addresses_full')
    await fixture.addresses.remove(created[0]!.open)
    expect(await fixture.store.addresses.ofKeys(subscription.id, fixture.time.now)).toHaveLength(MAX_KEY_ADDRESSES)
    const free = await fixture.addresses.create({})
    expect(await codeOf(create(free))).toBe('addresses_full')
  })

  test('limits the number of addresses of the keys, and frees the place of an expired one', async () => {
    const { token, subscription } = await withKey()
    const holder = await fixture.keys.find(token)
    const login = () => `quota-${crypto.randomUUID().slice(0, 8)}`
    const answers = await Promise.allSettled(
      Array.from({ length: MAX_KEY_ADDRESSES + 3 }, () => fixture.keys.createAddress(holder, { login: login() })),
    )
    const created = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(created).toHaveLength(MAX_KEY_ADDRESSES)
    expect(await codeOf(fixture.keys.createAddress(holder, {}))).toBe('addresses_full')
    await fixture.addresses.remove(created[0]!.open)
    const wanted = login()
    expect(await codeOf(fixture.keys.createAddress(holder, { login: wanted, lifetime: 'ten-minutes' }))).toBe('fine')
    expect(await codeOf(fixture.keys.createAddress(holder, { login: wanted }))).toBe('addresses_full')
    fixture.time.now += 10 * MINUTE
    // The name is in quarantine, but the place is free.
    expect(await codeOf(fixture.keys.createAddress(holder, { login: wanted }))).toBe('address_taken')
    expect(await codeOf(fixture.keys.createAddress(holder, {}))).toBe('fine')
    expect(await fixture.store.addresses.ofKeys(subscription.id, fixture.time.now)).toHaveLength(MAX_KEY_ADDRESSES)
  })
})
