import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addressOn, closeContexts, newVisit } from '#test/support/program/browser.ts'
import { startProgram } from '#test/support/program/program.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/** Requests for a new address so far, over all statuses: files that share the program leave refused ones behind. */
const addressRequests = async (): Promise<number> => {
  const metrics = await (await fetch(stage.program.metricsUrl)).text()
  const samples = metrics.matchAll(
    /^mayfly_http_requests_total\{[^}]*method="POST"[^}]*route="\/api\/v1\/addresses"[^}]*\} (\d+)/gm,
  )
  return samples.reduce((sum, [, count]) => sum + Number(count), 0)
}

describe('a first visit', () => {
  test.each([
    ['/', '您的临时邮箱地址', 'zh-CN'],
    ['/en', 'Your Temporary Email Address', 'en-US'],
  ])('of %s shows an address without a click, with at most six files', async (path, title, locale) => {
    const { page, pageErrors } = await newVisit(stage.browser, { reducedMotion: 'no-preference' })
    const files: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/api/')) files.push(pathname)
    })
    await page.goto(stage.program.url + path)
    await expect.poll(() => page.locator('output').textContent()).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+\d+@mayfly\.test$/)
    expect(await page.locator('h1').textContent()).toBe(title)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    await page.locator('[data-status=live]').waitFor()
    // One second after the start the page requests the manifest of its build.
    await expect.poll(() => files.some((file) => file.startsWith('/builds/meta/'))).toBe(true)
    expect(files.filter((file) => file !== '/favicon.svg').length).toBeLessThanOrEqual(6)
    expect(pageErrors).toEqual([])
  })

  test.each([
    ['/', 412],
    ['/ar', 412],
    ['/ur/10-minute-mail', 1280],
  ])('of %s at %i pixels has no layout shift when the address arrives', async (path, width) => {
    const { page } = await newVisit(stage.browser, { reducedMotion: 'no-preference', viewport: { width, height: 823 } })
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/v1/addresses', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto(stage.program.url + path)
    const tops = (): Promise<number[]> =>
      page.locator('h1, h2, footer').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
    const before = await tops()
    expect(await page.locator('output').count()).toBe(0)
    gate.resolve()
    await page.locator('[data-status=live]').waitFor()
    await page.locator('output').waitFor()
    expect(await tops()).toEqual(before)
  })

  test('by a crawler creates no address', async () => {
    const begin = await addressRequests()
    await stage.visit()
    const before = begin + 1
    await expect.poll(addressRequests).toBe(before)
    for (const userAgent of [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'curl/8.5.0',
      'facebookexternalhit/1.1',
    ]) {
      const { page } = await newVisit(stage.browser, { userAgent })
      await page.goto(`${stage.program.url}/en`, { waitUntil: 'networkidle' })
      expect(await page.locator('h1').textContent()).toBe('Your Temporary Email Address')
      expect(await page.locator('output').count()).toBe(0)
    }
    expect(await addressRequests()).toBe(before)
  })
})

test('counts the waiting time down if the limit for new addresses is reached, and then gets one', async () => {
  const limits = { MAYFLY_ADDRESS_CREATE_BURST: '1', MAYFLY_ADDRESS_CREATE_SECONDS: '50' }
  const busy = await startProgram({ env: limits, turnable: true })
  const first = await newVisit(stage.browser)
  await first.page.goto(`${busy.url}/en`)
  await addressOn(first.page)
  const { page } = await newVisit(stage.browser)
  await page.clock.install()
  await page.goto(`${busy.url}/en`)
  // The text before it is for screen readers, which hear it once.
  const wait = page
    .getByRole('alert')
    .getByText(/try again in \d+ seconds?/)
    .last()
  const seconds = async () => Number(/in (\d+) seconds?/.exec((await wait.textContent()) ?? '')?.[1])
  const begin = await seconds()
  await page.clock.fastForward(5000)
  await expect.poll(seconds).toBeLessThanOrEqual(begin - 5)
  await busy.turn(50_000, { passes: true })
  await page.clock.fastForward(50_000)
  expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
  expect(await page.getByRole('alert').getByText('try again').count()).toBe(0)
  await busy.stop()
})

test.each(['/en', '/en/email-generator'])(
  'on %s, an address is not replaced by itself when the limit is over',
  async (path) => {
    const { page, address, send } = await stage.visit({ path })
    let requests = 0
    await page.route('**/api/v1/addresses', (route) => {
      requests++
      return route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { code: 'too_many_requests' } })
    })
    await page.clock.install()
    const button = path === '/en' ? 'New random address' : /^Use /
    await page.getByRole('button', { name: button }).first().click()
    const limited = page.getByText('Please try again in 3 seconds.').last()
    await limited.waitFor()
    await send('Precious')
    await page.getByRole('link', { name: 'Precious', exact: true }).waitFor()
    await page.clock.fastForward(5000)
    await limited.waitFor({ state: 'detached' })
    // The alert leaves no empty box.
    expect(await page.locator('main [role=alert] p:visible').count()).toBe(0)
    expect([await addressOn(page), requests]).toEqual([address, 1])
  },
)

describe('a returning visitor', () => {
  test('gets the address and inbox in the initial HTML', async () => {
    const { page, address, send } = await stage.visit()
    await send('Read me first')
    await page.getByText('Read me first').first().waitFor()
    const html = await (await page.request.get(`${stage.program.url}/en`)).text()
    const body = html.slice(0, html.indexOf('id="payload"'))
    const [login = ''] = address.split('@')
    expect(body).toContain(login)
    expect(body).toContain('Read me first')
  })

  test('keeps the address when changing the language', async () => {
    const { page, address, pageErrors } = await stage.visit()
    await page.getByRole('button', { name: 'Choose a language' }).click()
    await page.getByRole('link', { name: '简体中文' }).click()
    await page.getByRole('heading', { name: '您的临时邮箱地址' }).waitFor()
    expect(await page.locator('#languages').isVisible()).toBe(false)
    const locale = (await page.context().cookies()).find(({ name }) => name === 'mayfly_locale')
    expect(locale).toMatchObject({ value: 'zh', path: '/', sameSite: 'Lax' })
    expect((locale?.expires ?? 0) - Date.now() / 1000).toBeCloseTo(365 * 24 * 3600, -2)
    expect(await page.locator('output').textContent()).toBe(address)
    expect(pageErrors).toEqual([])
  })
})

test.each(['/en/nothing', '/nothing', '/xx/change'])('returns 404 for %s and shows it', async (path) => {
  const { page } = await newVisit(stage.browser)
  const response = await page.goto(stage.program.url + path)
  expect(response?.status()).toBe(404)
  expect(await page.locator('h1, main').first().textContent()).toMatch(/404/)
  const crawler = await fetch(stage.program.url + path, { headers: { 'user-agent': 'Googlebot/2.1' } })
  expect([crawler.status, await crawler.text()]).toEqual([404, ''])
})
