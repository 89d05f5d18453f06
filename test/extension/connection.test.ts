import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { compileMessages } from '#web/i18n/compile.ts'
import { confirmConnection } from '../../packages/extension/src/background/connect.ts'
import { makeOffer, offerTabOf } from '../../packages/extension/src/background/offers.ts'
import { collect, connectExtension } from '../../packages/extension/src/page/account.ts'
import { checkKey, disconnect, forgetEverything } from '../../packages/extension/src/state/account.ts'
import { provideAddress } from '../../packages/extension/src/state/addresses.ts'
import { mayFillCode, recordFill } from '../../packages/extension/src/state/fills.ts'
import { changeState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { ADDRESS, fake, fakeService, fileOf, held, mail, OTHER, resetBrowser, SERVICE, SHOP } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

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
    expect(fakeService.keyed).toEqual(['DELETE /api/v1/key mfk_x'])
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
    fakeService.revoked = true
    await checkKey()
    await isForgotten()
  })

  test('of a revoked key leaves the address of a free visitor', async () => {
    await connected()
    fakeService.revoked = true
    fakeService.answers['/api/v1/addresses'] = () => ({ address: 'free@mail.example', secret: 'free' })
    expect(await provideAddress('https://new.example')).toMatchObject({ address: 'free@mail.example', site: null })
    expect((await readState()).account).toBeNull()
  })

  test('is made once if two tabs confirm it at the same time', async () => {
    fake.stores.session = { connecting: Date.now() }
    const request = { type: 'connect', email: 'e@f.g', kept: [], domains: [] } as const
    const confirm = (token: string) => confirmConnection({ ...request, kept: [], domains: [], token }, SERVICE)
    expect(await Promise.all([confirm('mfk_a'), confirm('mfk_b')])).toEqual([true, false])
  })

  test('is revoked when everything is forgotten, and when another takes its place', async () => {
    await connected()
    fake.stores.session = { connecting: Date.now() }
    await confirmConnection({ type: 'connect', email: 'e@f.g', token: 'mfk_y', kept: [], domains: [] }, SERVICE)
    await expect.poll(() => fakeService.keyed).toEqual(['DELETE /api/v1/key mfk_x'])
    const order: string[] = []
    fake.permissions.remove.mockImplementation(async () => void order.push('access'))
    await forgetEverything(async () => order.push('marks'))
    expect(fakeService.keyed.at(-1)).toBe('DELETE /api/v1/key mfk_y')
    expect(fake.stores.local).toEqual({})
    // The pages can be reached only before.
    expect(order).toEqual(['marks', 'access'])
    expect(fake.permissions.remove).toHaveBeenLastCalledWith({ origins: ['*://*/*', `${SERVICE}/*`] })
  })
})

describe('a connection to another account', () => {
  const connect = async (email: string, token: string | null, address: string) => {
    fake.stores.session = { connecting: Date.now() }
    const kept = [{ address, secret: address, label: '' }]
    return confirmConnection({ type: 'connect', email, token, kept, domains: [] }, SERVICE)
  }

  test('is refused without a key of that account', async () => {
    await connect('c@f.g', 'mfk_c', 'c@mail.example')
    expect(await connect('d@f.g', null, 'd@mail.example')).toBe(false)
    expect((await readState()).account).toMatchObject({ email: 'c@f.g', token: 'mfk_c' })
    expect(await connect('c@f.g', null, 'more@mail.example')).toBe(true)
    expect((await readState()).account).toMatchObject({ email: 'c@f.g', token: 'mfk_c' })
  })

  test('gets a key of that account, and leaves nothing of the earlier one', async () => {
    const serviceFetch = fetch
    let signedIn = 'c@f.g'
    vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
      path.startsWith('/')
        ? Promise.resolve(Response.json({ email: signedIn, addresses: [], domains: [], token: 'mfk_d' }))
        : serviceFetch(path, init),
    )
    await connect('c@f.g', 'mfk_c', 'c@mail.example')
    await changeState(({ settings }) => void (settings.domain = 'c.example'))
    expect(await collect('c@f.g', 'c@f.g')).toMatchObject({ token: null })
    signedIn = 'd@f.g'
    await expect(collect('c@f.g', 'c@f.g')).rejects.toThrow('Another account')
    const { token } = await collect('d@f.g', 'c@f.g')
    expect(token).toBe('mfk_d')
    expect(await connect('d@f.g', token, 'd@mail.example')).toBe(true)
    expect(await readState()).toMatchObject({
      account: { email: 'd@f.g', token: 'mfk_d' },
      held: [{ address: 'd@mail.example' }],
      settings: { domain: '' },
    })
    await expect.poll(() => fakeService.keyed).toEqual(['DELETE /api/v1/key mfk_c'])
  })
})

