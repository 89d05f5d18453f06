import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { type ExtensionBrowser, extensionBrowser, openExtension } from './browser.ts'
import { type Form, FORMS, SANDBOXED, type Site, startSite } from './forms.ts'
import { HOSTILE } from './hostile.ts'
import { type BackgroundApi, type Stage, stageOf } from './stage.ts'

declare const chrome: BackgroundApi
const executablePath = extensionBrowser()
const MISSING = 'Only an installed Chromium runs extensions: apt-get install chromium'
const EMAIL = 'reader@example.org'

let program: Program
let site: Site
let browser: ExtensionBrowser
let stage: Stage
beforeAll(async () => {
  if (executablePath === undefined) return
  ;[program, site] = await Promise.all([
    startProgram({ env: WITHOUT_LIMITS }),
    startSite({ hostile: HOSTILE, sandboxed: SANDBOXED }),
  ])
  browser = await openExtension({ executablePath, service: program.url })
  stage = stageOf(browser)
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  await program?.stop()
})
beforeEach(({ skip }) => skip(executablePath === undefined, MISSING))

const got = (page: Page) => page.locator('#got').textContent()
const send = (to: string, subject: string, text: string, rest = {}) =>
  sendMail(program.smtpPort, { to, subject, text, ...rest })

const offersOn = async (page: Page, address: string, subject = 'Code', text = 'Your verification code is 604218') => {
  await send(address, subject, text)
  return stage.awaitOffer(page)
}

const EMAIL_FORMS = (Object.keys(FORMS) as Form[]).filter((form) => form !== 'boxes' && form !== 'code')

describe('the shortcut', () => {
  test.each(EMAIL_FORMS)('fills the current address so that the page notices: %s', async (form) => {
    const page = await stage.visit(site.url(form))
    await stage.pressShortcut(page)
    const field = form === 'iframe' ? page.frameLocator('iframe') : page
    await expect.poll(() => field.locator('#got').textContent()).toMatch(/@mayfly\.test$/)
    const [address] = Object.values((await stage.stateOf()).current)
    expect(await field.locator('#got').textContent()).toBe(address)
    if (form === 'confirm') expect(await page.locator('[name=email_confirm]').inputValue()).toBe(address)
    if (form === 'traps') {
      const filled = await page
        .locator('input')
        .evaluateAll((all) =>
          all.filter((each) => (each as HTMLInputElement).value).map((each) => each.getAttribute('name')),
        )
      expect(filled).toEqual(['login'])
    }
    await page.close()
  })
})

describe('a code', () => {
  test.each(['boxes', 'code'] as const)('is filled with a click: %s', async (form) => {
    const page = await stage.visit(site.url('plain'))
    const address = await stage.addressFilled(page)
    await page.goto(site.url(form))
    const field = form === 'boxes' ? '#boxes input' : '[autocomplete=one-time-code]'
    await offersOn(page, address)
    expect(await got(page)).toBe('')
    await expect
      .poll(
        async () => {
          await stage.clickBelow(page, field)
          return got(page)
        },
        { interval: 200 },
      )
      .toBe('604218')
    await page.close()
  })

  test('is filled by a click on the notification, and by the popup', async () => {
    const page = await stage.visit(site.url('plain'))
    const address = await stage.addressFilled(page)
    await page.goto(site.url('code'))
    const id = await offersOn(page, address)
    await browser.background((tabId) => chrome.notifications.onClicked.dispatch(`offer ${tabId}`), id)
    await expect.poll(() => got(page)).toBe('604218')
    await page.reload()
    const popup = await stage.openPopup(page)
    await popup.getByRole('button', { name: 'Fill 604218' }).first().click()
    await expect.poll(() => got(page)).toBe('604218')
    await page.close()
  })

  test('is not filled on another origin', async () => {
    const page = await stage.visit(site.url('plain'))
    const address = await stage.addressFilled(page)
    await page.goto(site.otherUrl('code'))
    const id = await offersOn(page, address)
    await browser.background((tabId) => chrome.notifications.onClicked.dispatch(`offer ${tabId}`), id)
    const popup = await stage.openPopup(page)
    await popup.locator('[data-status=live]').waitFor()
    await popup
      .getByRole('button', { name: /^Copy the code/ })
      .first()
      .waitFor()
    expect(await popup.getByRole('button', { name: /^Fill \d/ }).count()).toBe(0)
    expect(await got(page)).toBe('')
    await popup.close()
    await page.close()
  })

  test('is not filled in a frame that its site does not trust', async () => {
    const page = await stage.visit(site.url('plain'))
    const address = await stage.addressFilled(page)
    await page.goto(site.url('sandboxed'))
    const id = await offersOn(page, address)
    const popup = await stage.openPopup(page)
    await popup.getByRole('button', { name: 'Fill 604218' }).first().click()
    await popup.getByText('There is no field for a code here').waitFor()
    await browser.background((tabId) => chrome.notifications.onClicked.dispatch(`offer ${tabId}`), id)
    expect(await page.frameLocator('iframe').locator('#got').textContent()).toBe('')
    await popup.close()
    await page.close()
  })

  test('a confirmation link opens in the tab', async () => {
    const page = await stage.visit(site.url('plain'))
    const address = await stage.addressFilled(page)
    const link = site.url('code')
    const id = await offersOn(
      page,
      address,
      'Confirm your email',
      `Please confirm your email address:\n${link}?confirm=Zk3vQ9x7Lm2pR8sT`,
    )
    await browser.background((tabId) => chrome.notifications.onClicked.dispatch(`offer ${tabId}`), id)
    await page.waitForURL(/confirm=/)
    await page.close()
  })
})

