import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { compileMessages } from '#web/i18n/compile.ts'
import { confirmConnection } from '../../packages/extension/src/background/connect.ts'
import { hideMarks } from '../../packages/extension/src/background/marks.ts'
import { accept, makeOffer, offerOf, offerTabOf, openLink } from '../../packages/extension/src/background/offers.ts'
import { lookOnce } from '../../packages/extension/src/background/watch.ts'
import { collect } from '../../packages/extension/src/page/account.ts'
import { forgetEverything } from '../../packages/extension/src/state/account.ts'
import { createAddress, provideFirst } from '../../packages/extension/src/state/addresses.ts'
import { fillPage } from '../../packages/extension/src/state/fill-page.ts'
import { forgetTabs, recordFill } from '../../packages/extension/src/state/fills.ts'
import { guardState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import {
  ADDRESS,
  fake,
  fileOf,
  frames,
  held,
  mail,
  OTHER,
  resetBrowser,
  SERVICE,
  fakeService,
  SHOP,
} from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

describe('addresses', () => {
  test('of two services may have the same name', async () => {
    expect(await importList(fileOf(held(), held({ service: OTHER, secret: 'theirs' })))).toBe(2)
    fakeService.answers['/api/v1/addresses'] = () => ({ address: ADDRESS, secret: 'new' })
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
    fakeService.answers['/api/v1/addresses'] = created
    await Promise.all([provideFirst(), provideFirst()])
    expect(created).toHaveBeenCalledTimes(1)
  })

  test('that were forgotten leave nothing behind', async () => {
    await importList(fileOf(held()))
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    fakeService.answers['/api/v1/messages'] = async () => {
      await forgetEverything(hideMarks)
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
      return Response.json({ email: 'e@f.g', addresses, domains: [], token: 'mfk_x', secret: 'secret' })
    })
    expect(await collect('e@f.g', null)).toMatchObject({
      token: 'mfk_x',
      kept: [{ address: '1@a.b' }, { address: '3@a.b' }],
    })
    expect([...new Set(calls)]).toEqual([
      '/addresses',
      '/addresses/1/reveal',
      '/addresses/3/reveal',
      '/domains',
      '',
      '/keys',
    ])
  })
})

describe('tabs', () => {
  const LINK = `${SHOP}/confirm?x=1`

  test('that show another site by now stay as they are', async () => {
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 0 }]
    frames[2] = [{ frameId: 0, origin: OTHER, fillScore: 0 }]
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
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 0 }]
    await makeOffer(mail({ code: null, link: LINK }), ADDRESS)
    const tabId = offerTabOf(String((fake.notifications.create.mock.calls as unknown[][])[0]?.[0]))
    await accept(tabId!)
    expect(fake.tabs.update).not.toHaveBeenCalled()
    expect(fake.tabs.create).toHaveBeenCalledWith({ url: LINK })
  })

  test('that are closed are replaced by another one of the site, or the code is only shown', async () => {
    fakeService.answers['/messages/en.json'] = () => compileMessages('en')
    const told = () => (fake.notifications.create.mock.lastCall as unknown as [string, { message: string }])[1].message
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    await makeOffer(mail(), ADDRESS)
    expect(told()).toBe('Your code')
    frames[2] = [{ frameId: 0, origin: OTHER, fillScore: 0 }]
    frames[3] = [{ frameId: 0, origin: SHOP, fillScore: 0 }]
    await makeOffer(mail(), ADDRESS)
    expect(told()).toBe('Click to fill it in.')
    await accept(1)
    expect(fake.tabs.update.mock.calls).toEqual([[3, { active: true }]])
    expect(await offerOf(1)).toBeUndefined()
  })

  test('that moved on are replaced by another one of the site, unless the browser hides where they are', async () => {
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    frames[1] = [{ frameId: 0, origin: OTHER, fillScore: 0 }]
    frames[2] = [{ frameId: 0, origin: SHOP, fillScore: 0 }]
    await makeOffer(mail(), ADDRESS)
    await accept(1)
    expect(fake.tabs.update.mock.calls).toEqual([[2, { active: true }]])
    vi.spyOn(fake.tabs, 'query').mockResolvedValue([{ id: 1, url: undefined }])
    await makeOffer(mail(), ADDRESS)
    await accept(1)
    expect(fake.tabs.update).toHaveBeenLastCalledWith(1, { active: true })
    vi.mocked(fake.tabs.query).mockRestore()
  })

  test('of several sites have different offers after a start of the browser', async () => {
    for (const origin of [SHOP, OTHER]) await recordFill({ address: ADDRESS, origin, tabId: 1 })
    await forgetTabs()
    for (const origin of [SHOP, OTHER]) await makeOffer(mail({ link: origin }), ADDRESS)
    const ids = (fake.notifications.create.mock.calls as unknown[][]).map(([id]) => id)
    expect(new Set(ids).size).toBe(2)
  })

  test('get an address in the page itself, unless a frame has the focus', async () => {
    fakeService.answers['/api/v1/addresses'] = () => ({ address: ADDRESS, secret: 'new' })
    fakeService.answers['/api/v1/address'] = () => ({ address: ADDRESS })
    frames[1] = [
      { frameId: 0, origin: SHOP, fillScore: 2 },
      { frameId: 7, origin: OTHER, fillScore: 4 },
    ]
    await fillPage(1)
    frames[2] = [frames[1][0]!, { frameId: 7, origin: OTHER, fillScore: 14 }]
    await fillPage(2)
    expect((await readState()).fills.map(({ origin }) => origin)).toEqual([SHOP, OTHER])
  })
})
