import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { type AddressKeys, deriveKeys } from '#mail/sealing/keys.ts'
import { addressPlace, messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, openKeptFixture, PLACES } from '#test/support/fixtures/kept-addresses.ts'
import { PAGE } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

const seal = createSeal()

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const placeOf = (kind: 'body' | 'summary', { id: addressId }: AddressKeys, id: string) =>
  messagePlace(kind, { addressId, id })

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  /** No summary is stored until this promise resolves. */
  let summariesAllowed = Promise.resolve()
  const wrap = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      attachSummaries: (...args) => summariesAllowed.then(() => store.messages.attachSummaries(...args)),
    },
  })
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())

  /** Returns a new secret and its keys, as the owner's browser makes them. */
  const newKeys = () => {
    const secret = newSecret()
    return { secret, keys: deriveKeys(secret)! }
  }
  const requestOf = ({ id, publicKey }: AddressKeys) => ({ id, publicKey: base64url(publicKey) })
  async function create(subscription: Subscription, request = {}) {
    const { secret, keys } = newKeys()
    const view = await fixture.privateAddresses.create(subscription, { ...requestOf(keys), ...request })
    return { secret, keys, view }
  }
  const open = (subscription: Subscription, id: string) => fixture.privateAddresses.open(subscription, id)

  describe('a new address', () => {
    test('belongs to the subscription and is shown as private', async () => {
      const ann = await fixture.subscribe()
      const { keys, view } = await create(ann, { label: 'Bank' })
      expect(view).toMatchObject({ id: keys.id, label: 'Bank', private: true, alive: true, expiresAt: null })
      expect(await fixture.kept.listAndRestore(ann)).toEqual([view])
      const row = (await fixture.store.addresses.find(keys.id, fixture.time.now))!
      expect(row).toMatchObject({ private: true, subscriptionId: ann.id, lifetime: 'subscription', expiresAt: NEVER })
      expect(base64url(row.publicKey)).toBe(base64url(keys.publicKey))
      expect(Buffer.from(fixture.opener.open(keys, addressPlace('name', row), row.sealedName)).toString()).toBe(
        view.address,
      )
    })

    test('is not opened by the server, even with its secret', async () => {
      const ann = await fixture.subscribe()
      const { secret, keys } = await create(ann)
      expect(await fixture.addresses.open(secret)).toBeUndefined()
      expect(await codeOf(fixture.kept.open(ann, keys.id))).toBe('address_invalid')
      const [row] = await fixture.store.keptAddresses.list(ann.id, fixture.time.now)
      expect(row?.sealedSecret).toBeNull()
    })

    test('can have a chosen name on every domain that the subscriber may use', async () => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, 'own.example')
      const names = [
        ['private.one', 'mayfly.test'],
        ['private.one', 'vip.mayfly.test'],
        ['me', 'own.example'],
      ]
      for (const [login, domain] of names)
        expect((await create(ann, { login, domain })).view.address).toBe(`${login}@${domain}`)
      const bob = await fixture.subscribe()
      expect(await codeOf(create(bob, { login: 'private.one' }))).toBe('address_taken')
      expect(await codeOf(create(bob, { login: 'me', domain: 'own.example' }))).toBe('domain_unknown')
      expect(await codeOf(create(bob, { login: 'admin' }))).toBe('login_reserved')
    })

    test('needs Premium and a free place', async () => {
      const ended = await fixture.subscribe({ paidUntil: fixture.time.now - 1 })
      expect(await codeOf(create(ended))).toBe('premium_required')
      const ann = await fixture.subscribe()
      for (let i = 0; i < PLACES; i++) await create(ann)
      expect(await codeOf(create(ann))).toBe('addresses_full')
    })

    test.each<[string, (keys: ReturnType<typeof requestOf>) => object]>([
      ['an id that is too short', ({ id }) => ({ id: id.slice(1) })],
      ['an id in a non-canonical encoding', ({ id }) => ({ id: `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'R'}` })],
      ['a key that is too long', ({ publicKey }) => ({ publicKey: `${publicKey}A` })],
      ['a key of small order', () => ({ publicKey: base64url(new Uint8Array(32)) })],
      ['no key', () => ({ publicKey: '' })],
    ])('cannot have %s', async (_name, change) => {
      const request = requestOf(newKeys().keys)
      const ann = await fixture.subscribe()
      expect(await codeOf(fixture.privateAddresses.create(ann, { ...request, ...change(request) }))).toBe(
        'address_invalid',
      )
    })

    test('cannot have the id of an existing address', async () => {
      const [ann, bob] = [await fixture.subscribe(), await fixture.subscribe()]
      const { keys } = await create(ann)
      for (const each of [ann, bob])
        expect(await codeOf(fixture.privateAddresses.create(each, requestOf(keys)))).toBe('address_taken')
      const { open: free } = await fixture.addresses.create({})
      expect(await codeOf(fixture.privateAddresses.create(bob, requestOf(free.keys)))).toBe('address_taken')
      expect(await fixture.kept.listAndRestore(bob)).toEqual([])
    })
  })

  describe('its messages', () => {
    async function inbox(mails = 1) {
      const ann = await fixture.subscribe()
      const { keys, view } = await create(ann)
      const address = await open(ann, keys.id)
      for (let i = 0; i < mails; i++)
        await fixture.deliver([view.address], `Subject: mail ${i}\r\n\r\nYour code is 482913\r\n`)
      await fixture.summaries.settled()
      return { ann, keys, address, view, list: () => fixture.privateMessages.list(address) }
    }

    test('are returned as stored, and open only with the private key', async () => {
      const { keys, address, view, list } = await inbox()
      const [message] = (await list()).messages
      const { envelope, raw } = unpackBody(
        fixture.opener.open(
          keys,
          placeOf('body', keys, message!.id),
          await fixture.privateMessages.body(address, message!.id),
        ),
      )
      expect(envelope.recipient).toBe(view.address)
      expect(Buffer.from(raw).toString()).toContain('Your code is 482913')
    })

    test('are not read by the server, which stores only the authentication of the sender', async () => {
      const { keys, list } = await inbox()
      const [message] = (await list()).messages
      expect(message).toMatchObject({ seen: false })
      const summary = JSON.parse(
        Buffer.from(fixture.opener.open(keys, placeOf('summary', keys, message!.id), message!.summary!)).toString(),
      )
      expect(Object.keys(summary)).toEqual(['origin', 'authentication'])
    })

    test('keep the summary that the browser made, and watchers are notified', async () => {
      const { keys, address, list } = await inbox()
      const [{ id } = { id: '' }] = (await list()).messages
      const { revision } = (await fixture.store.addresses.find(address.id, fixture.time.now))!
      const sealed = seal(keys.publicKey, placeOf('summary', keys, id), Buffer.from('{"subject":"mail 0"}'))
      const notified = new Promise<void>((resolve) => fixture.privateMessages.watch(address, resolve))
      await fixture.privateMessages.keepSummary(address, id, sealed)
      await notified
      const { messages } = await fixture.privateMessages.changes(address, revision)
      expect(messages.map(({ message }) => base64url(message.summary!))).toEqual([base64url(sealed)])
      for (const bad of [new Uint8Array(), sealed.subarray(0, 60), Buffer.concat([Buffer.of(1), sealed.subarray(1)])])
        expect(await codeOf(fixture.privateMessages.keepSummary(address, id, bad))).toBe('summary_invalid')
    })

    test('reject a summary that is much larger than its message', async () => {
      const { keys, address, list } = await inbox()
      const [{ id, size } = { id: '', size: 0 }] = (await list()).messages
      const ofBytes = (bytes: number) => seal(keys.publicKey, placeOf('summary', keys, id), randomBytes(bytes))
      await fixture.privateMessages.keepSummary(address, id, ofBytes(4 * size))
      const kept = fixture.privateMessages.keepSummary(address, id, ofBytes(4 * size + 5000))
      expect(await codeOf(kept)).toBe('summary_invalid')
    })

    test('are listed once as changed, even without a summary', async () => {
      const { address, list } = await inbox(0)
      const { promise, resolve } = Promise.withResolvers<void>()
      summariesAllowed = promise
      await fixture.deliver([(await address.current())!.address])
      const first = await fixture.privateMessages.changes(address, address.revision)
      expect(first.messages.map(({ message }) => message.summary)).toEqual([null])
      const again = await fixture.privateMessages.changes(address, first.messages[0]!.revision)
      expect(again.messages).toEqual([])
      resolve()
      await fixture.summaries.settled()
      expect((await list()).messages.map(({ summary }) => summary)).toEqual([expect.any(Uint8Array)])
    })

    test('are listed in pages, newest first', async () => {
      const { address, list } = await inbox(PAGE + 1)
      const first = await list()
      expect(first.messages).toHaveLength(PAGE)
      const second = await fixture.privateMessages.list(address, first.next!)
      expect([second.messages.length, second.next]).toEqual([1, null])
      const ids = [...first.messages, ...second.messages].map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted().toReversed())
    })

    test('can be marked as seen and deleted', async () => {
      const { address, list } = await inbox()
      const [{ id } = { id: '' }] = (await list()).messages
      await fixture.privateMessages.mark(address, id, { seen: true })
      expect((await list()).messages[0]?.seen).toBe(true)
      await fixture.privateMessages.remove(address, id)
      expect((await list()).messages).toEqual([])
      const { deleted } = await fixture.privateMessages.changes(address, 0)
      expect(deleted.map((each) => each.id)).toEqual([id])
      const calls = [
        fixture.privateMessages.body(address, id),
        fixture.privateMessages.mark(address, id, { seen: false }),
        fixture.privateMessages.remove(address, id),
        fixture.privateMessages.body(address, 'nonsense'),
      ]
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'message_not_found'))
    })
  })

  describe('the owner', () => {
    test('is the only one who can open it, and only as a fully private address', async () => {
      const [ann, bob] = [await fixture.subscribe(), await fixture.subscribe()]
      const { keys } = await create(ann)
      expect(await codeOf(open(bob, keys.id))).toBe('not_found')
      const ordinary = await fixture.kept.create(ann, {})
      expect(await codeOf(open(ann, ordinary.open.row.id))).toBe('not_found')
      expect(await codeOf(open(ann, newKeys().keys.id))).toBe('not_found')
    })

    test('can still open it after a lapse, for a day after each visit', async () => {
      const ann = await fixture.subscribe()
      const { keys, view } = await create(ann)
      await fixture.deliver([view.address])
      const lapsed = await fixture.lapse(ann)
      for (let visit = 0; visit < 3; visit++) {
        fixture.time.now += DAY - HOUR
        expect((await fixture.privateMessages.list(await open(lapsed, keys.id))).messages).toHaveLength(1)
      }
      const address = await open(lapsed, keys.id)
      fixture.time.now += DAY - HOUR
      expect((await fixture.privateAddresses.open(lapsed, keys.id, false)).id).toBe(keys.id)
      fixture.time.now += HOUR
      expect(await codeOf(open(lapsed, keys.id))).toBe('not_found')
      expect(await address.current()).toBeUndefined()
    })

    test('can create it again with the same keys after it expired, which nobody else can', async () => {
      const ann = await fixture.subscribe()
      const { keys, view } = await create(ann, { login: `back-${Date.now()}` })
      for (let i = 1; i < PLACES; i++) await create(ann)
      await fixture.lapse(ann)
      fixture.time.now += 2 * DAY
      await fixture.sweep.run()
      const back = await fixture.comeBack(ann)
      const again = { ...requestOf(keys), login: view.address.split('@')[0] }
      expect(await codeOf(fixture.privateAddresses.create(await fixture.subscribe(), again))).toBe('address_taken')
      expect(await fixture.kept.find(back, keys.id)).toMatchObject({ alive: false })
      expect(await fixture.privateAddresses.create(back, again)).toMatchObject({
        id: keys.id,
        address: view.address,
        alive: true,
      })
      expect(await fixture.kept.list(back)).toHaveLength(PLACES)
    })

    test('can delete it with its messages', async () => {
      const ann = await fixture.subscribe()
      const { keys, view } = await create(ann)
      await fixture.deliver([view.address])
      const address = await open(ann, keys.id)
      await fixture.kept.remove(ann, keys.id)
      expect(await codeOf(open(ann, keys.id))).toBe('not_found')
      expect(await address.current()).toBeUndefined()
      expect((await fixture.privateMessages.list(address)).messages).toEqual([])
    })
  })
})
