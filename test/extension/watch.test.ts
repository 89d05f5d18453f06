import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { offerOf } from '../../packages/extension/src/background/offers.ts'
import { awaitMessages, extendAddresses, lookOnce } from '../../packages/extension/src/background/watch.ts'
import background from '../../packages/extension/src/entrypoints/background.ts'
import { provideAddress } from '../../packages/extension/src/state/addresses.ts'
import { recordFill } from '../../packages/extension/src/state/fills.ts'
import { changeState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { ADDRESS, fake, fakeService, fileOf, held, mail, OTHER, resetBrowser, SERVICE, SHOP } from './fake-browser.ts'

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

test.each([
  ['ahead', 5],
  ['behind', -5],
])('a code is offered, and an earlier one is not, with a clock that is %s', async (_, minutes) => {
  await importList(fileOf(held()))
  await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
  const now = Date.now() - minutes * 60_000
  const service = fetch
  const messages = [mail({ receivedAt: new Date(now - 120_000).toISOString() })]
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    new URL(url).pathname === '/api/v1/messages'
      ? Response.json({ messages }, { headers: { date: new Date(now).toUTCString() } })
      : service(url, init),
  )
  await lookOnce()
  expect(await offerOf(1)).toBeUndefined()
  messages.unshift(mail({ id: '2', receivedAt: new Date(now).toISOString() }))
  await lookOnce()
  expect(await offerOf(1)).toMatchObject({ code: '604218' })
})

describe('a request that the service refuses for good', () => {
  const refuse = (status: number, code: string) =>
    Response.json({ type: 'about:blank', title: '', code, status }, { status })

  /** A service with one inbox, that of the newest secret. It refuses `after` unless the inbox had a message of this id. */
  async function inbox(fields: object = {}) {
    const service = { secret: 'secret', ids: ['1'], asked: [] as string[] }
    await importList(fileOf(held({ site: SHOP, ...fields })))
    const others = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      const { pathname, searchParams } = new URL(url)
      const [, secret] = new Headers(init.headers).get('authorization')?.split(' ') ?? []
      if (pathname === '/api/v1/addresses') {
        service.secret = 'again'
        return Response.json({ address: ADDRESS, secret: 'again' })
      }
      if (secret === undefined) return others(url, init)
      service.asked.push(`${secret} ${pathname.replace('/api/v1', '')}${searchParams.get('after') ?? ''}`)
      if (secret !== service.secret) return refuse(401, 'unauthorized')
      const after = searchParams.get('after')
      if (after !== null && !service.ids.includes(after)) return refuse(400, 'invalid_request')
      const ids = service.ids.slice(after === null ? 0 : service.ids.indexOf(after) + 1)
      return Response.json({ messages: ids.toReversed().map((id) => mail({ id, code: id.repeat(6) })) })
    })
    await recordFill({ address: ADDRESS, origin: SHOP, tabId: 1 })
    await lookOnce()
    expect(await offerOf(1)).toMatchObject({ code: '111111' })
    service.asked = []
    return service
  }
  const subscribe = () =>
    changeState((state) => void (state.account = { service: SERVICE, email: 'e@f.g', token: 'mfk_x', domains: [] }))

  test('is not repeated for an address that was created again: its messages are offered', async () => {
    const service = await inbox()
    await subscribe()
    service.secret = ''
    expect(await provideAddress(SHOP)).toMatchObject({ address: ADDRESS, secret: 'again' })
    service.ids = ['2']
    await lookOnce()
    expect(await offerOf(1)).toMatchObject({ code: '222222' })
    expect(service.asked.filter((each) => each.startsWith('again'))).toEqual(['again /messages'])
  })

  test('is not repeated if an earlier request ends after the address was created again', async () => {
    const service = await inbox()
    await subscribe()
    const others = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      const response = await others(url, init)
      if (!String(url).includes('/messages?') || service.secret === 'again') return response
      service.secret = ''
      await provideAddress(SHOP)
      return response
    })
    service.ids = ['1', '2']
    await lookOnce()
    service.ids = ['3']
    service.asked = []
    await lookOnce()
    expect(service.asked).toEqual(['again /messages'])
  })

  test('is not repeated if the service does not know the last message: all are read', async () => {
    const service = await inbox()
    service.ids = []
    await lookOnce()
    await lookOnce()
    expect(service.asked).toEqual(['secret /messages1', 'secret /messages', 'secret /messages'])
    service.ids = ['5']
    await lookOnce()
    expect(await offerOf(1)).toMatchObject({ code: '555555' })
    await lookOnce()
    expect(service.asked.at(-1)).toBe('secret /messages5')
  })

  test.each([null, 'Shop'])('is not repeated for a secret that is no longer valid (label: %s)', async (label) => {
    const service = await inbox({ label })
    service.secret = ''
    await lookOnce()
    expect(service.asked).toEqual(['secret /messages1'])
    await lookOnce()
    await awaitMessages()
    await extendAddresses()
    expect(service.asked).toEqual(['secret /messages1'])
  })

  test('is not repeated by extending', async () => {
    const service = await inbox()
    service.secret = ''
    await extendAddresses()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 7 * 3_600_000)
    await extendAddresses()
    await lookOnce()
    vi.useRealTimers()
    expect(service.asked).toEqual(['secret /address'])
  })
})
