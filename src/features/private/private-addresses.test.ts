import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { type AddressKeys, deriveKeys, newSecret } from '#mail/sealing/keys.ts'
import { addressPlace, messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { type KeptCases, openKeptCases, PLACES } from '#test/support/fixtures/kept-addresses.ts'
import { DAY, ENGINES, HOUR, PAGE } from '#test/support/fixtures/use-cases.ts'

const seal = createSeal()

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'fine',
    (error: { code?: string }) => error.code ?? String(error),
  )

const placeOf = (kind: 'body' | 'summary', { id: addressId }: AddressKeys, id: string) =>
  messagePlace(kind, { addressId, id })

describe.each(ENGINES)('on %s', (engine) => {
  let house: KeptCases
  /** Until it resolves no summary is kept. */
  let held = Promise.resolve()
  const wrap = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      attachSummaries: (...args) => held.then(() => store.messages.attachSummaries(...args)),
    },
  })
  beforeAll(async () => {
    house = await openKeptCases({ engine, wrap })
  })
  afterAll(() => house.close())

  /** What the owner's browser has. */
  const made = () => {
    const secret = newSecret()
    return { secret, keys: deriveKeys(secret)! }
  }
  const requestOf = ({ id, publicKey }: AddressKeys) => ({ id, publicKey: base64url(publicKey) })
  async function create(subscription: Subscription, request = {}) {
    const { secret, keys } = made()
    const view = await house.privateAddresses.create(subscription, { ...requestOf(keys), ...request })
    return { secret, keys, view }
  }
  const open = (subscription: Subscription, id: string) => house.privateAddresses.open(subscription, id)

  describe('a new one', () => {
    test('belongs to the subscription, and says so', async () => {
      const ann = await house.subscribe()
      const { keys, view } = await create(ann, { label: 'Bank' })
      expect(view).toMatchObject({ id: keys.id, label: 'Bank', private: true, alive: true, expiresAt: null })
      expect(await house.kept.list(ann)).toEqual([view])
      const row = (await house.store.addresses.find(keys.id, house.time.now))!
      expect(row).toMatchObject({ private: true, subscriptionId: ann.id, lifetime: 'subscription', expiresAt: NEVER })
      expect(base64url(row.publicKey)).toBe(base64url(keys.publicKey))
      expect(Buffer.from(house.opener.open(keys, addressPlace('name', row), row.sealedName)).toString()).toBe(
        view.address,
      )
    })

    test('is not opened here, whoever sends its secret', async () => {
      const ann = await house.subscribe()
      const { secret, keys } = await create(ann)
      expect(await house.addresses.open(secret)).toBeUndefined()
      expect(await codeOf(house.kept.open(ann, keys.id))).toBe('address_invalid')
      const [row] = await house.store.keptAddresses.list(ann.id, house.time.now)
      expect(row?.sealedSecret).toBeNull()
    })

    test('has a chosen name on every domain that the subscriber may use', async () => {
      const ann = await house.subscribe()
      house.owners.set('own.example', ann)
      const names = [
        ['private.one', 'mayfly.test'],
        ['private.one', 'vip.mayfly.test'],
        ['me', 'own.example'],
      ]
      for (const [login, domain] of names)
        expect((await create(ann, { login, domain })).view.address).toBe(`${login}@${domain}`)
      const bob = await house.subscribe()
      expect(await codeOf(create(bob, { login: 'private.one' }))).toBe('address_taken')
      expect(await codeOf(create(bob, { login: 'me', domain: 'own.example' }))).toBe('domain_unknown')
      expect(await codeOf(create(bob, { login: 'admin' }))).toBe('login_reserved')
    })

    test('needs Premium, and room', async () => {
      const ended = await house.subscribe({ paidUntil: house.time.now - 1 })
      expect(await codeOf(create(ended))).toBe('premium_required')
      const ann = await house.subscribe()
      for (let i = 0; i < PLACES; i++) await create(ann)
      expect(await codeOf(create(ann))).toBe('addresses_full')
    })

    test.each<[string, (keys: ReturnType<typeof requestOf>) => object]>([
      ['an id that is too short', ({ id }) => ({ id: id.slice(1) })],
      [
        'an id that is written in another way',
        ({ id }) => ({ id: `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'R'}` }),
      ],
      ['a key that is too long', ({ publicKey }) => ({ publicKey: `${publicKey}A` })],
      ['a key of small order', () => ({ publicKey: base64url(new Uint8Array(32)) })],
      ['no key', () => ({ publicKey: '' })],
    ])('%s is refused', async (_name, change) => {
      const request = requestOf(made().keys)
      const ann = await house.subscribe()
      expect(await codeOf(house.privateAddresses.create(ann, { ...request, ...change(request) }))).toBe(
        'address_invalid',
      )
    })

    test('takes the id of no other, whosever it is', async () => {
      const [ann, bob] = [await house.subscribe(), await house.subscribe()]
      const { keys } = await create(ann)
      for (const each of [ann, bob])
        expect(await codeOf(house.privateAddresses.create(each, requestOf(keys)))).toBe('address_taken')
      const { open: free } = await house.addresses.create({})
      expect(await codeOf(house.privateAddresses.create(bob, requestOf(free.keys)))).toBe('address_taken')
      expect(await house.kept.list(bob)).toEqual([])
    })
  })

  describe('its mail', () => {
    async function inbox(mails = 1) {
      const ann = await house.subscribe()
      const { keys, view } = await create(ann)
      const address = await open(ann, keys.id)
      for (let i = 0; i < mails; i++)
        await house.deliver([view.address], `Subject: mail ${i}\r\n\r\nYour code is 482913\r\n`)
      await house.summaries.settled()
      return { ann, keys, address, view, list: () => house.privateMessages.list(address) }
    }

    test('comes as it lies in the store, and opens with the key alone', async () => {
      const { keys, address, view, list } = await inbox()
      const [message] = (await list()).messages
      const { envelope, raw } = unpackBody(
        house.opener.open(
          keys,
          placeOf('body', keys, message!.id),
          await house.privateMessages.body(address, message!.id),
        ),
      )
      expect(envelope.recipient).toBe(view.address)
      expect(Buffer.from(raw).toString()).toContain('Your code is 482913')
    })

    test('is not read here: what is known of it is who vouches for the sender', async () => {
      const { keys, list } = await inbox()
      const [message] = (await list()).messages
      expect(message).toMatchObject({ seen: false })
      const known = JSON.parse(
        Buffer.from(house.opener.open(keys, placeOf('summary', keys, message!.id), message!.summary!)).toString(),
      )
      expect(Object.keys(known)).toEqual(['authentication'])
    })

    test('keeps the summary that the browser made, and tells the others', async () => {
      const { keys, address, list } = await inbox()
      const [{ id } = { id: '' }] = (await list()).messages
      const { revision } = (await house.store.addresses.find(address.id, house.time.now))!
      const sealed = seal(keys.publicKey, placeOf('summary', keys, id), Buffer.from('{"subject":"mail 0"}'))
      const told = new Promise<void>((resolve) => house.privateMessages.watch(address, resolve))
      await house.privateMessages.keepSummary(address, id, sealed)
      await told
      const { messages } = await house.privateMessages.changes(address, revision)
      expect(messages.map(({ message }) => base64url(message.summary!))).toEqual([base64url(sealed)])
      for (const bad of [new Uint8Array(), sealed.subarray(0, 60), Buffer.concat([Buffer.of(1), sealed.subarray(1)])])
        expect(await codeOf(house.privateMessages.keepSummary(address, id, bad))).toBe('summary_invalid')
    })

    test('is no place for other things: a summary is not much larger than what it sums up', async () => {
      const { keys, address, list } = await inbox()
      const [{ id, size } = { id: '', size: 0 }] = (await list()).messages
      const ofBytes = (bytes: number) => seal(keys.publicKey, placeOf('summary', keys, id), randomBytes(bytes))
      await house.privateMessages.keepSummary(address, id, ofBytes(4 * size))
      const kept = house.privateMessages.keepSummary(address, id, ofBytes(4 * size + 5000))
      expect(await codeOf(kept)).toBe('summary_invalid')
    })

    test('is told once, also while it has no summary', async () => {
      const { address, list } = await inbox(0)
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      await house.deliver([(await address.look())!.address])
      const first = await house.privateMessages.changes(address, address.revision)
      expect(first.messages.map(({ message }) => message.summary)).toEqual([null])
      const again = await house.privateMessages.changes(address, first.messages[0]!.revision)
      expect(again.messages).toEqual([])
      resolve()
      await house.summaries.settled()
      expect((await list()).messages.map(({ summary }) => summary)).toEqual([expect.any(Uint8Array)])
    })

    test('comes in pages, newest first', async () => {
      const { address, list } = await inbox(PAGE + 1)
      const first = await list()
      expect(first.messages).toHaveLength(PAGE)
      const second = await house.privateMessages.list(address, first.next!)
      expect([second.messages.length, second.next]).toEqual([1, null])
      const ids = [...first.messages, ...second.messages].map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted().toReversed())
    })

    test('is marked and deleted', async () => {
      const { address, list } = await inbox()
      const [{ id } = { id: '' }] = (await list()).messages
      await house.privateMessages.setSeen(address, id, true)
      expect((await list()).messages[0]?.seen).toBe(true)
      await house.privateMessages.remove(address, id)
      expect((await list()).messages).toEqual([])
      const { deleted } = await house.privateMessages.changes(address, 0)
      expect(deleted.map((each) => each.id)).toEqual([id])
      const calls = [
        house.privateMessages.body(address, id),
        house.privateMessages.setSeen(address, id, false),
        house.privateMessages.remove(address, id),
        house.privateMessages.body(address, 'nonsense'),
      ]
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'message_not_found'))
    })
  })

  describe('whose it is', () => {
    test('nobody else opens it, and nothing else opens like it', async () => {
      const [ann, bob] = [await house.subscribe(), await house.subscribe()]
      const { keys } = await create(ann)
      expect(await codeOf(open(bob, keys.id))).toBe('not_found')
      const ordinary = await house.kept.create(ann, {})
      expect(await codeOf(open(ann, ordinary.open.row.id))).toBe('not_found')
      expect(await codeOf(open(ann, made().keys.id))).toBe('not_found')
    })

    test('the owner reads on after the end, as long as the address lives: a day after each visit', async () => {
      const ann = await house.subscribe()
      const { keys, view } = await create(ann)
      await house.deliver([view.address])
      const lapsed = await house.lapse(ann)
      for (let visit = 0; visit < 3; visit++) {
        house.time.now += DAY - HOUR
        expect((await house.privateMessages.list(await open(lapsed, keys.id))).messages).toHaveLength(1)
      }
      const address = await open(lapsed, keys.id)
      house.time.now += DAY
      expect(await codeOf(open(lapsed, keys.id))).toBe('not_found')
      expect(await address.look()).toBeUndefined()
    })

    test('one that ended comes back with its keys, for its owner alone', async () => {
      const ann = await house.subscribe()
      const { keys, view } = await create(ann, { login: `back-${Date.now()}` })
      for (let i = 1; i < PLACES; i++) await create(ann)
      await house.lapse(ann)
      house.time.now += 2 * DAY
      await house.retention.sweep()
      const back = await house.comeBack(ann)
      const again = { ...requestOf(keys), login: view.address.split('@')[0] }
      expect(await codeOf(house.privateAddresses.create(await house.subscribe(), again))).toBe('address_taken')
      expect(await house.kept.find(back, keys.id)).toMatchObject({ alive: false })
      expect(await house.privateAddresses.create(back, again)).toMatchObject({
        id: keys.id,
        address: view.address,
        alive: true,
      })
      expect(await house.kept.look(back)).toHaveLength(PLACES)
    })

    test('deleted by the owner it is gone, with its mail', async () => {
      const ann = await house.subscribe()
      const { keys, view } = await create(ann)
      await house.deliver([view.address])
      const address = await open(ann, keys.id)
      await house.kept.remove(ann, keys.id)
      expect(await codeOf(open(ann, keys.id))).toBe('not_found')
      expect(await address.look()).toBeUndefined()
      expect((await house.privateMessages.list(address)).messages).toEqual([])
    })
  })
})
