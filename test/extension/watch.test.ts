import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { offerOf } from '../../packages/extension/src/background/offers.ts'
import { extendAddresses, lookOnce } from '../../packages/extension/src/background/watch.ts'
import background from '../../packages/extension/src/entrypoints/background.ts'
import { recordFill } from '../../packages/extension/src/state/fills.ts'
import { readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { ADDRESS, fake, fakeService, fileOf, held, mail, OTHER, resetBrowser, SHOP } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

describe('the addresses of sites', () => {
  const ALL = Array.from({ length: 25 }, (_, i) => `s${i}`)
  const HOURS = 3_600_000

  /** Records whose addresses the service is asked for. It can be reached for as many requests as `reachable` says. */
  async function sites(reachable = Infinity) {
    await importList(
      fileOf(...ALL.map((secret) => held({ address: `${secret}@a.b`, secret, site: `https://${secret}.example` }))),
    )
    const asked: string[] = []
    const service = fetch
    const isReachable = { left: reachable }
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
      const [, secret] = new Headers(init.headers).get('authorization')?.split(' ') ?? []
      if (secret === undefined) return service(url, init)
      if (isReachable.left-- <= 0) return Promise.reject(new TypeError('offline'))
      asked.push(secret)
      return service(url, init)
    })
    return { asked, isReachable }
  }

  test('are extended where the last run stopped, and then once in six hours', async () => {
    const { asked, isReachable } = await sites(13)
    await extendAddresses()
    isReachable.left = Infinity
    await extendAddresses()
    await extendAddresses()
    expect(asked).toEqual(ALL)
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 6 * HOURS)
    await extendAddresses()
    expect(asked).toEqual([...ALL, ...ALL])
    vi.useRealTimers()
  })

  test('are noted in between, because the browser may stop the background', async () => {
    const { asked } = await sites()
    const service = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (asked.length === 24) {
        const noted = (await readState()).held.filter(({ extendedAt }) => extendedAt !== undefined)
        expect(noted.length).toBeGreaterThanOrEqual(asked.length - 10)
      }
      return service(url, init)
    })
    await extendAddresses()
    expect(asked).toEqual(ALL)
  })

  test.each([429, 502, 503])('are asked for again if the service answers with %d', async (status) => {
    const { asked } = await sites()
    const service = fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
      const headers = { 'retry-after': '0' }
      const isAsked = new Headers(init.headers).has('authorization')
      if (!isAsked || asked.length < 3) return service(url, init)
      return Promise.resolve(Response.json({ type: 'about:blank', title: '', code: 'x', status }, { status, headers }))
    })
    await extendAddresses()
    vi.stubGlobal('fetch', service)
    await extendAddresses()
    expect(asked).toEqual(ALL)
  })

  test('are noted after each slow answer', async () => {
    const { asked } = await sites()
    vi.useFakeTimers({ toFake: ['Date'] })
    const service = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const noted = (await readState()).held.filter(({ extendedAt }) => extendedAt !== undefined)
      expect(noted.length).toBe(asked.length)
      vi.setSystemTime(Date.now() + 10_000)
      return service(url, init)
    })
    await extendAddresses()
    expect(asked).toEqual(ALL)
    vi.useRealTimers()
  })

  test('are extended by the alarm that follows, in one run at a time', async () => {
    const { asked } = await sites()
    background.main()
    fake.alarms.onAlarm.dispatch({ name: 'look' })
    fake.alarms.onAlarm.dispatch({ name: 'look' })
    await expect.poll(() => asked.length).toBe(ALL.length)
    await extendAddresses()
    expect(asked).toEqual(ALL)
  })
})

test('all messages of a look are offered, the newest of a site last', async () => {
  await importList(fileOf(held()))
  await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
  await recordFill({ address: ADDRESS, origin: OTHER, tabId: 2 })
  const from = (host: string) => ({ from: { name: '', address: `noreply@${host}` } })
  fakeService.answers['/api/v1/messages'] = () => ({
    messages: [
      mail({ id: '3', code: '333333', ...from('shop.example') }),
      mail({ id: '2', code: '222222', ...from('other.example') }),
      mail({ id: '1', code: '111111', ...from('shop.example') }),
    ],
  })
  await lookOnce()
  expect([await offerOf(1), await offerOf(2)]).toMatchObject([{ code: '333333' }, { code: '222222' }])
})
