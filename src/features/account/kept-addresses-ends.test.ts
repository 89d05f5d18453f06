import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, openKeptFixture } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import type { SignedIn } from './sign-in.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  /** Concurrent calls, made once just before the store is called. */
  let before: Partial<Record<'claim' | 'remove', () => Promise<unknown>>> = {}
  const meanwhile = async (call: keyof typeof before): Promise<void> => {
    const act = before[call]
    before = {}
    await act?.()
  }
  const wrap = (store: Store): Store => ({
    ...store,
    addresses: {
      ...store.addresses,
      claim: (...args) => meanwhile('claim').then(() => store.addresses.claim(...args)),
    },
    keptAddresses: {
      ...store.keptAddresses,
      remove: (...args) => meanwhile('remove').then(() => store.keptAddresses.remove(...args)),
    },
  })
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())

  const create = (subscription: Subscription, request = {}) => fixture.kept.create(subscription, request)
  const list = (subscription: Subscription) => fixture.kept.listAndRestore(subscription)
  const names = async (subscription: Subscription) => (await list(subscription)).map(({ address }) => address)
  const isAlive = async (secret: string) => (await fixture.addresses.open(secret)) !== undefined
  const mailTo = (address: string) => codeOf(fixture.deliver([address]))

  describe('deleting an address', () => {
    test('by its owner removes it at once with its messages, and nobody can take the name', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      await fixture.deliver([open.address])
      await fixture.kept.remove(ann, open.row.id)
      expect([await isAlive(secret), await names(ann)]).toEqual([false, []])
      expect(await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })).toEqual([])
      expect(await codeOf(fixture.addresses.create({ login: open.address.split('@')[0] }))).toBe('address_taken')
    })

    test('by its secret removes it from the list', async () => {
      const ann = await fixture.subscribe()
      const { secret } = await create(ann)
      await fixture.addresses.remove((await fixture.addresses.open(secret))!)
      expect(await names(ann)).toEqual([])
    })

    test('while another device opens the list leaves no address', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      before = { remove: () => list(ann) }
      await fixture.kept.remove(ann, open.row.id)
      expect([before, await isAlive(secret), await names(ann)]).toEqual([{}, false, []])
    })

    test('while another device restores it deletes it', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      await fixture.store.addresses.remove(open.row.id, NEVER)
      before = { claim: () => fixture.kept.remove(ann, open.row.id) }
      expect(await list(ann)).toEqual([])
      expect([before, await isAlive(secret)]).toEqual([{}, false])
    })
  })

  describe('without the benefits', () => {
    const ended = async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      return { ann: { ...ann, paidUntil: fixture.time.now }, open, secret }
    }

    test('rejects new addresses, and keeps the existing ones usable', async () => {
      const { ann, open } = await ended()
      const { id } = open.row
      const free = await fixture.addresses.create({})
      expect(await codeOf(create(ann))).toBe('premium_required')
      expect(await codeOf(fixture.kept.adopt(ann, free))).toBe('premium_required')
      expect(await names(ann)).toEqual([open.address])
      await fixture.kept.rename(ann, id, 'old')
      expect((await fixture.kept.find(ann, id)).label).toBe('old')
      expect((await fixture.kept.open(ann, id)).open.row.id).toBe(id)
      await fixture.kept.remove(ann, id)
      expect(await names(ann)).toEqual([])
    })

    test.each([
      [true, 7 * DAY - 1, 'fine'],
      [true, 7 * DAY, 'premium_required'],
      [false, -1, 'fine'],
      [false, 0, 'premium_required'],
    ])('with renewal %s and %i ms after the end, creating an address: %s', async (renews, since, code) => {
      const ann = await fixture.subscribe({ renews, paidUntil: fixture.time.now - since })
      expect(await codeOf(create(ann))).toBe(code)
    })
  })

  describe('after a lapse', () => {
    /** A lapsed subscription whose address has expired and was removed. */
    async function lapsed() {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann, { label: 'mine' })
      await fixture.deliver([open.address])
      // A sweep skips an address that is in use.
      await fixture.settled()
      const lapsedSubscription = await fixture.lapse(ann)
      expect((await list(lapsedSubscription))[0]).toMatchObject({ alive: true, expiresAt: fixture.time.now + DAY })
      fixture.time.now += DAY
      await fixture.sweep.run()
      expect((await list(lapsedSubscription))[0]).toMatchObject({ alive: false, expiresAt: null, unread: 0 })
      return { ann: lapsedSubscription, open, secret }
    }

    test('extends an address with each visit, like a free one', async () => {
      const ann = await fixture.subscribe()
      const { secret } = await create(ann)
      const lapsedSubscription = await fixture.lapse(ann)
      fixture.time.now += DAY - 1
      expect(await isAlive(secret)).toBe(true)
      fixture.time.now += DAY - 1
      expect((await list(lapsedSubscription))[0]?.alive).toBe(true)
      fixture.time.now += 1
      expect(await isAlive(secret)).toBe(false)
    })

    test('is not extended by a pass whose request is no visit', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      const signedIn = { sessionId: 'here', subscription: await fixture.lapse(ann) } as SignedIn
      const pass = fixture.kept.passFor(signedIn, open.row.id)
      fixture.time.now += DAY - 1
      expect((await fixture.kept.openPass(signedIn, pass, false))?.secret).toBe(secret)
      fixture.time.now += 1
      expect(await isAlive(secret)).toBe(false)
    })

    test('restores an expired address under its secret, without its messages, when the list is opened', async () => {
      const { ann, open, secret } = await lapsed()
      const resumed = await fixture.comeBack(ann)
      expect((await fixture.kept.list(resumed))[0]?.alive).toBe(false)
      expect(await list(resumed)).toMatchObject([
        { id: open.row.id, label: 'mine', alive: true, expiresAt: null, unread: 0 },
      ])
      const back = (await fixture.addresses.open(secret))!
      expect(back.row).toMatchObject({ lifetime: 'subscription', subscriptionId: resumed.id, usedBytes: 0 })
      expect(back.address).toBe(open.address)
      expect((await fixture.messages.list(back, {})).messages).toEqual([])
      expect(await mailTo(open.address)).toBe('fine')
    })

    test('restores addresses under premium and own domains', async () => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, 'back.example')
      await create(ann, { login: 'me', domain: 'back.example' })
      await create(ann, { domain: 'vip.mayfly.test' })
      const lapsedSubscription = await fixture.lapse(ann)
      fixture.time.now += DAY
      await fixture.sweep.run()
      const resumed = await fixture.comeBack(lapsedSubscription)
      expect((await list(resumed)).map(({ alive }) => alive)).toEqual([true, true])
      for (const address of await names(resumed)) expect(await mailTo(address)).toBe('fine')
    })

    test('restores an address once if the list is opened many times at once', async () => {
      const { ann, open } = await lapsed()
      const resumed = await fixture.comeBack(ann)
      const lists = await Promise.all(Array.from({ length: 10 }, () => list(resumed)))
      expect(lists.map((each) => each.length)).toEqual(lists.map(() => 1))
      expect(await mailTo(open.address)).toBe('fine')
      expect(await list(resumed)).toMatchObject([{ alive: true, unread: 1 }])
    })

    test('restores nothing before a payment, or while the free rules still apply', async () => {
      const { ann } = await lapsed()
      expect((await list(ann))[0]?.alive).toBe(false)
      expect((await list({ ...ann, paidUntil: fixture.time.now + DAY }))[0]?.alive).toBe(false)
    })

    test('keeps the name in quarantine for 30 days; a new owner keeps it, and the list keeps the entry', async () => {
      const { ann, open } = await lapsed()
      const login = open.address.split('@')[0]
      fixture.time.now += 30 * DAY - 1
      expect(await codeOf(fixture.addresses.create({ login }))).toBe('address_taken')
      fixture.time.now += 1
      const stranger = await fixture.addresses.create({ login })
      const resumed = await fixture.comeBack(ann)
      expect((await list(resumed))[0]).toMatchObject({ alive: false, label: 'mine' })
      expect(await isAlive(stranger.secret)).toBe(true)
      expect(await codeOf(fixture.kept.open(resumed, open.row.id))).toBe('address_invalid')
      await fixture.kept.remove(resumed, open.row.id)
      expect(await isAlive(stranger.secret)).toBe(true)
      expect(await names(resumed)).toEqual([])
    })
  })
})
