import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { countLoads, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const ENTRY = /\/assets\/entry\.client-[^/]+\.js$/
const SHARED = /\/assets\/shared-[^/]+\.js$/
const script = (body: string) => (route: Route) => route.fulfill({ contentType: 'text/javascript', body })

async function open(path: string, files: RegExp, respond: (route: Route) => Promise<void>): Promise<Page> {
  const { page } = await newVisit(stage.browser)
  await page.route(files, respond)
  await page.goto(stage.program.url + path)
  return page
}

const failed = (page: Page): Promise<void> => page.locator('html[data-scripts=failed]').waitFor({ state: 'attached' })
const deadButtons = (page: Page): Promise<number> => page.locator('.needs-script:visible').count()

describe('without its scripts, the page works as without JavaScript', () => {
  test.each<[string, RegExp, (route: Route) => Promise<void>]>([
    ['no connection for the entry', ENTRY, (route) => route.abort()],
    ['no connection for what the entry imports', SHARED, (route) => route.abort()],
    ['no connection for any script', /\.js$/, (route) => route.abort()],
    ['an entry that is gone', ENTRY, (route) => route.fulfill({ status: 404, body: 'Not found' })],
    ['an import that fails on the server', SHARED, (route) => route.fulfill({ status: 503, body: '' })],
    ['a page of a proxy', ENTRY, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' })],
    ['half of an import', SHARED, script('export const a = {')],
    ['an import without what the entry needs', SHARED, script('')],
    ['an entry that the browser can’t run', ENTRY, script('throw new TypeError("Not supported")')],
  ])('%s', async (_, files, respond) => {
    const page = await open('/en', files, respond)
    await failed(page)
    expect(await deadButtons(page)).toBe(0)
    await page.getByRole('button', { name: 'Get an address' }).click()
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    await failed(page)
    expect(await deadButtons(page)).toBe(0)
    await page.context().close()
  })

  test.each(['/en/account', '/en/contact', '/en/private'])('%s', async (path) => {
    const page = await open(path, ENTRY, (route) => route.abort())
    await failed(page)
    expect(await deadButtons(page)).toBe(0)
    await page.context().close()
  })

  test('also if the browser forbids storage', async () => {
    const { page } = await newVisit(stage.browser)
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new Error('forbidden')
        },
      })
    })
    await page.route(ENTRY, (route) => route.abort())
    await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer' } }))
    await page.goto(`${stage.program.url}/en`)
    await failed(page)
    expect(await deadButtons(page)).toBe(0)
    await page.context().close()
  })
})

describe('the page is reloaded', () => {
  test('once if a newer build has replaced the script', async () => {
    const { page } = await newVisit(stage.browser)
    await page.route(ENTRY, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 })
    await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer' } }))
    const loads = countLoads(page)
    await page.goto(`${stage.program.url}/en`)
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    expect(loads()).toBe(2)
    await page.context().close()
  })

  test('not again while the script stays missing', async () => {
    const { page } = await newVisit(stage.browser)
    await page.route(ENTRY, (route) => route.fulfill({ status: 404, body: '' }))
    await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'newer' } }))
    const loads = countLoads(page)
    await page.goto(`${stage.program.url}/en`)
    await expect.poll(loads).toBe(2)
    await failed(page)
    const asked = page.waitForResponse('**/builds/latest.json')
    await page.goto(`${stage.program.url}/en/contact`)
    await asked
    await failed(page)
    await page.waitForLoadState('networkidle')
    expect(loads()).toBe(3)
    await page.context().close()
  })

  test('never with the same build, which a reload would not change', async () => {
    const { page } = await newVisit(stage.browser)
    await page.route(ENTRY, (route) => route.abort())
    const loads = countLoads(page)
    const asked = page.waitForResponse('**/builds/latest.json')
    await page.goto(`${stage.program.url}/en`)
    await asked
    await page.waitForLoadState('networkidle')
    expect(loads()).toBe(1)
    await page.context().close()
  })
})

