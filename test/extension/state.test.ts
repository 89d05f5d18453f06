import { beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmConnection } from '../../packages/extension/src/background/connect.ts'
import { accept, makeOffer, offerTabOf, openLink } from '../../packages/extension/src/background/offers.ts'
import { lookOnce } from '../../packages/extension/src/background/watch.ts'
import { collect } from '../../packages/extension/src/page/account.ts'
import { checkKey, disconnect, forgetEverything } from '../../packages/extension/src/state/account.ts'
import { createAddress, provideAddress, provideFirst } from '../../packages/extension/src/state/addresses.ts'
import { fillPage } from '../../packages/extension/src/state/fill-page.ts'
import { forgetTabs, mayFillCode, recordFill } from '../../packages/extension/src/state/fills.ts'
import { guardState, type Held, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'

const SERVICE = 'https://mail.example'
const OTHER = 'https://other.example'
const SHOP = 'https://shop.example'
const ADDRESS = 'me@mail.example'

/** The frames of the tabs, by the number of the tab. Others are closed. */
const { fake, frames } = vi.hoisted(() => {
  const stores = { local: {} as Record<string, unknown>, session: {} as Record<string, unknown> }
  const area = (name: 'local' | 'session') => ({
    get: (key: string) => Promise.resolve(structuredClone({ [key]: stores[name][key] })),
    set: (items: object) => Promise.resolve(void Object.assign(stores[name], structuredClone(items))),
    remove: (key: string) => Promise.resolve(void delete stores[name][key]),
    clear: () => Promise.resolve(void (stores[name] = {})),
    setAccessLevel: vi.fn(() => Promise.resolve()),
  })
  const shown: Record<number, { frameId: number; origin: string; want: number }[]> = {}
  const nothing = vi.fn(() => Promise.resolve())
  return {
    frames: shown,
    fake: {
      stores,
      permissions: { remove: vi.fn(() => Promise.resolve()) },
      storage: { local: area('local'), session: area('session') },
      runtime: { getURL: (path: string) => `chrome-extension://mayfly${path}` },
      action: { setBadgeText: nothing, setBadgeBackgroundColor: nothing },
      notifications: { create: vi.fn(() => Promise.resolve()), clear: nothing },
      i18n: { getUILanguage: () => 'en' },
      tabs: {
        update: vi.fn((tabId: number) => (shown[tabId] ? Promise.resolve({}) : Promise.reject(new Error('No tab')))),
        create: vi.fn(() => Promise.resolve({})),
      },
      scripting: {
        executeScript: vi.fn(
          async ({ target, args }: { target: { tabId: number; frameIds?: number[] }; args?: unknown[] }) => {
            const found = shown[target.tabId]
            if (!found) throw new Error('No access')
            if (args) return [{ frameId: target.frameIds?.[0], result: true }]
            return found.map(({ frameId, ...result }) => ({ frameId, result }))
          },
        ),
      },
    },
  }
})
vi.mock('../../packages/extension/src/browser.ts', () => ({ browser: fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

/** What the service responds with, by path. */
let answers: Record<string, () => unknown>
/** The calls with an API key, and whether the service refuses them. */
let keyed: string[]
let revoked: boolean
beforeEach(() => {
  keyed = []
  revoked = false
  fake.stores.local = {}
  fake.stores.session = {}
  for (const tab of Object.keys(frames)) delete frames[Number(tab)]
  vi.clearAllMocks()
  answers = { '/service.json': () => ({ url: SERVICE }), '/messages/en.json': () => ({}) }
  vi.stubGlobal('fetch', async (url: string | URL, { method = 'GET', headers }: RequestInit = {}) => {
    const { pathname } = new URL(url)
    const key = new Headers(headers).get('x-api-key')
    if (key !== null) keyed.push(`${method} ${pathname} ${key}`)
    if (key !== null && revoked) return Response.json({ code: 'key_invalid' }, { status: 401 })
    return Response.json((await answers[pathname]?.()) ?? {})
  })
})

const held = (fields: Partial<Held> = {}): Held => ({
  service: SERVICE,
  address: ADDRESS,
  secret: 'secret',
  createdAt: 1,
  site: null,
  label: null,
  ...fields,
})
const mail = (fields: object = {}) =>
  ({
    id: '1',
    from: { name: '', address: 'noreply@sender.example' },
    subject: 'Your code',
    code: '604218',
    link: null,
    receivedAt: new Date().toISOString(),
    ...fields,
  }) as never
const fileOf = (...addresses: object[]): string => JSON.stringify({ format: 'mayfly-addresses', version: 1, addresses })

describe('addresses', () => {
  test('of two services may have the same name', async () => {
    expect(await importList(fileOf(held(), held({ service: OTHER, secret: 'theirs' })))).toBe(2)
    answers['/api/v1/addresses'] = () => ({ address: ADDRESS, secret: 'new' })
    await createAddress()
    expect((await readState()).held.map(({ service, secret }) => [service, secret])).toEqual([
      [OTHER, 'theirs'],
      [SERVICE, 'new'],
    ])
  })

  test('of a file have sites and services that the pages can show', async () => {
    await importList(
      fileOf(held({ site: 'nonsense' }), held({ address: 'a' }), held({ address: 'b@c.d', service: `${SERVICE}/x/` })),
    )
    expect((await readState()).held).toMatchObject([
      { address: ADDRESS, site: null },
      { address: 'b@c.d', service: SERVICE },
    ])
  })

  test('that the account keeps stay those of their sites', async () => {
    await importList(fileOf(held({ site: SHOP })))
    fake.stores.session = { connecting: Date.now() }
    const kept = [{ address: ADDRESS, secret: 'replaced', label: '' }]
    const request = { type: 'connect', email: 'e@f.g', token: 'mfk_x', kept, domains: [] } as const
    expect(await confirmConnection({ ...request, domains: [] }, SERVICE)).toBe(true)
    expect((await readState()).held).toMatchObject([{ address: ADDRESS, secret: 'replaced', site: SHOP }])
  })

  test('are created once if there is none', async () => {
    const created = vi.fn(() => ({ address: ADDRESS, secret: 'new' }))
    answers['/api/v1/addresses'] = created
    await Promise.all([provideFirst(), provideFirst()])
    expect(created).toHaveBeenCalledTimes(1)
  })

  test('that were forgotten leave nothing behind', async () => {
    await importList(fileOf(held()))
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    answers['/api/v1/messages'] = async () => {
      await forgetEverything()
      return { messages: [{ id: '1', receivedAt: new Date().toISOString(), code: null, link: null }] }
    }
    await lookOnce()
    expect(JSON.stringify(fake.stores)).not.toContain(ADDRESS)
  })

  test('are kept away from the scripts in pages', async () => {
    await guardState()
    expect(fake.storage.local.setAccessLevel).toHaveBeenCalledWith({ accessLevel: 'TRUSTED_CONTEXTS' })
  })
})

describe('connecting', () => {
  test('waits where the service demands it, and makes a key when all else is there', async () => {
    const calls: string[] = []
    const addresses = [1, 2, 3].map((id) => ({ id, address: `${id}@a.b`, label: null, private: id === 2, alive: true }))
    let limited = true
    vi.stubGlobal('fetch', async (path: string) => {
      calls.push(path.replace('/api/v1/account', ''))
      limited = !limited
      if (limited) return new Response('', { status: 429, headers: { 'retry-after': '0' } })
      return Response.json({ addresses, domains: [], token: 'mfk_x', secret: 'secret' })
    })
    expect(await collect('e@f.g', true)).toMatchObject({
      token: 'mfk_x',
      kept: [{ address: '1@a.b' }, { address: '3@a.b' }],
    })
    expect([...new Set(calls)]).toEqual([
      '/addresses',
      '/addresses/1/reveal',
      '/addresses/3/reveal',
      '/domains',
      '/keys',
    ])
  })
})

describe('a connection', () => {
  const ofSite = held({ address: 'shop@mail.example', site: SHOP })

  async function connected() {
    await importList(fileOf(ofSite))
    fake.stores.session = { connecting: Date.now() }
    const kept = [{ address: ADDRESS, secret: 'kept', label: '' }]
    const request = { type: 'connect', email: 'e@f.g', token: 'mfk_x', kept, domains: [] } as const
    await confirmConnection({ ...request, kept, domains: [] }, SERVICE)
    await recordFill({ address: ADDRESS, origin: OTHER, tabId: 1 })
  }
  const isForgotten = async () => {
    const state = await readState()
    expect(state).toMatchObject({ account: null, held: [ofSite], fills: [] })
    expect(JSON.stringify(state)).not.toMatch(/mfk_x|"kept"/)
  }

  test('ends on both sides', async () => {
    await connected()
    await disconnect()
    expect(keyed).toEqual(['DELETE /api/v1/key mfk_x'])
    await isForgotten()
  })

  test('stays if the service cannot be reached, so that no key is left behind', async () => {
    await connected()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    await expect(disconnect()).rejects.toThrow('offline')
    await expect(checkKey()).rejects.toThrow('offline')
    expect((await readState()).account).toMatchObject({ token: 'mfk_x' })
  })

  test('is forgotten with the kept addresses after the key was revoked in the account', async () => {
    await connected()
    await checkKey()
    expect((await readState()).account).not.toBeNull()
    revoked = true
    await checkKey()
    await isForgotten()
  })

  test('of a revoked key leaves the address of a free visitor', async () => {
    await connected()
    revoked = true
    answers['/api/v1/addresses'] = () => ({ address: 'free@mail.example', secret: 'free' })
    expect(await provideAddress(OTHER)).toMatchObject({ address: 'free@mail.example', site: null })
    expect((await readState()).account).toBeNull()
  })

  test('is revoked when everything is forgotten, and when another takes its place', async () => {
    await connected()
    fake.stores.session = { connecting: Date.now() }
    await confirmConnection({ type: 'connect', email: 'e@f.g', token: 'mfk_y', kept: [], domains: [] }, SERVICE)
    await expect.poll(() => keyed).toEqual(['DELETE /api/v1/key mfk_x'])
    await forgetEverything()
    expect(keyed.at(-1)).toBe('DELETE /api/v1/key mfk_y')
    expect(fake.stores.local).toEqual({})
  })
})

describe('a code for an address that several sites have', () => {
  const fill = (origin: string, tabId: number) => recordFill({ address: ADDRESS, origin, tabId })
  const offered = () => (fake.notifications.create.mock.calls as unknown[][]).map(([id]) => String(id))
  const mayFill = async (message: never, origin: string) => mayFillCode(await readState(), ADDRESS, message, origin)

  test.each([
    ['the sender', { from: { name: '', address: 'noreply@mail.shop.co.uk' } }],
    ['the link', { link: 'https://www.shop.example/confirm' }],
    ['the name of the sender', { from: { name: 'Shop', address: 'bounce@sender.example' } }],
    ['the subject', { subject: 'Shop: 604218 is your code' }],
  ])('goes to the one that %s names, not to the last', async (_, fields) => {
    await fill(SHOP, 1)
    await fill(OTHER, 2)
    await makeOffer(mail(fields), ADDRESS)
    expect(offered()).toEqual(['offer 1'])
    expect(await mayFill(mail(fields), SHOP)).toBe(true)
    expect(await mayFill(mail(fields), OTHER)).toBe(false)
  })

  test('goes to none without a click if it may be for each of them', async () => {
    await fill(SHOP, 1)
    await fill(OTHER, 2)
    await makeOffer(mail(), ADDRESS)
    expect(offered()).toEqual(['message 1'])
    expect(offerTabOf('message 1')).toBeUndefined()
    expect([await mayFill(mail(), SHOP), await mayFill(mail(), OTHER)]).toEqual([true, true])
    expect(await mayFill(mail(), 'https://third.example')).toBe(false)
  })

  test('goes to the only one that waits, unless it is from one that got the address earlier', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await fill(SHOP, 1)
    vi.setSystemTime(Date.now() + 26 * 3_600_000)
    await fill(OTHER, 2)
    const ofShop = mail({ from: { name: '', address: 'noreply@shop.example' } })
    await makeOffer(ofShop, ADDRESS)
    expect(offered()).toEqual([])
    expect(await mayFill(ofShop, OTHER)).toBe(false)
    await makeOffer(mail(), ADDRESS)
    expect(offered()).toEqual(['offer 2'])
    vi.useRealTimers()
  })
})

describe('tabs', () => {
  const LINK = `${SHOP}/confirm?x=1`

  test('that show another site by now stay as they are', async () => {
    frames[1] = [{ frameId: 0, origin: SHOP, want: 0 }]
    frames[2] = [{ frameId: 0, origin: OTHER, want: 0 }]
    await openLink(LINK, { tabId: 1, origin: SHOP })
    expect(fake.tabs.update).toHaveBeenCalledWith(1, { url: LINK, active: true })
    await openLink(LINK, { tabId: 2, origin: SHOP })
    await openLink(LINK, { tabId: 3, origin: SHOP })
    await openLink(LINK)
    expect(fake.tabs.update).toHaveBeenCalledTimes(1)
    expect(fake.tabs.create).toHaveBeenCalledTimes(3)
  })

  test('have other numbers after a start of the browser', async () => {
    await importList(fileOf(held()))
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    await forgetTabs()
    frames[1] = [{ frameId: 0, origin: SHOP, want: 0 }]
    await makeOffer(mail({ code: null, link: LINK }), ADDRESS)
    const tabId = offerTabOf(String((fake.notifications.create.mock.calls as unknown[][])[0]?.[0]))
    await accept(tabId!)
    expect(fake.tabs.update).not.toHaveBeenCalled()
    expect(fake.tabs.create).toHaveBeenCalledWith({ url: LINK })
  })

  test('get an address in the page itself, unless a frame has the focus', async () => {
    answers['/api/v1/addresses'] = () => ({ address: ADDRESS, secret: 'new' })
    answers['/api/v1/address'] = () => ({ address: ADDRESS })
    frames[1] = [
      { frameId: 0, origin: SHOP, want: 2 },
      { frameId: 7, origin: OTHER, want: 4 },
    ]
    await fillPage(1)
    frames[2] = [frames[1][0]!, { frameId: 7, origin: OTHER, want: 14 }]
    await fillPage(2)
    expect((await readState()).fills.map(({ origin }) => origin)).toEqual([SHOP, OTHER])
  })
})
