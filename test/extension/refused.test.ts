import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { compileMessages } from '#web/i18n/compile.ts'
import { confirmConnection } from '../../packages/extension/src/background/connect.ts'
import { answer } from '../../packages/extension/src/background/requests.ts'
import background from '../../packages/extension/src/entrypoints/background.ts'
import { provideAddress, remove } from '../../packages/extension/src/state/addresses.ts'
import { fillPage } from '../../packages/extension/src/state/fill-page.ts'
import { recordFill } from '../../packages/extension/src/state/fills.ts'
import { changeState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { ADDRESS, fake, fakeService, fileOf, frames, held, resetBrowser, SERVICE, SHOP } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

const kept = held({ label: 'Shops' })
const account = { service: SERVICE, email: 'e@f.g', token: 'mfk_x', domains: [] }
const refusal = (status: number, code: string) =>
  Response.json({ type: 'about:blank', title: '', code, status }, { status, headers: { 'retry-after': '0' } })

/** A service that accepts no secret, and creates addresses as `create` says. */
function refusing(create: (login: string) => Response = () => Response.json({ address: 'new@a.b', secret: 'new' })) {
  const created: string[] = []
  const service = fetch
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const { pathname } = new URL(url)
    if (pathname === '/api/v1/addresses') {
      const { login = '' } = JSON.parse(String(init.body ?? '{}'))
      created.push(login)
      return create(login)
    }
    return new Headers(init.headers).has('authorization') ? refusal(401, 'unauthorized') : service(url, init)
  })
  return created
}

describe('an address that the account keeps, with a secret that was replaced on the site', () => {
  async function connected(perSite: boolean, address = kept) {
    await importList(fileOf(address))
    await changeState((state) => {
      state.account = account
      state.settings.perSite = perSite
      state.current[SERVICE] = ADDRESS
    })
    return refusing()
  }

  test.each([
    ['as the current one', false, kept, false],
    ['where it was filled in', true, kept, true],
    ['as that of its site', true, { ...kept, site: SHOP }, false],
    ['that has no label', false, held({ label: '' }), false],
  ])('is not replaced by another %s', async (_, perSite, address, isFilled) => {
    const created = await connected(perSite, address)
    if (isFilled) await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    await expect(provideAddress(SHOP)).rejects.toMatchObject({ status: 401 })
    expect(created).toEqual([])
    expect((await readState()).held).toMatchObject([address])
  })

  test('is not replaced by another if it was picked', async () => {
    const created = await connected(true)
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
    await expect(fillPage(1, kept)).rejects.toMatchObject({ status: 401 })
    expect([created, (await readState()).fills]).toEqual([[], []])
  })

  test('is not forgotten as if it had been deleted', async () => {
    await connected(false)
    await expect(remove(kept)).rejects.toMatchObject({ status: 401 })
    expect((await readState()).held).toHaveLength(1)
  })

  test('is reported after the shortcut and after a mark, and the click leads to the options', async () => {
    fakeService.answers['/messages/en.json'] = () => compileMessages('en')
    await connected(false)
    await changeState(({ settings }) => void (settings.marks = true))
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
    background.main()
    fake.commands.onCommand.dispatch('fill', { id: 1 })
    const told = () => fake.notifications.create.mock.calls as unknown as [string, { message: string }][]
    await expect.poll(told).toHaveLength(1)
    expect(told()[0]?.[1].message).toContain('couldn’t be connected')
    expect(await answer({ type: 'fill' }, { id: fake.runtime.id, tab: { id: 1 }, origin: SHOP } as never)).toBeNull()
    expect(told()).toHaveLength(2)
    fake.notifications.onClicked.dispatch(told()[0]![0])
    expect(fake.runtime.openOptionsPage).toHaveBeenCalledTimes(1)
  })

  test('gets the new one by the next connection, or is like any other if the account no longer has it', async () => {
    const old = held({ address: 'old@mail.example', label: 'Old' })
    await importList(fileOf(kept, old, held({ address: 'x@other', service: 'https://else.example', label: 'Else' })))
    await changeState((state) => void (state.account = account))
    fake.stores.session = { connecting: Date.now() }
    const now = [{ address: ADDRESS, secret: 'replaced', label: 'Shops' }]
    await confirmConnection({ type: 'connect', email: 'e@f.g', token: null, kept: now, domains: [] }, SERVICE)
    expect((await readState()).held).toMatchObject([
      { address: old.address, label: null },
      { address: 'x@other', label: 'Else' },
      { address: ADDRESS, secret: 'replaced', label: 'Shops' },
    ])
  })
})

