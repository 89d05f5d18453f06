import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Checkout, copyCheckout } from '#test/support/fixtures/checkout.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, borrowBrowser, closeContexts, newVisit } from '#test/support/program/browser.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { countLoads, setHidden } from './stage.ts'

let checkout: Checkout
let browser: Browser
let program: Program
let dataDir: string

const start = (ports: object = {}) =>
  startProgram({ root: checkout.root, dataDir, env: { ...WITHOUT_LIMITS, ...ports } })

/** Deploys like an operator: switches to another build and restarts the program on the same ports. */
async function deploy(change: () => Promise<string>): Promise<string> {
  const id = await change()
  const ports = { MAYFLY_HTTP_PORT: String(program.httpPort), MAYFLY_SMTP_PORT: String(program.smtpPort) }
  await program.stop()
  program = await start(ports)
  return id
}

/** Changes a heading in the code of a page and builds it. A change in `locales` would also build the browser extension. */
async function buildWith(title: string): Promise<string> {
  await checkout.change('src/web/pages/home/hero.tsx', "text('home.title')", JSON.stringify(title))
  return checkout.build()
}

/** Simulates a tab that returns from the background after eleven minutes and checks for a new build. */
async function comeBackLater(page: Page): Promise<void> {
  await setHidden(page, true)
  await page.clock.fastForward('11:00')
  const [response] = await Promise.all([page.waitForResponse('**/builds/latest.json'), setHidden(page, false)])
  await response.finished()
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-'))
  ;[checkout, browser] = await Promise.all([copyCheckout(), borrowBrowser()])
  program = await start()
})
afterAll(async () => {
  await closeContexts(browser)
  await program.stop()
  await Promise.all([checkout.remove(), rm(dataDir, { recursive: true })])
})

test('fetches the manifest of the build one second after the start', async () => {
  const { page } = await newVisit(browser)
  const manifest = page.waitForResponse('**/builds/meta/*.json')
  await page.goto(`${program.url}/en`)
  const meta = await manifest
  const started = () => page.evaluate((url) => performance.getEntriesByName(url)[0]?.startTime, meta.url())
  // The browser lists a request only after its response has ended.
  await expect.poll(started).toBeGreaterThanOrEqual(1000)
  const id = await page.locator('html').getAttribute('data-build')
  expect(new URL(meta.url()).pathname).toBe(`/builds/meta/${id}.json`)
  expect(await meta.json()).toMatchObject({ id })
  await page.context().close()
})

test('only logs a failed request for the manifest', async () => {
  const { page, pageErrors } = await newVisit(browser)
  await page.route('**/builds/meta/*.json', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`${program.url}/en`)
  await expect.poll(() => pageErrors.filter((text) => text.startsWith('build manifest'))).toHaveLength(1)
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  await page.context().close()
})

test('shows pages in every language while a build replaces the files of the running program', async () => {
  const server = join(checkout.root, 'dist/server')
  await rename(server, `${server}-gone`)
  const responses = await Promise.all(['/te', '/pl/contact'].map((path) => fetch(program.url + path)))
  await rename(`${server}-gone`, server)
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
})

test('loads a new build once at the next navigation and keeps form input and messages', async () => {
  const { page } = await newVisit(browser)
  await page.clock.install()
  await page.goto(`${program.url}/en`)
  const address = await addressOn(page)
  await page.locator('[data-status=live]').waitFor()
  await sendMail(program.smtpPort, { to: address, subject: 'Still open', text: 'A mail' })
  await page.getByRole('link', { name: 'Still open', exact: true }).click()
  await page.getByRole('heading', { name: 'Still open' }).waitFor()
  await page.getByRole('link', { name: 'Contact' }).click()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Message').fill('Half a sentence')
  await page.getByLabel('Reason').selectOption('abuse')

  const before = await page.locator('html').getAttribute('data-build')
  const id = await deploy(() => buildWith('The address of a new build'))
  expect(id).not.toBe(before)
  const loads = countLoads(page)
  await comeBackLater(page)
  expect(loads()).toBe(0)

  // The same page in another language keeps the input.
  await page.getByRole('button', { name: 'Choose a language' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.waitForURL('**/de/contact')
  await expect.poll(() => page.locator('html').getAttribute('data-build')).toBe(id)
  expect(loads()).toBe(1)
  await expect.poll(() => page.locator('[name=message]').inputValue()).toBe('Half a sentence')
  expect(await page.locator('[name=name]').inputValue()).toBe('Ada')
  expect(await page.locator('[name=reason]').inputValue()).toBe('abuse')

  // The page now has the new build, so further navigation is client-side. The message is still readable.
  await page.locator('header').getByRole('link', { name: 'Mayfly' }).click()
  await page.getByRole('link', { name: 'Still open', exact: true }).click()
  await page.getByRole('heading', { name: 'Still open' }).waitFor()
  expect(loads()).toBe(1)
  await page.goto(`${program.url}/en`)
  await page.getByRole('heading', { name: 'The address of a new build' }).waitFor()
  await page.context().close()
})

test('reloads the page and restores its scroll position if files of the old build are gone', async () => {
  const { page } = await newVisit(browser)
  await page.goto(`${program.url}/en/articles`)
  await page.getByRole('heading', { name: 'Articles', level: 1 }).waitFor()
  await page.evaluate(() => scrollTo(0, 400))
  const loads = countLoads(page)
  const id = await deploy(() => checkout.rollBack())
  expect(id).not.toBe(await page.locator('html').getAttribute('data-build'))
  // Dispatched, because a real click would scroll to the header first.
  await page.locator('#languages [hreflang=de-DE]').dispatchEvent('click')
  await page.waitForURL('**/de/articles')
  await page.locator('html[lang=de-DE]').waitFor()
  expect(loads()).toBe(1)
  await page.goBack()
  await page.locator('html[lang=en-US]').waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
  await page.context().close()
})