describe('files that only some requests find, as during the upgrade of a cluster,', () => {
  /** Each file is missing at its first requests: another node has it. */
  async function openAtFirstWithout(path: string, files: RegExp, times: number) {
    const { page } = await newVisit(stage.browser)
    const requests = new Map<string, number>()
    await page.route(files, (route) => {
      const url = route.request().url()
      requests.set(url, (requests.get(url) ?? 0) + 1)
      return requests.get(url)! > times ? route.continue() : route.fulfill({ status: 404, body: '' })
    })
    const loads = countLoads(page)
    await page.goto(stage.program.url + path)
    return { page, loads }
  }

  test('are requested again until the page has all, and then it is reloaded', async () => {
    const { page, loads } = await openAtFirstWithout('/en', /\/assets\/.*\.js$|\/messages\//, 2)
    await failed(page)
    await page.locator('html:not([data-scripts])').waitFor({ state: 'attached' })
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    // Once more for files that it loads later.
    expect(loads()).toBeLessThanOrEqual(3)
    await page.context().close()
  })

  test('are requested again if only the texts are missing', async () => {
    const { page, loads } = await openAtFirstWithout('/en', /\/messages\//, 4)
    await failed(page)
    await page.locator('html:not([data-scripts])').waitFor({ state: 'attached' })
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    expect(loads()).toBeLessThanOrEqual(3)
    await page.context().close()
  })

  test('are requested again if they are styles, without a reload', async () => {
    const { page, loads } = await openAtFirstWithout('/en/account', /\/assets\/.*\.css$/, 2)
    await page.waitForFunction(() =>
      [...document.styleSheets].some(({ href, cssRules }) => href !== null && cssRules.length > 0),
    )
    expect(loads()).toBe(1)
    await page.context().close()
  })

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['types', (page) => page.locator('[name=message]').pressSequentially('Half a sentence')],
    ['clicks', (page) => page.locator('h1').click()],
    ['sends a form', (page) => page.evaluate(() => document.forms[0]!.dispatchEvent(new Event('submit')))],
    ['leaves the page', (page) => page.evaluate(() => dispatchEvent(new Event('beforeunload')))],
  ])('don’t reload a page in which someone %s', async (_, use) => {
    const { page, loads } = await openAtFirstWithout('/en/contact', ENTRY, 2)
    await failed(page)
    const again = page.waitForResponse((response) => ENTRY.test(response.url()) && response.ok(), { timeout: 6000 })
    await use(page)
    await page.evaluate(() => document.querySelector<HTMLElement>('[name=message]')!.blur())
    await again.catch(() => {})
    await page.waitForLoadState('networkidle')
    expect(loads()).toBe(1)
    await page.context().close()
  })

  test('reload the page once if all are there when they are requested again', async () => {
    const { page, loads } = await openAtFirstWithout('/en', ENTRY, 1)
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    expect(loads()).toBe(2)
    await page.context().close()
  })
})

test('a page whose script never starts, although all files are there, is reloaded once', async () => {
  const { page } = await newVisit(stage.browser)
  const loads = countLoads(page)
  await page.addInitScript(() => {
    const { parse } = JSON
    JSON.parse = (text: string) => {
      if (text.includes('"page"')) throw new Error('Not supported')
      return parse(text) as unknown
    }
  })
  await page.goto(`${stage.program.url}/en`)
  await expect.poll(loads).toBe(2)
  await failed(page)
  await page.waitForLoadState('networkidle')
  expect(loads()).toBe(2)
  await page.context().close()
})

test('between two builds, the page is reloaded once for each, and what was reloaded is forgotten when it starts', async () => {
  const { page } = await newVisit(stage.browser)
  let build = 0
  await page.route(ENTRY, (route) => route.abort())
  await page.route('**/builds/latest.json', (route) =>
    route.fulfill({ json: { id: ['a-build', 'b-build'][build++ % 2] } }),
  )
  const loads = countLoads(page)
  await page.goto(`${stage.program.url}/en`)
  await expect.poll(() => build).toBe(3)
  await page.waitForLoadState('networkidle')
  expect(loads()).toBe(3)
  const kept = () => page.evaluate(() => sessionStorage['mayfly:reloaded-for'] as string | undefined)
  expect(await kept()).toContain('b-build')
  await page.unroute(ENTRY)
  await page.goto(`${stage.program.url}/en`)
  await addressOn(page)
  await expect.poll(kept).toBeUndefined()
  await page.context().close()
})

test.each(['before', 'after'])(
  'a module script of an extension that is missing %s ours runs changes nothing',
  async (when) => {
    const { page } = await newVisit(stage.browser)
    const loads = countLoads(page)
    const add = () =>
      document.documentElement.append(
        Object.assign(document.createElement('script'), { type: 'module', src: 'http://127.0.0.1:1/assets/x.js' }),
      )
    if (when === 'before') await page.addInitScript(add)
    await page.goto(`${stage.program.url}/en`)
    await addressOn(page)
    if (when === 'after') await page.evaluate(add)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('html').getAttribute('data-scripts')).toBeNull()
    expect(loads()).toBe(1)
    await page.context().close()
  },
)

test('errors after the script has run, and those of other scripts, change nothing', async () => {
  const { page } = await newVisit(stage.browser)
  await page.addInitScript(() => setTimeout(() => reportError(new Error('of an extension'))))
  await page.goto(`${stage.program.url}/en`)
  await addressOn(page)
  await page.evaluate(() => {
    dispatchEvent(new ErrorEvent('error', { filename: '/assets/entry.js' }))
    document.body.append(Object.assign(new Image(), { src: '/missing.png' }))
  })
  await page.waitForLoadState('networkidle')
  expect(await page.locator('html').getAttribute('data-scripts')).toBeNull()
  await page.context().close()
})