describe('a fill that the service refuses', () => {
  const limited = () => Response.json({ title: '' }, { status: 429, headers: { 'retry-after': '20' } })

  test.each(['/api/v1/addresses', '/api/v1/address'])(
    'for now at %s is told with the time, and not repeated',
    async (path) => {
      fakeService.answers['/messages/en.json'] = () => compileMessages('en')
      if (path === '/api/v1/address') await importList(fileOf(held()))
      const service = fetch
      const tries: string[] = []
      vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
        const { pathname } = new URL(url)
        if (pathname !== path) return service(url, init)
        tries.push(pathname)
        return limited()
      })
      frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
      background.main()
      fake.commands.onCommand.dispatch('fill', { id: 1 })
      const told = () => fake.notifications.create.mock.calls as unknown as [string, { message: string }][]
      await expect.poll(told).toHaveLength(1)
      expect(told()[0]?.[1].message).toContain('20 seconds')
      expect(tries).toEqual([path])
    },
  )

  test('with silence ends, later if an address may be created', async () => {
    const waits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      waits.push(milliseconds)
      return AbortSignal.abort(new DOMException('', 'TimeoutError'))
    })
    const service = fetch
    vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
      init.signal?.throwIfAborted()
      return service(url, init)
    })
    await expect(provideAddress(SHOP)).rejects.toThrow(TypeError)
    expect(waits).toEqual([30_000])
    await importList(fileOf(held()))
    await expect(provideAddress(SHOP)).rejects.toThrow(TypeError)
    expect(waits).toEqual([30_000, 10_000])
    vi.restoreAllMocks()
  })

  test('with half a response is told as a lost connection', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
    const half = () => new ReadableStream({ start: (stream) => stream.error(new DOMException('', 'TimeoutError')) })
    const service = fetch
    vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) =>
      new URL(url).pathname === '/api/v1/addresses' ? new Response(half()) : service(url, init),
    )
    await expect(provideAddress(SHOP)).rejects.toThrow(TypeError)
    vi.restoreAllMocks()
  })
})

describe('an address that has expired', () => {
  test.each([
    ['is unavailable', () => refusal(503, 'unavailable')],
    ['allows no more', () => refusal(409, 'addresses_full')],
  ])('is kept while the service %s, because its secret reserves its name', async (_, create) => {
    for (const [site, perSite] of [
      [null, false],
      [SHOP, true],
    ] as const) {
      await changeState((state) => {
        Object.assign(state, { account, held: [], current: { [SERVICE]: ADDRESS } })
        state.settings.perSite = perSite
      })
      await importList(fileOf(held({ site })))
      refusing(create)
      await expect(provideAddress(SHOP)).rejects.toThrow()
      // The name is taken, and so is no other one at the moment.
      refusing((login) => (login === 'me' ? refusal(409, 'address_taken') : create()))
      await expect(provideAddress(SHOP)).rejects.toThrow()
      expect((await readState()).held).toMatchObject([held({ site })])
      refusing((login) =>
        login === 'me' ? refusal(409, 'address_taken') : Response.json({ address: 'n@a.b', secret: 'n' }),
      )
      await provideAddress(SHOP)
      expect((await readState()).held).toMatchObject([{ address: 'n@a.b', site }])
    }
  })
})
