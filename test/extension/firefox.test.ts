import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { onPath } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { unpackExtension } from './browser.ts'
import { type Site, startSite } from './forms.ts'

const executablePath = onPath('firefox-esr', 'firefox')
const ID = 'extension@mayfly.example'
const UUID = '6f1d3c1e-2b7a-4d5e-9a41-0c8f7b6e5d43'
const EMAIL = 'reader@example.org'

let program: Program
let site: Site
let browser: Browser
let directory: string
beforeAll(async () => {
  if (executablePath === undefined) return
  ;[program, site] = await Promise.all([startProgram({ env: WITHOUT_LIMITS }), startSite()])
  directory = await mkdtemp(join(tmpdir(), 'mayfly-firefox-'))
  await unpackExtension('firefox', program.url, directory)
  browser = await launch({
    browser: 'firefox',
    executablePath,
    // Without it, a driver may not open pages of extensions.
    args: ['--remote-allow-system-access'],
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [ID]: UUID }),
      // The visitor agrees to each question of the browser, which no driver can click.
      'extensions.webextOptionalPermissionPrompts': false,
    },
  })
  await browser.installExtension(directory)
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  await program?.stop()
  if (directory) await rm(directory, { recursive: true, force: true })
})
beforeEach(({ skip }) => skip(executablePath === undefined, 'Firefox is not installed: apt-get install firefox-esr'))

/** Opens a page of the extension. The driver is not told when it has loaded. */
async function open(path: string, ready: string): Promise<Page> {
  const page = await browser.newPage()
  void page.goto(`moz-extension://${UUID}/${path}`).catch(() => {})
  await page.waitForSelector(ready, { timeout: PATIENCE })
  return page
}

async function visit(form: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(site.url(form))
  return page
}

const got = (page: Page) => page.$eval('#got', ({ textContent }) => textContent)

/** Clicks at a place in the first field that matches, until the page says what is expected. */
async function clickUntil(
  page: Page,
  selector: string,
  at: (box: { width: number; height: number }) => [number, number],
  expected: RegExp,
) {
  await expect
    .poll(
      async () => {
        const box = (await (await page.$(selector))!.boundingBox())!
        const [x, y] = at(box)
        await page.mouse.click(box.x + x, box.y + y)
        return got(page)
      },
      { interval: 300 },
    )
    .toMatch(expected)
}

test('marks fill an address, and its code is filled with a click', async () => {
  const options = await open('options.html', 'input[type=checkbox]')
  await options.click('input[type=checkbox]')
  await options.waitForFunction(() => document.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked)
  const page = await visit('plain')
  await clickUntil(page, 'input[type=email]', ({ width, height }) => [width - 16, height / 2], /@mayfly\.test$/)
  const address = await got(page)
  await page.goto(site.url('boxes'))
  await sendMail(program.smtpPort, { to: address, subject: 'Your code', text: 'Your verification code is 604218' })
  await clickUntil(page, '#boxes input', ({ height }) => [20, height + 20], /^604218$/)
  await page.close()
  await options.close()
})

test('the popup shows the inbox', async () => {
  const popup = await open('popup.html', '[data-status=live]')
  expect(await popup.$eval('output', ({ textContent }) => textContent)).toMatch(/@mayfly\.test$/)
  await popup.waitForFunction(() => document.body.innerText.includes('604218'))
  await popup.close()
})

test('Premium connects with a click on the account page', async () => {
  await subscribeIn(program, EMAIL)
  const client = await signedIn(program, EMAIL)
  const { hostname } = new URL(program.url)
  await browser.setCookie(...[...client.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' })))
  const options = await open('options.html', 'h2')
  const [connect] = await options.$$("xpath///button[contains(., 'Connect Premium')]")
  await connect!.click()
  const target = await browser.waitForTarget((each) => each.url().includes('/account'), { timeout: PATIENCE })
  const account = (await target.page())!
  await expect
    .poll(
      async () => {
        const width = await account.evaluate(() => innerWidth)
        await account.mouse.click(width / 2 + Math.min(560, width - 32) / 2 - 160, 40)
        return options.evaluate(() => document.body.innerText)
      },
      { interval: 500 },
    )
    .toContain(`Connected: ${EMAIL}`)
})
