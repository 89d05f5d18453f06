import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keep } from '#test/support/fixtures/kept-client.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** A browser in which a new subscriber is signed in, and the client with its cookies. */
async function signedInVisit(email: string, options: BrowserContextOptions = {}) {
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email)
  const { page } = await newVisit(stage.browser, options)
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(cookies)
  return { page, client }
}

/** Distances of the lines of all addresses from the right edge of the narrowest box around an address, in pixels. */
const gaps = (page: Page): Promise<number[][]> =>
  page.locator('li bdi[dir=ltr]:visible').evaluateAll((addresses) =>
    addresses.map((address) => {
      const right = address.parentElement!.getBoundingClientRect().right
      const range = document.createRange()
      range.selectNodeContents(address)
      const lines = Map.groupBy([...range.getClientRects()], ({ bottom }) => Math.round(bottom))
      return [...lines.values()].map((line) => Math.round(right - Math.max(...line.map((each) => each.right))))
    }),
  )

test('in Arabic, an address that wraps starts at the same edge as a short one', async () => {
  const viewport = { width: 320, height: 800 }
  const { page, client } = await signedInVisit('edges@real.example', { viewport })
  await keep(client, { login: 'edge' })
  await keep(client, { login: 'an.edge.that.is.much.longer.than.the.screen.of.a.phone' })
  for (const path of ['/ar/account', '/ar']) {
    await page.goto(stage.program.url + path)
    if (path === '/ar') await page.locator('summary', { hasText: 'عناوينك' }).click()
    await page.locator('li bdi:visible').nth(1).waitFor()
    const lines = await gaps(page)
    expect(lines.map((each) => each.length > 1)).toEqual([false, true])
    expect(lines).toEqual(lines.map((each) => each.map(() => 0)))
  }
  await page.context().close()
})

test('without JavaScript, no button is shown that needs it', async () => {
  const { page, client } = await signedInVisit('no-script@real.example', { javaScriptEnabled: false })
  await signedIn(stage.program, 'no-script@real.example')
  await keep(client, { login: 'without.script' })
  const dead = page.locator('main button:not([type=submit], [popovertarget])')
  for (const path of ['/en/account', '/en/account/billing']) {
    await page.goto(stage.program.url + path)
    expect(await dead.count(), path).toBeGreaterThan(0)
    expect(await dead.filter({ visible: true }).allInnerTexts(), path).toEqual([])
  }
  await page.context().close()
})

test('after the account is deleted, the header no longer links to it, and the focus is in the page', async () => {
  const { page } = await signedInVisit('erased@real.example')
  await page.goto(`${stage.program.url}/en/account/billing`)
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Enter your email to confirm').fill('erased@real.example')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.locator('header').getByRole('link', { name: 'Premium' }).click()
  await page.getByRole('link', { name: 'Sign in to Premium' }).click()
  await page.getByRole('button', { name: 'Send link' }).waitFor()
  await page.context().close()
})

test('a label is not changed by Cancel or Escape, and the focus returns to its button', async () => {
  const { page, client } = await signedInVisit('labels@real.example')
  await keep(client, { login: 'labelled', label: 'Games' })
  await page.goto(`${stage.program.url}/en/account`)
  await untilHydrated(page)
  const edit = page.getByRole('button', { name: 'Edit label' })
  const field = page.locator('main input[name=label]')
  const cancels = [
    () => page.getByRole('button', { name: 'Cancel' }).click(),
    () => field.press('Escape'),
    () => page.getByRole('button', { name: 'Save', exact: true }).press('Escape'),
  ]
  for (const cancel of cancels) {
    await edit.click()
    expect(await field.inputValue()).toBe('Games')
    await field.fill('Something else')
    await cancel()
    await field.waitFor({ state: 'detached' })
    expect(await edit.evaluate((button) => button === document.activeElement)).toBe(true)
  }
  await page.getByRole('button', { name: 'Delete', exact: true }).waitFor()
  await page.reload()
  await page.locator('strong', { hasText: 'Games' }).waitFor()
})

/** Spacing that users may set (WCAG 1.4.12). */
const SPACED = '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }'

test.each(['/de', '/ta', '/ar'])('%s: at 320 pixels, the words of a button stay inside', async (lang) => {
  const { page, client } = await signedInVisit(`buttons${lang.slice(1)}@real.example`, {
    viewport: { width: 320, height: 800 },
    // For the style of the test.
    bypassCSP: true,
  })
  await keep(client, { login: `buttons.${lang.slice(1)}` })
  await page.goto(`${stage.program.url}${lang}/account`)
  await untilHydrated(page)
  await page.addStyleTag({ content: SPACED })
  const spilled = () =>
    page.locator('main button:visible').evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const [outer, inner] = [button.getBoundingClientRect(), button.firstElementChild!.getBoundingClientRect()]
        const whole = button.scrollWidth <= button.clientWidth && inner.left >= outer.left && inner.right <= outer.right
        return whole ? [] : [button.textContent]
      }),
    )
  expect(await spilled()).toEqual([])
  await page.locator('[data-rename]').click()
  await page.locator('input[name=label]').waitFor()
  expect(await spilled()).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})
