import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import type { Store } from '#core/store.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, openKeptFixture, PLACES } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

/** What the store does between the two steps: the name is taken, but the address is not on the list yet. */
let fault: 'none' | 'add fails' | 'response lost' | 'stopped' = 'none'
const wrap = (store: Store): Store => {
  const fail = (): never => {
    throw new MayflyError('store_unavailable')
  }
  return {
    ...store,
    addresses: {
      ...store.addresses,
      remove: async (...args) => (fault === 'stopped' ? fail() : store.addresses.remove(...args)),
    },
    keptAddresses: {
      ...store.keptAddresses,
      async add(...args) {
        const added = (fault === 'none' || fault === 'response lost') && (await store.keptAddresses.add(...args))
        return fault === 'none' ? added : fail()
      },
    },
  }
}

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())
  beforeEach(() => {
    fault = 'none'
  })

  const newLogin = () => `velvet-${crypto.randomUUID().slice(0, 8)}`
  const privateRequest = <Request extends object>(secret: string, request: Request) => {
    const { id, publicKey } = deriveKeys(secret)!
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), ...request }
  }

  test('an address that cannot be kept is not created', async () => {
    const ann = await fixture.subscribe()
    const request = { login: newLogin(), secret: newSecret() }
    fault = 'add fails'
    expect(await codeOf(fixture.kept.create(ann, request))).toBe('store_unavailable')
    expect(await fixture.addresses.open(request.secret)).toBeUndefined()
    fault = 'none'
    expect((await fixture.kept.create(ann, request)).open.row.subscriptionId).toBe(ann.id)
  })

  test('an address that is kept while it is being deleted stays, with its messages', async () => {
    const ann = await fixture.subscribe()
    const { secret } = await fixture.addresses.create({ login: newLogin() })
    const opened = (await fixture.addresses.open(secret))!
    const kept = await fixture.kept.adopt(ann, { secret, open: opened })
    const stale = { ...opened, row: { ...opened.row, subscriptionId: null, secretId: deriveKeys(secret)!.id } }
    await fixture.addresses.remove(stale)
    expect((await fixture.addresses.open(kept.secret))?.row.id).toBe(opened.row.id)
    expect(await fixture.kept.list(ann)).toHaveLength(1)
    // The same holds for one that is on the list already, and gets a new secret.
    const renewed = await fixture.secrets.replace(kept.open)
    await fixture.addresses.remove({ ...kept.open, row: { ...kept.open.row, secretId: deriveKeys(kept.secret)!.id } })
    expect((await fixture.addresses.open(renewed.secret))?.row.id).toBe(opened.row.id)
    expect(await fixture.kept.list(ann)).toHaveLength(1)
    await fixture.addresses.remove(renewed.open)
    expect(await fixture.kept.list(ann)).toEqual([])
  })

  test('the name of an address that cannot be kept stays reserved for its earlier owner', async () => {
    const ann = await fixture.subscribe()
    const login = newLogin()
    const earlier = await fixture.addresses.create({ login })
    await fixture.addresses.remove(earlier.open)
    const again = { login, previousSecret: earlier.secret }
    fault = 'add fails'
    expect(await codeOf(fixture.kept.create(ann, again))).toBe('store_unavailable')
    fault = 'none'
    expect(await codeOf(fixture.addresses.create({ login }))).toBe('address_taken')
    expect((await fixture.kept.create(ann, again)).open.address).toBe(`${login}@mayfly.test`)
  })

  test('an address that was kept stays, even if the response of the store was lost', async () => {
    const ann = await fixture.subscribe()
    const secret = newSecret()
    const request = privateRequest(newSecret(), { login: newLogin() })
    fault = 'response lost'
    expect(await codeOf(fixture.kept.create(ann, { secret }))).toBe('store_unavailable')
    expect(await codeOf(fixture.privateAddresses.create(ann, request))).toBe('store_unavailable')
    fault = 'none'
    expect((await fixture.addresses.open(secret))?.row.subscriptionId).toBe(ann.id)
    expect(await fixture.kept.list(ann)).toMatchObject([{ alive: true }, { alive: true }])
    expect((await fixture.privateAddresses.created(ann, request))?.alive).toBe(true)
  })

  test('a fully private address that cannot be kept is not created', async () => {
    const ann = await fixture.subscribe()
    const request = privateRequest(newSecret(), { login: newLogin() })
    fault = 'add fails'
    expect(await codeOf(fixture.privateAddresses.create(ann, request))).toBe('store_unavailable')
    fault = 'none'
    expect((await fixture.privateAddresses.create(ann, request)).alive).toBe(true)
  })

  test('an address that was created before the process stopped is kept later, under its secret', async () => {
    const ann = await fixture.subscribe()
    const secret = newSecret()
    fault = 'stopped'
    expect(await codeOf(fixture.kept.create(ann, { secret }))).toBe('store_unavailable')
    fault = 'none'
    const open = (await fixture.addresses.open(secret))!
    await fixture.deliver([open.address])
    expect(await fixture.kept.keepCreated(ann, { secret, open })).toBe(true)
    expect(await fixture.kept.list(ann)).toMatchObject([{ address: open.address, unread: 1 }])
    expect((await fixture.addresses.open(secret))?.row.subscriptionId).toBe(ann.id)
    expect((await fixture.kept.open(ann, open.row.id)).secret).toBe(secret)
  })

  test('only a new address without an owner is kept later', async () => {
    const [ann, ben] = [await fixture.subscribe(), await fixture.subscribe()]
    const [short, others] = [
      await fixture.addresses.create({ lifetime: 'ten-minutes' }),
      await fixture.kept.create(ben, {}),
    ]
    expect(await fixture.kept.keepCreated(ann, short)).toBe(true)
    expect(await fixture.kept.keepCreated(ann, others)).toBe(true)
    expect(await fixture.kept.list(ann)).toEqual([])
    const lapsed = await fixture.lapse(ann)
    const free = await fixture.addresses.create({})
    expect(await fixture.kept.keepCreated(lapsed, free)).toBe(true)
    expect(await fixture.kept.list(lapsed)).toEqual([])
    for (let i = 1; i < PLACES; i++) await fixture.kept.create(ben, {})
    expect(await fixture.kept.keepCreated(ben, free)).toBe(false)
    expect((await fixture.addresses.open(free.secret))?.row.subscriptionId).toBeNull()
  })

  test('a fully private address that was created before the process stopped is kept by the same request', async () => {
    const ann = await fixture.subscribe()
    const request = privateRequest(newSecret(), { login: newLogin() })
    fault = 'stopped'
    expect(await codeOf(fixture.privateAddresses.create(ann, request))).toBe('store_unavailable')
    fault = 'none'
    await fixture.deliver([`${request.login}@mayfly.test`])
    expect(await codeOf(fixture.privateAddresses.create(ann, { ...request, login: newLogin() }))).toBe('address_taken')
    const other = privateRequest(newSecret(), {}).publicKey
    expect(await codeOf(fixture.privateAddresses.create(ann, { ...request, publicKey: other }))).toBe('address_taken')
    const view = await fixture.privateAddresses.create(ann, request)
    expect(view).toMatchObject({ address: `${request.login}@mayfly.test`, alive: true, private: true, unread: 1 })
  })

  test('a private address without a subscription is not deleted if there is no room for it', async () => {
    const ann = await fixture.subscribe()
    const request = privateRequest(newSecret(), { login: newLogin() })
    fault = 'stopped'
    await codeOf(fixture.privateAddresses.create(ann, request))
    fault = 'none'
    for (let i = 0; i < PLACES; i++) await fixture.kept.create(ann, {})
    expect(await codeOf(fixture.privateAddresses.create(ann, request))).toBe('addresses_full')
    await fixture.deliver([`${request.login}@mayfly.test`])
  })
})