describe('marks', () => {
  test('fill with a click, move nothing, and are off for a site with a click', async () => {
    const page = await stage.visit(site.url('plain'))
    const field = page.locator('input[type=email]')
    const before = await field.boundingBox()
    await stage.turnMarksOn(page)
    const box = (await field.boundingBox())!
    expect(box).toEqual(before)
    await page.mouse.click(box.x + box.width - 16, box.y + box.height / 2)
    await expect.poll(() => got(page)).toMatch(/@mayfly\.test$/)
    await page.mouse.move(box.x + box.width - 16, box.y + box.height / 2)
    await page.mouse.click(box.x + box.width - 16 - 22, box.y + box.height / 2)
    await expect.poll(() => page.locator('html > div').count()).toBe(0)
    await expect.poll(async () => (await stage.stateOf()).settings.hidden).toEqual([new URL(site.url('plain')).origin])
    await stage.change({ marks: false, hidden: [] })
    await page.close()
  })
})

describe('a hostile page', () => {
  test('learns nothing and triggers nothing', async () => {
    const fillsBefore = (await stage.stateOf()).fills.length
    const page = await stage.visit(`${site.otherUrl('hostile')}#${browser.id}`)
    await stage.turnMarksOn(page)
    await page.locator('#done').waitFor()
    await expect.poll(() => page.locator('#report').textContent()).toBe('[]')
    expect(await page.locator('input[type=email]').inputValue()).toBe('')
    expect((await stage.stateOf()).fills).toHaveLength(fillsBefore)
    await stage.change({ marks: false })
    await page.close()
  })

  test('gets no click on what it moved to where nobody sees it', async () => {
    const page = await stage.visit(site.otherUrl('plain'))
    await stage.turnMarksOn(page)
    await stage.veilMarks(page)
    // The button that turns the marks off, which works without the background.
    const box = (await page.locator('input[type=email]').boundingBox())!
    const [x, y] = [box.x + box.width - 16, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.click(x - 22, y)
    expect(await page.locator('body > div > div[dir]').count()).toBe(1)
    await stage.change({ marks: false })
    await page.close()
  })
})

describe('the popup', () => {
  test('shows the inbox live, and a message behind its walls', async () => {
    const page = await stage.visit(site.url('plain'))
    const popup = await stage.openPopup(page)
    await popup.locator('[data-status=live]').waitFor()
    const address = (await popup.locator('output').textContent()) ?? ''
    await send(address, 'Hello', '', {
      html: '<p>Good morning</p><img src="https://evil.example/pixel.png"><script>parent.postMessage("ran", "*")</script>',
    })
    await popup.getByRole('button', { name: 'Hello' }).click()
    const frame = popup.locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
    const source = (await frame.getAttribute('srcdoc')) ?? ''
    expect(source).toContain("default-src 'none'")
    expect(source).not.toMatch(/evil\.example|<script/)
    await popup.frameLocator('iframe').getByText('Good morning').waitFor()
    await popup.getByRole('button', { name: 'Delete' }).click()
    await popup.getByRole('button', { name: 'Hello' }).waitFor({ state: 'detached' })
    await popup.getByRole('button', { name: 'QR code' }).click()
    await popup.getByAltText('QR code of the link to your address').waitFor()
    await popup.close()
    await page.close()
  })

  test('makes, chooses and deletes addresses', async () => {
    const page = await stage.visit(site.otherUrl('plain'))
    const popup = await stage.openPopup(page)
    const first = await popup.locator('output').textContent()
    await popup.getByRole('button', { name: 'New address' }).click()
    await expect.poll(() => popup.locator('output').textContent()).not.toBe(first)
    await popup.getByRole('button', { name: 'Change' }).click()
    await popup.getByLabel('Name').fill('river.extension')
    await popup.getByRole('button', { name: 'Save', exact: true }).click()
    await popup.locator('output', { hasText: 'river.extension@mayfly.test' }).waitFor()
    await popup.getByRole('button', { name: 'Delete' }).click()
    await popup.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await popup.locator('output', { hasText: 'river.extension' }).waitFor({ state: 'detached' })
    await popup.close()
    await page.close()
  })
})

describe('options', () => {
  test('export, forget and import the addresses, in the chosen language', async () => {
    const options = await browser.open('options.html')
    const before = (await stage.stateOf()).held.map(({ address }: { address: string }) => address)
    const [download] = await Promise.all([
      options.waitForEvent('download'),
      options.getByRole('button', { name: 'Export list' }).click(),
    ])
    const path = await download.path()
    await options.getByRole('button', { name: 'Forget everything' }).click()
    await options.getByRole('alertdialog').getByRole('button', { name: 'Forget everything' }).click()
    await options.getByText('There are no addresses yet.').waitFor()
    await options.locator('input[type=file]').setInputFiles(path)
    await options.getByText(`Addresses imported: ${before.length}`).waitFor()
    await options.getByLabel('Language').selectOption('de')
    await expect.poll(() => options.locator('html').getAttribute('lang')).toBe('de-DE')
    await options.locator('select').nth(1).selectOption('en')
    await options.getByLabel('Service').fill('http://127.0.0.1:9')
    await options.getByRole('button', { name: 'Use this service' }).click()
    await options.getByText('There is no Mayfly service at this URL.').waitFor()
    await options.close()
  })
})

describe('Premium', () => {
  test('connects with a click on the account page, and gives each site an address', async () => {
    await subscribeIn(program, EMAIL)
    const client = await signedIn(program, EMAIL)
    await client.send('POST', '/api/v1/account/addresses', { login: 'kept.extension', label: 'Newsletters' })
    await browser.context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: program.url })))
    const options = await browser.open('options.html')
    const [account] = await Promise.all([
      browser.context.waitForEvent('page'),
      options.getByRole('button', { name: 'Connect Premium' }).click(),
    ])
    await account.waitForLoadState()
    expect((await stage.stateOf()).account).toBeNull()
    const email = async () => (await stage.clickConnect(account), (await stage.stateOf()).account?.email)
    await expect.poll(email, { interval: 300, timeout: PATIENCE }).toBe(EMAIL)
    await options.getByText(`Connected: ${EMAIL}`).waitFor()
    expect((await stage.stateOf()).held).toContainEqual(
      expect.objectContaining({ address: 'kept.extension@mayfly.test' }),
    )
    await account.close()
    await options.close()

    const addresses: (string | null)[] = []
    for (const url of [site.url('plain'), site.otherUrl('plain'), site.url('nameless')]) {
      const page = await stage.visit(url)
      await stage.pressShortcut(page)
      await expect.poll(() => got(page)).toContain('@')
      addresses.push(await got(page))
      await page.close()
    }
    const [one, other, again] = addresses
    expect(one).toMatch(/^127-0-0-1\.[a-z0-9]{6}@/)
    expect(other).toMatch(/^localhost\.[a-z0-9]{6}@/)
    expect(again).toBe(one)
  })
})
