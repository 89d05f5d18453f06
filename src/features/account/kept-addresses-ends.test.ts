import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { codeOf, type KeptCases, openKeptCases } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/use-cases.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptCases
  /** Simulates another client that acts once, just before the store is called. */
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
    fixture = await openKeptCases({ engine, wrap })
  })
  afterAll(() => fixture.close())

  const create = (subscription: Subscription, request = {}) => fixture.kept.create(subscription, request)
  const list = (subscription: Subscription) => fixture.kept.list(subscription)
  const names = async (subscription: Subscription) => (await list(subscription)).map(({ address }) => address)
  const isAlive = async (secret: string) => (await fixture.addresses.open(secret)) !== undefined
  const mailTo = (address: string) => codeOf(fixture.deliver([address]))

  describe('the end of one', () => {
    test('by its owner is at once, with its mail, and nobody brings it back', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      await fixture.deliver([open.address])
      await fixture.kept.remove(ann, open.row.id)
      expect([await isAlive(secret), await names(ann)]).toEqual([false, []])
      expect(await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })).toEqual([])
      expect(await codeOf(fixture.addresses.create({ login: open.address.split('@')[0] }))).toBe('address_taken')
    })

    test('by its cookie takes it off the list', async () => {
      const ann = await fixture.subscribe()
      const { secret } = await create(ann)
      await fixture.addresses.end((await fixture.addresses.open(secret))!)
      expect(await names(ann)).toEqual([])
    })

    test('while the list is opened elsewhere leaves nothing that lives on unseen', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      before = { remove: () => list(ann) }
      await fixture.kept.remove(ann, open.row.id)
      expect([before, await isAlive(secret), await names(ann)]).toEqual([{}, false, []])
    })

    test('while it is brought back elsewhere is its end', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      await fixture.store.addresses.end(open.row.id, NEVER)
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

    test('nothing can be added, and what is there can be used', async () => {
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
    ])('renewing %s, %i ms after the end: %s', async (renews, since, code) => {
      const ann = await fixture.subscribe({ renews, paidUntil: fixture.time.now - since })
      expect(await codeOf(create(ann))).toBe(code)
    })
  })

  describe('after a lapse', () => {
    /** A lapsed subscription whose address has expired and was swept. */
    async function lapsed() {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann, { label: 'mine' })
      await fixture.deliver([open.address])
      // The sweep skips an address that is in use at the moment.
      await fixture.settled()
      const then = await fixture.lapse(ann)
      expect((await list(then))[0]).toMatchObject({ alive: true, expiresAt: fixture.time.now + DAY })
      fixture.time.now += DAY
      await fixture.retention.sweep()
      expect((await list(then))[0]).toMatchObject({ alive: false, expiresAt: null, unread: 0 })
      return { ann: then, open, secret }
    }

    test('an address that lives is as before, and its visits keep it alive as those of any other', async () => {
      const ann = await fixture.subscribe()
      const { secret } = await create(ann)
      const then = await fixture.lapse(ann)
      fixture.time.now += DAY - 1
      expect(await isAlive(secret)).toBe(true)
      fixture.time.now += DAY - 1
      expect((await list(then))[0]?.alive).toBe(true)
      fixture.time.now += 1
      expect(await isAlive(secret)).toBe(false)
    })

    test('who comes back finds it again under its secret, without its mail, when the list is opened', async () => {
      const { ann, open, secret } = await lapsed()
      const again = await fixture.comeBack(ann)
      expect((await fixture.kept.look(again))[0]?.alive).toBe(false)
      expect(await list(again)).toMatchObject([
        { id: open.row.id, label: 'mine', alive: true, expiresAt: null, unread: 0 },
      ])
      const back = (await fixture.addresses.open(secret))!
      expect(back.row).toMatchObject({ lifetime: 'subscription', subscriptionId: again.id, usedBytes: 0 })
      expect(back.address).toBe(open.address)
      expect((await fixture.messages.list(back, {})).messages).toEqual([])
      expect(await mailTo(open.address)).toBe('fine')
    })

    test('also under premium and own domains', async () => {
      const ann = await fixture.subscribe()
      fixture.owners.set('back.example', ann)
      await create(ann, { login: 'me', domain: 'back.example' })
      await create(ann, { domain: 'vip.mayfly.test' })
      const then = await fixture.lapse(ann)
      fixture.time.now += DAY
      await fixture.retention.sweep()
      const again = await fixture.comeBack(then)
      expect((await list(again)).map(({ alive }) => alive)).toEqual([true, true])
      for (const address of await names(again)) expect(await mailTo(address)).toBe('fine')
    })

    test('many who open the list at once bring it back once', async () => {
      const { ann, open } = await lapsed()
      const again = await fixture.comeBack(ann)
      const lists = await Promise.all(Array.from({ length: 10 }, () => list(again)))
      expect(lists.map((each) => each.length)).toEqual(lists.map(() => 1))
      expect(await mailTo(open.address)).toBe('fine')
      expect(await list(again)).toMatchObject([{ alive: true, unread: 1 }])
    })

    test('not before it is paid for, nor while the free rules still apply', async () => {
      const { ann } = await lapsed()
      expect((await list(ann))[0]?.alive).toBe(false)
      expect((await list({ ...ann, paidUntil: fixture.time.now + DAY }))[0]?.alive).toBe(false)
    })

    test('a name is held for its holder for 30 days; who has taken it then keeps it, and the place is not lost', async () => {
      const { ann, open } = await lapsed()
      const login = open.address.split('@')[0]
      fixture.time.now += 30 * DAY - 1
      expect(await codeOf(fixture.addresses.create({ login }))).toBe('address_taken')
      fixture.time.now += 1
      const stranger = await fixture.addresses.create({ login })
      const again = await fixture.comeBack(ann)
      expect((await list(again))[0]).toMatchObject({ alive: false, label: 'mine' })
      expect(await isAlive(stranger.secret)).toBe(true)
      expect(await codeOf(fixture.kept.open(again, open.row.id))).toBe('address_invalid')
      await fixture.kept.remove(again, open.row.id)
      expect(await isAlive(stranger.secret)).toBe(true)
      expect(await names(again)).toEqual([])
    })
  })
})
