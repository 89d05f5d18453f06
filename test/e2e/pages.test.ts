import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages, pathIn } from '#locales/languages.ts'
import { newVisit, type Visit } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const PATHS = [
  '/10-minute-mail',
  '/email-generator',
  '/change',
  '/api',
  '/terms',
  '/privacy',
  '/apps',
  '/premium',
  '/contact',
  '/problem',
  '/articles',
  '/articleDetail?slug=testing-sign-up-flows',
  '/nothing',
]
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Accessibility violations and overflow of the current page. */
async function faults(page: Page): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return [...(await violations(page, { tags: WCAG })), ...(wide > 0 ? [`${wide} pixels too wide`] : [])]
}

/** For WCAG 2.2 AA: 640 pixels are a screen of 1280 pixels at 200 %; reflow (1.4.10) requires 320 pixels. */
const PROFILES = [
  { code: 'zh', colorScheme: 'light', width: 1280 },
  { code: 'en', colorScheme: 'dark', width: 640 },
  { code: 'ar', colorScheme: 'light', width: 320 },
  { code: 'hi', colorScheme: 'dark', width: 390 },
] as const
type Profile = (typeof PROFILES)[number]

const visitAs = ({ colorScheme, width }: Profile): Promise<Visit> =>
  newVisit(stage.browser, { colorScheme, viewport: { width, height: 800 } })

/** Keeps those that have faults. */
const faulty = (found: Record<string, string[]>) => Object.entries(found).filter(([, list]) => list.length > 0)

// One browser context opens page after page: with a new context for each, a load takes three times as long.
describe.concurrent.each(PROFILES)('in $code, $colorScheme, at $width pixels', (profile) => {
  const { code, width } = profile

  test('every page passes axe and fits', { timeout: 10 * PATIENCE }, async () => {
    const { page, pageErrors } = await visitAs(profile)
    const found: Record<string, string[]> = {}
    for (const path of [...PATHS, ...(code === 'zh' ? ['/faq'] : [])]) {
      await page.goto(stage.program.url + pathIn(code, path))
      await page.locator('h1').waitFor()
      await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')))
      found[path] = await faults(page)
      // The browser logs a response with status 404.
      found[path].push(...pageErrors.splice(0).filter((text) => path !== '/nothing' || !text.includes('404')))
    }
    expect(faulty(found)).toEqual([])
    expect(Object.keys(found).length).toBeGreaterThan(12)
    await page.context().close()
  })

  test('the offline page passes axe and fits', async () => {
    const { page, pageErrors } = await visitAs(profile)
    // It reloads as soon as the service is reachable, so requests must not complete.
    await page.addInitScript(() => (window.fetch = () => new Promise(() => {})))
    await page.goto(stage.program.url + pathIn(code, '/offline'))
    await page.locator('h1').waitFor()
    expect(await faults(page)).toEqual([])
    expect(pageErrors).toEqual([])
    await page.context().close()
  })

  test('every panel and the plans pass axe and fit', async () => {
    const { page, pageErrors } = await visitAs(profile)
    const found: Record<string, string[]> = {}
    await page.goto(stage.program.url + pathIn(code, '/terms'))
    for (const panel of ['languages', ...(width <= 900 ? ['menu'] : []), 'popular']) {
      await page.locator(`[popovertarget=${panel}]`).click()
      await page.locator(`#${panel}`).waitFor()
      found[panel] = await faults(page)
      if (panel !== 'menu') await page.keyboard.press('Escape')
    }
    if (width <= 900 && !(await page.locator('#menu').isVisible())) await page.locator('[popovertarget=menu]').click()
    await page.locator('#menu a[href$="/premium"]').click()
    await page.locator('dialog form').waitFor()
    found['the plans'] = await faults(page)
    expect(faulty(found)).toEqual([])
    expect(pageErrors).toEqual([])
    await page.context().close()
  })
})

test.concurrent.each(languages.map(({ code }) => code))(
  'in %s nothing is cut off or overflows on a phone, and hydration matches',
  async (code) => {
    const { page, pageErrors } = await newVisit(stage.browser, { viewport: { width: 360, height: 740 } })
    const wide: string[] = []
    for (const path of [
      '/',
      '/contact',
      '/problem',
      '/premium',
      '/articles',
      '/articleDetail?slug=ten-minute-mail',
      '/api',
    ]) {
      await page.goto(stage.program.url + pathIn(code, path))
      if (path === '/') await page.locator('output').waitFor()
      const cut = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('button, a, h1, h2, h3, label, legend, summary')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
          .map(({ tagName, textContent }) => `${tagName} ${textContent?.slice(0, 40)}`),
      )
      wide.push(...cut.map((each) => `${path}: ${each}`))
    }
    expect(wide).toEqual([])
    expect(pageErrors).toEqual([])
    await page.context().close()
  },
)

test.each([
  ['the header and the footer', '/en/terms', 10],
  ['the offer of Premium', '/en/change', 12],
])('links of %s are large enough for fingers on a phone', async (_where, path, least) => {
  const { page } = await newVisit(stage.browser, { viewport: { width: 390, height: 664 } })
  await page.goto(stage.program.url + path)
  const heights = await page
    .locator('header > a, footer a, footer button, main aside a')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(least)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  await page.context().close()
})

test('buttons and the focused field are visible in forced colors', async () => {
  const { page } = await stage.visit({ forcedColors: 'active' })
  const border = (name: string) =>
    page
      .getByRole('button', { name })
      .first()
      .evaluate((element) => getComputedStyle(element).borderStyle + getComputedStyle(element).borderWidth)
  expect(await border('Copy')).toMatch(/solid[1-9]/)
  await page.goto(`${stage.program.url}/en/contact`)
  await page.getByLabel('Name').focus()
  expect(await page.getByLabel('Name').evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
})
