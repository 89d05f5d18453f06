import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addressShown, createAddress, provideAddress } from '../../packages/extension/src/state/addresses.ts'
import { chosenDomain } from '../../packages/extension/src/state/domains.ts'
import { fillPage } from '../../packages/extension/src/state/fill-page.ts'
import { recordFill } from '../../packages/extension/src/state/fills.ts'
import { changeState, readState } from '../../packages/extension/src/state/state.ts'
import { importList } from '../../packages/extension/src/state/transfer.ts'
import { fake, fakeService, fileOf, frames, held, OTHER, resetBrowser, SERVICE, SHOP } from './fake-browser.ts'

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

test('a page that has moved on before it was filled got no address', async () => {
  offering()
  frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
  const found = await fake.scripting.executeScript({ target: { tabId: 1 } })
  fake.scripting.executeScript
    .mockResolvedValueOnce([])
    .mockResolvedValueOnce(found)
    .mockResolvedValueOnce([{ frameId: 0, result: false }])
  expect(await fillPage(1)).toBe('no-field')
  expect((await readState()).fills).toEqual([])
  expect(await fillPage(1)).toBe('filled')
  expect((await readState()).fills).toMatchObject([{ origin: SHOP }])
})

test('a fill is recorded before it happens, because it may close the popup or replace the page', async () => {
  await importList(fileOf(held()))
  frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
  const found = await fake.scripting.executeScript({ target: { tabId: 1 } })
  await recordFill({ address: held().address, origin: SHOP, tabId: 7 })
  const refuse = (filling: () => Promise<never[]>) =>
    fake.scripting.executeScript
      .mockResolvedValueOnce([])
      .mockResolvedValueOnce(found)
      .mockImplementationOnce(filling as never)
  refuse(async () => {
    expect((await readState()).fills).toMatchObject([{ tabId: 1 }])
    return []
  })
  expect(await fillPage(1)).toBe('no-field')
  // The earlier fill counts as before.
  expect((await readState()).fills).toMatchObject([{ tabId: 7 }])
  refuse(async () => Promise.reject(new Error('Frame with ID 0 was removed.')))
  await expect(fillPage(1)).rejects.toThrow('removed')
  expect((await readState()).fills).toMatchObject([{ tabId: 1 }])
})

describe('the popup shows the address that it fills in', () => {
  const shown = async () => addressShown(await readState(), SHOP)
  const filled = async (chosen?: string) => {
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
    const { held: all } = await readState()
    await fillPage(
      1,
      all.find(({ address }) => address === chosen),
    )
    return (await readState()).fills.findLast(({ origin }) => origin === SHOP)?.address
  }

  test('after another one was chosen or made on a site where one was filled in', async () => {
    const names = ['old@mail.example', 'new@mail.example'].values()
    fakeService.answers['/api/v1/addresses'] = () => ({ address: names.next().value, secret: 'new' })
    const old = await createAddress()
    await recordFill({ address: old.address, origin: SHOP, tabId: 1 })
    const { address } = await createAddress()
    expect(await shown()).toMatchObject({ address })
    expect(await filled()).toBe(address)
    await changeState(({ current }) => void (current[SERVICE] = old.address))
    expect(await shown()).toMatchObject({ address: old.address })
    expect(await filled()).toBe(old.address)
  })

  test('on a site with its own address, unless another one is chosen', async () => {
    const [current, own] = [held(), held({ address: 'shop@mail.example', site: SHOP })]
    await importList(fileOf(current, own))
    await changeState((state) => {
      state.account = account
      state.current[SERVICE] = current.address
    })
    expect(await shown()).toMatchObject(own)
    expect(await filled()).toBe(own.address)
    expect(await filled(current.address)).toBe(current.address)
  })

  test('on a site without its own address, where another one was filled in', async () => {
    await importList(fileOf(held({ address: 'first@mail.example' }), held()))
    await changeState((state) => void (state.account = account))
    await recordFill({ address: held().address, origin: SHOP, tabId: 1 })
    expect(await shown()).toMatchObject(held())
    expect(await filled()).toBe(held().address)
    const created = offering()
    expect(await filled()).toBe(created[0])
    expect(await shown()).toMatchObject({ address: created[0], site: SHOP })
    expect((await readState()).held).toContainEqual(expect.objectContaining({ address: held().address, site: null }))
  })

  test('where none is set: that of the last fill, else the first of no site', async () => {
    await importList(
      fileOf(held({ address: 'x@mail.example', site: OTHER }), held({ address: 'y@mail.example' }), held()),
    )
    expect(await shown()).toMatchObject({ address: 'y@mail.example' })
    expect(await filled()).toBe('y@mail.example')
    await recordFill({ address: held().address, origin: SHOP, tabId: 1 })
    expect(await shown()).toMatchObject(held())
    expect(await filled()).toBe(held().address)
  })
})

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