test('a connection at another service leaves nothing of the earlier one', async () => {
  const connect = async (service: string, token: string, address: string) => {
    await changeState(({ settings }) => void (settings.service = service))
    fake.stores.session = { connecting: Date.now() }
    const kept = [{ address, secret: address, label: '' }]
    return confirmConnection({ type: 'connect', email: 'e@f.g', token, kept, domains: [] }, service)
  }
  await connect(SERVICE, 'mfk_a', 'a@mail.example')
  expect(await connect(OTHER, 'mfk_b', 'b@other.example')).toBe(true)
  const { account, held: left } = await readState()
  expect(account).toMatchObject({ service: OTHER, token: 'mfk_b' })
  expect(left.map(({ address }) => address)).toEqual(['b@other.example'])
  await expect.poll(() => fakeService.keyed).toEqual(['DELETE /api/v1/key mfk_a'])
})

describe('a key that the extension refuses', () => {
  const signedIn = { email: 'e@f.g', addresses: [], domains: [], token: 'mfk_new' }
  const connect = (send: () => Promise<unknown>) => connectExtension('e@f.g', null, send)
  let calls: string[]
  beforeEach(() => {
    calls = []
    vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers }: RequestInit = {}) => {
      calls.push(`${method} ${path} ${new Headers(headers).get('x-api-key') ?? ''}`)
      return Response.json(signedIn)
    })
  })

  test.each([false, null])('is revoked: %s', async (answer) => {
    expect(await connect(async () => answer)).toBe(false)
    expect(calls.at(-1)).toBe('DELETE /api/v1/key mfk_new')
  })

  test('stays if the answer is lost, because the extension may use it', async () => {
    await expect(connect(() => Promise.reject(new Error('The extension is gone')))).rejects.toThrow('gone')
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  })

  test('is not stored if something else fails', async () => {
    resetBrowser()
    fake.stores.session = { connecting: Date.now() }
    vi.spyOn(fake.storage.session, 'remove').mockRejectedValueOnce(new Error('No storage'))
    const request = { type: 'connect', email: 'e@f.g', token: 'mfk_x', kept: [], domains: [] } as const
    const answer = await confirmConnection({ ...request, kept: [], domains: [] }, SERVICE).catch(() => 'failed')
    const { account } = await readState()
    expect([answer, account?.token]).toEqual(['failed', undefined])
  })

  test('stays if the extension takes it, and a key that it had already stays too', async () => {
    expect(await connect(async () => true)).toBe(true)
    expect(await connectExtension('e@f.g', 'e@f.g', async () => false)).toBe(false)
    expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
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

  test('is announced with the address of the sender if its name looks like another one', async () => {
    fakeService.answers['/messages/en.json'] = () => compileMessages('en')
    await fill(SHOP, 1)
    await fill(OTHER, 2)
    await makeOffer(mail({ from: { name: 'service@paypal.example', address: 'bounce@sender.example' } }), ADDRESS)
    const [, { title }] = fake.notifications.create.mock.calls[0] as unknown as [string, { title: string }]
    expect(title).toContain('bounce@sender.example')
    expect(title).not.toContain('paypal')
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
