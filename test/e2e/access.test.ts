import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verificationMail } from '#test/support/mail/mail.ts'
import { addressOn } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Resolves when what depends on the size of the window is drawn again. */
const untilDrawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** The rules of axe that depend on colors. Nothing else differs between the colors: they are `light-dark()` in the styles. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Where the visitor acts, and at which widths each view is checked. */
const VISITS = [
  { path: '/en', width: 390, widths: [390, 1280] },
  { path: '/', width: 1280, widths: [320, 1280] },
] as const

const setWidth = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 800 })
  await untilDrawn(page)
}

/** Problems of the current view in each width, in light and dark colors. */
async function problemsIn(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await setWidth(page, width)
    const at = (problem: string): string => `${problem} at ${width}`
    found.push(...(await violations(page)).map(at))
    if ((await overflow(page)) > 0) found.push(at(`${await overflow(page)} pixels too wide`))
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await violations(page, { rules: COLOR_RULES })).map((each) => `${at(each)} in dark`))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  return found
}

/** Sets the color scheme, and returns the background color of the page. */
async function background(page: Page, colorScheme: 'light' | 'dark'): Promise<string> {
  await page.emulateMedia({ colorScheme })
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor)
}

test.each(VISITS)('every view of $path, operated at $width pixels, passes axe and fits', async (visit) => {
  const { path, width, widths } = visit
  const { page, address, send } = await stage.visit({
    path,
    // Without animations: a new row fades in and has too little contrast at first.
    reducedMotion: 'reduce',
    colorScheme: 'light',
    viewport: { width, height: 800 },
  })
  // Otherwise the checks in dark colors would check the light ones again.
  expect(await background(page, 'dark')).not.toBe(await background(page, 'light'))
  const found: Record<string, string[]> = {}
  const check = async (name: string): Promise<void> => {
    found[name] = await problemsIn(page, widths)
    await setWidth(page, width)
  }
  await check('empty')
  const { subject, ...rest } = verificationMail(address)
  await send(String(subject), rest)
  await send(`A long subject ${'with many words '.repeat(12)}`, { from: `"${'Longname '.repeat(12)}" <a@b.example>` })
  await send('x'.repeat(200), { attachments: [{ filename: `${'long'.repeat(30)}.pdf`, content: 'x' }] })
  await page.locator('tbody tr').nth(2).waitFor()
  await check('full')
  await page.getByRole('button', { name: /^(?:QR code|二维码)$/ }).click()
  await page.locator('dialog [role=img] svg').waitFor()
  await check('QR code')
  await page.keyboard.press('Escape')
  await page.locator('[action="/actions/delete"] button').click()
  await page.getByRole('dialog').waitFor()
  await check('question')
  await page.keyboard.press('Escape')
  await page.locator('tbody tr a').first().click()
  await page.locator('article').waitFor()
  await check('message')
  await page.locator('article summary').click()
  for (const view of ['source', 'headers']) {
    await page.locator(`#view-${view}`).click()
    await page.locator(view === 'source' ? '#message-body pre' : '#message-body dl').waitFor()
    await check(view)
  }
  await page.goto(`${page.url()}&ask=delete`)
  await page.locator('[action="/actions/delete-message"]').waitFor()
  await check('question about a message')
  await page.goto(`${stage.program.url}${path}?ask=delete`)
  await page.locator('[action="/actions/delete"]').waitFor()
  await check('question about the address')
  await page.goto(`${stage.program.url}${path === '/' ? '' : path}/change`)
  await check('change')
  await page.goto(`${stage.program.url}${path === '/' ? '' : path}/nothing`)
  await check('not found')
  await page.request.delete(`${stage.program.url}/api/v1/address`, { headers: { origin: stage.program.url } })
  await page.goto(`${stage.program.url}${path}#secret=${'A'.repeat(43)}`)
  await page.getByRole('dialog').waitFor()
  await check('recovery')
  await page.keyboard.press('Escape')
  await page.locator('output').waitFor()
  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([])
})

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

/** Presses Tab until the named element has the focus. Rejects after 60 attempts. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(() => {
      const element = document.activeElement
      if (!element) return { name: '', ring: false }
      const rings = [element, element.closest('tr')].map((each) => each && getComputedStyle(each))
      const label =
        element.getAttribute('aria-label') ?? element.getAttribute('placeholder') ?? element.textContent ?? ''
      return {
        name: label.trim(),
        ring: rings.some((style) => style && style.outlineStyle !== 'none' && style.outlineWidth !== '0px'),
      }
    })
    if (here.name !== name) continue
    expect(here.ring, `${name} shows that it has the focus`).toBe(true)
    return
  }
  throw new Error(`Tab never came to ${name}`)
}

test('every action works by keyboard', async () => {
  const { page, address, send } = await stage.visit()
  const { subject, ...rest } = verificationMail(address)
  await send(String(subject), rest)
  await page.locator('tbody tr').waitFor()
  await tabTo(page, 'Skip to inbox')
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await tabTo(page, 'Confirm your e-mail address')
  await page.keyboard.press('Enter')
  await page.locator('article').waitFor()
  // The skip link must not load anything.
  expect(requests.filter((path) => path.endsWith('_payload.json'))).toHaveLength(1)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.getByText('Details', { exact: true }).click()
  await tabTo(page, 'Email')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByRole('tab', { name: 'Text' }).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByRole('tab', { name: 'Source' }).getAttribute('aria-selected')).toBe('true')
  await page.locator('#message-body pre').getByText('Subject: Confirm').waitFor()
  // The code and the link of the message are between its details and its body.
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return page.evaluate(() => document.activeElement?.id)
    })
    .toBe('message-body')
  await page.keyboard.press('Escape')
  await page.locator('tbody tr').waitFor()
  // The focus returns to the row of the message.
  await expect.poll(() => focused(page)).toBe('Confirm your e-mail address')
  await page.keyboard.press('Enter')
  await page.locator('article').waitFor()
  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await page.getByText('Your inbox is empty').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await tabTo(page, 'Copy')
  await tabTo(page, 'QR code')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('QR code')
  await tabTo(page, 'Change')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  await tabTo(page, 'e.g. river.stone')
  await page.keyboard.type('admin')
  await tabTo(page, 'Save')
  await page.keyboard.press('Enter')
  // The field whose input is refused gets the focus and describes why.
  await page.locator('[name=login][aria-invalid=true]:focus').waitFor()
  await page.getByText('This name is reserved').waitFor()
  await tabTo(page, 'Back to inbox')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This address is no longer active').waitFor()
  await tabTo(page, 'Get a new address')
  await page.keyboard.press('Enter')
  await expect.poll(() => addressOn(page)).not.toBe(address)
})

test('animates nothing if the visitor prefers reduced motion', async () => {
  const { page, send } = await stage.visit({ reducedMotion: 'reduce' })
  await send('Still')
  await page.getByRole('link', { name: 'Still', exact: true }).waitFor()
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().activeDuration) > 10)
        .length,
  )
  expect(moving).toBe(0)
})
