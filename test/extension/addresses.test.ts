import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAddress, provideAddress } from '../../packages/extension/src/state/addresses.ts'
import { chosenDomain } from '../../packages/extension/src/state/domains.ts'
import { changeState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { fileOf, held, OTHER, resetBrowser, SERVICE, SHOP } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

const account = { service: SERVICE, email: 'e@f.g', token: 'mfk_x', domains: [] }

/** A service that offers only `day.example`, where nobody has an address yet. */
function offering() {
  const created: string[] = []
  const service = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname } = new URL(url)
    const gone = { type: 'about:blank', title: '' }
    if (pathname === '/api/v1/address') return Response.json({ ...gone, code: 'unauthorized' }, { status: 401 })
    if (pathname !== '/api/v1/addresses') return service(url, init)
    const { login = 'random', domain = 'day.example' } = JSON.parse(String(init.body ?? '{}'))
    if (domain !== 'day.example') return Response.json({ ...gone, code: 'domain_unknown' }, { status: 422 })
    created.push(`${login}@${domain}`)
    return Response.json({ address: created.at(-1), secret: 'new' })
  })
  return created
}

describe('when the chosen domain is no longer offered', () => {
  test('a site gets an address under the default domain, also instead of its earlier one', async () => {
    await importList(fileOf(held({ address: 'shop@gone.example', site: SHOP })))
    await changeState((state) => {
      state.account = account
      state.settings.domain = 'gone.example'
    })
    offering()
    for (const site of [SHOP, OTHER]) {
      const { address } = await provideAddress(site)
      expect(address).toMatch(/^\w+-example\.\w{6}@day\.example$/)
    }
    expect((await readState()).held.map(({ site }) => site)).toEqual([SHOP, OTHER])
  })

  test('a new address is under the default domain, unless the visitor names a domain', async () => {
    await changeState(({ settings }) => void (settings.domain = 'gone.example'))
    offering()
    expect(await createAddress()).toMatchObject({ address: 'random@day.example' })
    await expect(createAddress({ domain: 'gone.example' })).rejects.toMatchObject({ code: 'domain_unknown' })
  })

  test('the options show the one that is used', () => {
    expect(chosenDomain('gone.example', ['day.example', 'own.example'])).toBe('day.example')
    expect(chosenDomain('own.example', ['day.example', 'own.example'])).toBe('own.example')
    expect(chosenDomain('', ['day.example', 'own.example'])).toBe('day.example')
  })
})
