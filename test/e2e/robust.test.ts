import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const inMain = (page: Page): Promise<number> => page.locator('main').evaluate((main) => (main.textContent ?? '').length)

test.each(['/en/terms', '/en/articleDetail?slug=spotting-phishing', '/en/problem'])(
  'keeps the text of a page that a translator changed before hydration: %s',
  async (path) => {
    const { page } = await newVisit(stage.browser)
    const messages = Promise.withResolvers<void>()
    await page.route('**/messages/*.json', async (route) => {
      await messages.promise
      await route.continue()
    })
    await page.goto(stage.program.url + path, { waitUntil: 'commit' })
    await page.locator('footer').waitFor()
    const before = await inMain(page)
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('main h1, main h2, main p')) {
        element.innerHTML = `<font>Übersetzt: ${element.textContent}</font>`
      }
    })
    messages.resolve()
    // React discards the server's HTML and renders the page again.
    await expect.poll(() => page.locator('main h1 font').count()).toBe(0)
    await expect.poll(() => inMain(page)).toBeGreaterThan(before * 0.95)
    await page.locator('footer a[href="/en/articles"]').click()
    await page.getByRole('heading', { name: 'Articles', level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(() => inMain(page)).toBeGreaterThan(before * 0.95)
    await page.context().close()
  },
)

describe('a missing file at the start', () => {
  test('causes one reload', async () => {
    const { page } = await newVisit(stage.browser)
    await page.route(/\/assets\/contact-[^/]+\.js$/, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 })
    await page.goto(`${stage.program.url}/en/contact`)
    await page.getByLabel('Name').fill('Ada')
    await page.locator('footer a[href="/en/terms"]').click()
    await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada')
    await page.context().close()
  })

  test('leaves the page usable as without JavaScript if it stays missing', async () => {
    const { page } = await newVisit(stage.browser)
    await page.route('**/messages/*.json', (route) => route.abort())
    await page.goto(`${stage.program.url}/en`)
    await page.getByRole('button', { name: 'Get an address' }).click()
    expect(await addressOn(page)).toMatch(/@mayfly\.test$/)
    await page.context().close()
  })
})

test('restores form input and scroll position on back and forward', async () => {
  const { page } = await newVisit(stage.browser, { viewport: { width: 1000, height: 700 } })
  await page.goto(`${stage.program.url}/en/contact`)
  await page.getByLabel('Message').fill('Half a sentence')
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  await page.evaluate(() => scrollTo(0, 1500))
  await expect.poll(() => page.evaluate(() => (history.state as { scroll?: number } | null)?.scroll)).toBe(1500)
  await page.locator('footer a[href="/en/contact"]').dispatchEvent('click')
  await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await page.getByLabel('Message').inputValue()).toBe('Half a sentence')
  await page.goBack()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(1500)
  await page.context().close()
})

test('keeps the current page without a connection and reports it', async () => {
  const { page, address } = await stage.visit()
  await page.context().setOffline(true)
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('alert').getByText('No connection').waitFor()
  expect(await addressOn(page)).toBe(address)
  await page.context().setOffline(false)
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  expect(await page.getByText('No connection').count()).toBe(0)
  await page.context().close()
})

test('moves the focus, announces the page and updates the head on client-side navigation', async () => {
  const { page } = await stage.visit()
  await page.locator('footer a[href="/en/terms"]').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.getByRole('status').getByText('Terms of use · Mayfly').waitFor()
  await page.getByRole('button', { name: 'Choose a language' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.locator('html[lang=de-DE]').waitFor()
  const head = (selector: string, name: string) => page.locator(`head ${selector}`).getAttribute(name)
  expect(await head('[rel=canonical]', 'href')).toBe(`${stage.program.url}/de/terms`)
  expect(await head('[rel=manifest]', 'href')).toBe('/de/manifest.webmanifest')
  expect(await head('[name=description]', 'content')).toMatch(/Adresse/)
  await page.context().close()
})

test('shows an empty form when it is opened again after a message was sent', async () => {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/problem`)
  await page.getByLabel('What is it about?').selectOption('other')
  await page.getByLabel('Message').fill('Something is wrong')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message has been sent').waitFor()
  await page.locator('footer a[href="/en/problem"]').click()
  await page.getByLabel('Message').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('')
  await page.context().close()
})

test('works if the browser forbids storage', async () => {
  const { page } = await newVisit(stage.browser)
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new Error('forbidden')
        },
      })
  })
  await page.goto(`${stage.program.url}/en`)
  await addressOn(page)
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  await page.context().close()
})

describe('without a connection', () => {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const offline = (page: Page) => page.getByRole('alert').getByText('No connection.')

  test.each(['Delete', 'QR code', 'Options and shortcuts'])('%s waits for the next press with one', async (name) => {
    const { page } = await stage.visit()
    await page.context().setOffline(true)
    await press(page, name)
    await offline(page).waitFor()
    await page.context().setOffline(false)
    await offline(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await press(page, name)
    await page.getByRole('dialog').waitFor()
    await page.context().close()
  })

  test('one alert is in view for all buttons', async () => {
    const { page } = await stage.visit({ viewport: { width: 390, height: 400 } })
    await page.context().setOffline(true)
    for (const name of ['Delete', 'QR code', 'Options and shortcuts', 'Delete']) await press(page, name)
    await page.evaluate(() => scrollTo(0, 700))
    await offline(page).waitFor()
    expect(await offline(page).count()).toBe(1)
    const { y } = (await offline(page).boundingBox())!
    expect(y >= 0 && y < 400).toBe(true)
    await page.context().close()
  })
})

describe('input that was used, or that the page chose itself, does not return', () => {
  const change = async (page: Page, domain: string, lifetime: string) => {
    await page.getByRole('link', { name: 'Change' }).first().click()
    await page.getByLabel('Domain').selectOption(domain)
    await page.getByLabel('Expires').selectOption(lifetime)
    await page.getByRole('button', { name: 'Use a random name' }).click()
    await expect.poll(() => addressOn(page)).toContain(domain)
  }

  test('at a new address', async () => {
    const { page } = await stage.visit()
    const shown = page.locator('select[name=domain]')
    await shown.selectOption('dayfly.test')
    await change(page, 'mayfly.test', 'ten-minutes')
    expect(await shown.inputValue()).toBe('mayfly.test')
    await page.getByRole('link', { name: 'Change' }).first().click()
    expect(await page.getByLabel('Expires').inputValue()).toBe('day')
    await page.context().close()
  })

  test('in the contact form', async () => {
    const { page } = await newVisit(stage.browser)
    await page.goto(`${stage.program.url}/en/contact?reason=advertising`)
    expect(await page.getByLabel('Reason').inputValue()).toBe('advertising')
    await page.locator('footer a[href="/en/terms"]').click()
    await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
    await page.locator('footer a[href="/en/contact"]').click()
    await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('')
    await page.context().close()
  })
})

test('the wait for a limit disappears when it is over', async () => {
  const { page } = await stage.visit({ path: '/en' })
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.route('**/api/v1/addresses', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { code: 'too_many_requests' } }),
  )
  await page.clock.install()
  await page.getByRole('button', { name: 'Use a random name' }).click()
  const alert = page.locator('main [role=alert]').getByText('Please try again in').last()
  await alert.waitFor()
  await page.clock.fastForward(5000)
  await alert.waitFor({ state: 'detached' })
  expect(await page.locator('main [role=alert] p:visible').count()).toBe(0)
  await page.context().close()
})
