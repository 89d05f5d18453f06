import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptRow } from '#core/account/kept-address.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import { DAY } from '#core/time.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, LABEL, openKeptFixture, PLACES } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine })
  })
  afterAll(() => fixture.close())

  const create = (subscription: Subscription, request = {}) => fixture.kept.create(subscription, request)
  const list = (subscription: Subscription) => fixture.kept.listAndRestore(subscription)
  const names = async (subscription: Subscription) => (await list(subscription)).map(({ address }) => address)
  const isAlive = async (secret: string) => (await fixture.addresses.open(secret)) !== undefined
  const mailTo = (address: string) => codeOf(fixture.deliver([address]))
  const newLogin = () => `velvet-${crypto.randomUUID().slice(0, 8)}`

  describe('a new address', () => {
    test('lasts as long as the subscription, and opens with the same secret on every device', async () => {
      const ann = await fixture.subscribe()
      const { secret, open } = await create(ann, { label: 'Shops' })
      expect(open.row).toMatchObject({ lifetime: 'subscription', expiresAt: NEVER, subscriptionId: ann.id })
      await fixture.deliver([open.address])
      const [only, ...none] = await list(ann)
      const size = (await fixture.addresses.open(secret))!.row.usedBytes
      expect(only).toEqual({
        id: open.row.id,
        address: open.address,
        label: 'Shops',
        private: false,
        unread: 1,
        usedBytes: size,
        createdAt: fixture.time.now,
        expiresAt: null,
        alive: true,
      })
      expect(none).toEqual([])
      const elsewhere = await fixture.kept.open(ann, only!.id)
      expect(elsewhere.secret).toBe(secret)
      expect((await fixture.messages.list(elsewhere.open, {})).messages).toHaveLength(1)
      fixture.time.now += 400 * DAY
      expect(await isAlive(secret)).toBe(true)
    })

    test.each([
      ['a free domain', 'mayfly.test'],
      ['a premium domain', 'VIP.mayfly.test '],
    ])('can be under %s, with a chosen or a random login', async (_what, domain) => {
      const ann = await fixture.subscribe()
      const login = newLogin()
      const name = domain.trim().toLowerCase()
      expect((await create(ann, { login, domain })).open.address).toBe(`${login}@${name}`)
      expect((await create(ann, { domain })).open.address).toMatch(new RegExp(`^[a-z]+\\.[a-z.]+\\d+@${name}$`))
      expect(await codeOf(create(ann, { login, domain }))).toBe('address_taken')
      expect(await codeOf(create(ann, { login: 'admin', domain }))).toBe('login_reserved')
      expect(await codeOf(create(ann, { login: 'x', domain }))).toBe('login_invalid')
      for (const address of await names(ann)) expect(await mailTo(address)).toBe('fine')
    })

    test('is under the first free domain by default', async () =>
      expect((await create(await fixture.subscribe())).open.address).toMatch(/@mayfly\.test$/))

    test('cannot be under an unknown domain or the domain of another subscriber', async () => {
      const [ann, ben] = [await fixture.subscribe(), await fixture.subscribe()]
      await fixture.own(ben, 'bens.example')
      expect(await codeOf(create(ann, { domain: 'bens.example' }))).toBe('domain_unknown')
      expect(await codeOf(create(ann, { domain: 'nobodys.example' }))).toBe('domain_unknown')
    })

    test('can have a name in quarantine with the secret that it had', async () => {
      const login = newLogin()
      const before = await fixture.addresses.create({ login })
      await fixture.addresses.remove(before.open)
      const ann = await fixture.subscribe()
      expect(await codeOf(create(ann, { login }))).toBe('address_taken')
      expect(await codeOf(create(ann, { login, previousSecret: before.secret }))).toBe('fine')
    })
  })

  describe('under an own domain', () => {
    test.each(['admin', 'info', 'x', 'support', 'no.reply', 'a'.repeat(64)])('accepts the login %s', async (login) => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, 'anns.example')
      await create(ann, { login, domain: 'ANNS.example' })
      expect(await names(ann)).toEqual([`${login}@anns.example`])
      expect(await mailTo(`${login.toUpperCase()}+tag@Anns.Example.`)).toBe('fine')
      expect((await list(ann))[0]?.unread).toBe(1)
    })

    test.each([
      ['postmaster', 'login_reserved'],
      [' Abuse', 'login_reserved'],
      ['', 'login_invalid'],
      ['a'.repeat(65), 'login_invalid'],
      ['a..b', 'login_invalid'],
      ['a+b', 'login_invalid'],
    ])('rejects the login %j with %s', async (login, code) => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, 'anns.example')
      expect(await codeOf(create(ann, { login, domain: 'anns.example' }))).toBe(code)
    })

    test.each(['list', 'inbox'])('a name can be used again after its address was deleted in the %s', async (by) => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, `${by}.example`)
      for (let i = 0; i < 2; i++) {
        const { open } = await create(ann, { login: 'me', domain: `${by}.example` })
        await (by === 'list' ? fixture.kept.remove(ann, open.row.id) : fixture.addresses.remove(open))
        expect(await names(ann)).toEqual([])
      }
      const { open } = await create(ann, { login: `mine.${by}` })
      await (by === 'list' ? fixture.kept.remove(ann, open.row.id) : fixture.addresses.remove(open))
      expect(await codeOf(create(ann, { login: `mine.${by}` }))).toBe('address_taken')
    })

    test('gives nothing to the next owner of the domain', async () => {
      const [ann, ben] = [await fixture.subscribe(), await fixture.subscribe()]
      await fixture.own(ann, 'moved.example')
      const first = await create(ann, { login: 'me', domain: 'moved.example' })
      await fixture.own(ben, 'moved.example')
      expect(await mailTo('me@moved.example')).toBe('recipient_unknown')
      const second = await create(ben, { login: 'me', domain: 'moved.example' })
      expect(await mailTo('me@moved.example')).toBe('fine')
      expect((await fixture.messages.list(first.open, {})).messages).toEqual([])
      expect((await fixture.messages.list(second.open, {})).messages).toHaveLength(1)
    })
  })

  describe('the limit', () => {
    test(`allows ${PLACES} addresses, and another one after a deletion`, async () => {
      const ann = await fixture.subscribe()
      for (let i = 0; i < PLACES; i++) await create(ann)
      const login = newLogin()
      expect(await codeOf(create(ann, { login }))).toBe('addresses_full')
      const { open, secret } = await fixture.addresses.create({})
      expect(await codeOf(fixture.kept.adopt(ann, { open, secret }))).toBe('addresses_full')
      expect((await fixture.addresses.open(secret))?.row.lifetime).toBe('day')
      await fixture.kept.remove(ann, (await list(ann))[0]!.id)
      // The rejected request did not take the name.
      expect((await create(ann, { login })).open.address).toBe(`${login}@mayfly.test`)
    })

    test('also holds for concurrent requests', async () => {
      const ann = await fixture.subscribe()
      const logins = Array.from({ length: 4 * PLACES }, newLogin)
      const answers = await Promise.all(logins.map((login) => codeOf(create(ann, { login }))))
      expect(answers.filter((each) => each === 'fine')).toHaveLength(PLACES)
      expect(answers.filter((each) => each === 'addresses_full')).toHaveLength(3 * PLACES)
      expect(await names(ann)).toHaveLength(PLACES)
      const refused = logins.find((_, i) => answers[i] !== 'fine')
      expect(await mailTo(`${refused}@mayfly.test`)).toBe('recipient_unknown')
      expect(await codeOf(fixture.addresses.create({ login: refused }))).toBe('fine')
    })
  })

  describe('keeping an existing address', () => {
    test('keeps its messages, replaces its secret and removes its expiry', async () => {
      const ann = await fixture.subscribe()
      for (const lifetime of ['day', 'ten-minutes'] as const) {
        const address = await fixture.addresses.create({ lifetime })
        await fixture.deliver([address.open.address])
        const { secret } = await fixture.kept.adopt(ann, address, lifetime.slice(0, 3))
        expect((await list(ann)).at(-1)).toMatchObject({ label: lifetime.slice(0, 3), unread: 1 })
        fixture.time.now += 3 * DAY
        const { open } = await fixture.kept.open(ann, address.open.row.id)
        expect(open.row).toMatchObject({ lifetime: 'subscription', subscriptionId: ann.id })
        expect([await isAlive(secret), await isAlive(address.secret)]).toEqual([true, false])
      }
      expect((await list(ann)).map(({ unread }) => unread)).toEqual([0, 0])
    })

    test('changes nothing the second time, and rejects addresses of others and of the operator', async () => {
      const [ann, ben] = [await fixture.subscribe(), await fixture.subscribe()]
      const address = await fixture.kept.adopt(ann, await fixture.addresses.create({}))
      expect(await codeOf(fixture.kept.adopt(ann, address))).toBe('fine')
      expect(await names(ann)).toHaveLength(1)
      expect(await codeOf(fixture.kept.adopt(ben, address))).toBe('address_taken')
      const open = (await fixture.addresses.open(fixture.operatorSecret))!
      expect(await codeOf(fixture.kept.adopt(ben, { secret: fixture.operatorSecret, open }))).toBe('address_taken')
      expect(await names(ben)).toEqual([])
    })
  })

  describe('the label', () => {
    test.each([
      ['x'.repeat(LABEL - 1), 'x'.repeat(LABEL - 1)],
      ['x'.repeat(LABEL), 'x'.repeat(LABEL)],
      [`  ${'字'.repeat(LABEL)}  `, '字'.repeat(LABEL)],
      ['a\u202Eb\n\u0000c', 'a b c'],
      ['  ', null],
      ['', null],
      [null, null],
    ])('%j is stored as %j', async (label, shown) => {
      const ann = await fixture.subscribe()
      const { open } = await create(ann, { label: 'before' })
      await fixture.kept.rename(ann, open.row.id, label)
      expect((await list(ann))[0]?.label).toBe(shown)
    })

    test('is rejected if it is too long', async () => {
      const ann = await fixture.subscribe()
      const label = 'x'.repeat(LABEL + 1)
      expect(await codeOf(create(ann, { label }))).toBe('label_invalid')
      expect(await names(ann)).toEqual([])
      const { open } = await create(ann)
      expect(await codeOf(fixture.kept.rename(ann, open.row.id, label))).toBe('label_invalid')
      const free = await fixture.addresses.create({})
      expect(await codeOf(fixture.kept.adopt(ann, free, label))).toBe('label_invalid')
    })
  })

  test('throws not_found for unknown addresses and those of another subscriber', async () => {
    const [ann, ben] = [await fixture.subscribe(), await fixture.subscribe()]
    const { open, secret } = await create(ann)
    for (const id of [open.row.id, 'nothing']) {
      expect(await codeOf(fixture.kept.open(ben, id))).toBe('not_found')
      expect(await codeOf(fixture.kept.remove(ben, id))).toBe('not_found')
      expect(await codeOf(fixture.kept.rename(ben, id, 'x'))).toBe('not_found')
      expect(await codeOf(fixture.kept.find(ben, id))).toBe('not_found')
    }
    expect(await isAlive(secret)).toBe(true)
  })

  describe('a fully private address', () => {
    test('is listed, but neither opened nor restored', async () => {
      const ann = await fixture.subscribe()
      const { open, secret } = await create(ann)
      const { address, row } = open
      await fixture.kept.remove(ann, row.id)
      const keys = deriveKeys(secret)!
      const claim = { ...row, id: keys.id, nameKey: `${row.nameKey}x`, private: true, heldUntil: NEVER }
      await fixture.store.addresses.claim(claim, fixture.time.now)
      const key = { addressId: keys.id, subscriptionId: ann.id }
      const kept = { ...key, nameKey: claim.nameKey, sealedName: fixture.wrap.wrap('address', address, keptRow(key)) }
      const added = { ...kept, sealedLabel: null, sealedSecret: null, createdAt: fixture.time.now }
      await fixture.store.keptAddresses.add(added, PLACES, fixture.time.now)
      expect(await list(ann)).toMatchObject([{ address, private: true, alive: true }])
      expect(await codeOf(fixture.kept.open(ann, keys.id))).toBe('address_invalid')
      expect(await isAlive(secret)).toBe(false)
      await fixture.store.addresses.remove(keys.id, NEVER)
      expect(await list(ann)).toMatchObject([{ private: true, alive: false }])
    })
  })

  describe('a watcher', () => {
    test('is notified of new messages and of changes of the list', async () => {
      const ann = await fixture.subscribe()
      const { open } = await create(ann)
      const { id } = open.row
      const expectNotified = async (change: () => Promise<unknown>): Promise<void> => {
        const notified = Promise.withResolvers<void>()
        const stop = fixture.kept.watch(ann, [id], notified.resolve)
        await change()
        await notified.promise
        stop()
      }
      await expectNotified(() => fixture.deliver([open.address]))
      await expectNotified(() => fixture.kept.rename(ann, id, 'x'))
      await expectNotified(() => create(ann))
      await expectNotified(async () => fixture.kept.adopt(ann, await fixture.addresses.create({})))
      await expectNotified(() => fixture.kept.remove(ann, id))
    })
  })
})
