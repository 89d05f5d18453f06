import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { openStage, type Stage } from './stage.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Makes the page think that it is the installed app, and records the counts on its icon. */
const asInstalled = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const match = matchMedia.bind(window)
    const badges: unknown[] = []
    Object.assign(window, {
      badges,
      matchMedia: (query: string) => match(query === '(display-mode: standalone)' ? 'all' : query),
    })
    Object.assign(navigator, { setAppBadge: async (count: unknown) => void badges.push(count) })
  })

describe('the installed app', () => {
  test('copies the address by its shortcut, also of a first visitor, and shows the unread count on its icon', async () => {
    const { page } = await newVisit(stage.browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await asInstalled(page)
    await page.goto(`${stage.program.url}/en?copy`)
    const address = await addressOn(page)
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: PATIENCE }).toBe(address)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.locator('[data-status=live]').waitFor()
    await sendMail(stage.program.smtpPort, { to: address, subject: 'Hello', text: 'Hello' })
    const last = () => page.evaluate(() => (window as unknown as { badges: unknown[] }).badges.at(-1))
    await expect.poll(last, { timeout: PATIENCE }).toBe(1)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('')
    await page.context().close()
  })

  test('copies once, also if the page is ready before the file that copies', async () => {
    const { page } = await newVisit(stage.browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await asInstalled(page)
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/installed-*.js', async (route) => {
      await ready
      await route.continue()
    })
    await page.goto(`${stage.program.url}/en?copy`)
    const address = await addressOn(page)
    await page.locator('[data-status=live]').waitFor()
    resolve()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: PATIENCE }).toBe(address)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.context().close()
  })

  test('takes a shared text as the name of a new address', async () => {
    const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
    const manifest = await (await page.request.get(`${stage.program.url}/en/manifest.webmanifest`)).json()
    const { action, params } = manifest.share_target as { action: string; params: Record<string, string> }
    await page.goto(`${stage.program.url}${action}?${params.text}=Harbor+Books`)
    expect(await page.locator('[name=login]').inputValue()).toBe('harbor.books')
    await page.context().close()
  })
})

test('"Mobile app" leads to the steps of the visitor’s own browser', async () => {
  const { page } = await newVisit(stage.browser, { userAgent: IPHONE, viewport: { width: 1280, height: 800 } })
  await page.goto(`${stage.program.url}/en/terms`)
  // Chromium makes its offer on the first page.
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt'), {
      prompt: async () => void (document.title = 'asked'),
    })
    dispatchEvent(offer)
  })
  await page.getByRole('link', { name: 'Mobile app' }).click()
  const steps = page.locator('#install li')
  await expect
    .poll(() => steps.allTextContents(), { timeout: PATIENCE })
    .toEqual(['Tap or click the share button.', 'Choose the entry that adds the page to your home screen.', 'Confirm.'])
  expect(new URL(page.url()).hash).toBe('#install')
  await page.getByRole('button', { name: 'Install Mayfly' }).click()
  expect(await page.title()).toBe('asked')
  await page.context().close()
})
