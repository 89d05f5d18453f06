import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const NARROW = { width: 320, height: 568 }
const top = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!

test('the focus goes through the tools of the inbox in the order in which they are seen', async () => {
  const { page, send } = await stage.visit()
  await send('First')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Search').focus()
  const next = async () => {
    await page.keyboard.press('Tab')
    return page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  }
  expect([await next(), await next()]).toEqual(['Select several', 'Options and shortcuts'])
  await button('Search').click()
  await button('Select several').click()
  await button('Search').focus()
  const order = [await next(), await next(), await next()]
  expect(order).toEqual(['Select several', 'Options and shortcuts', 'Search sender, subject, text'])
  const seen = await page
    .locator('#inbox-title ~ *')
    .locator('visible=true')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, y }) => [Math.round(y), x]))
  expect(seen).toEqual(seen.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => (Math.abs(a - c) > 20 ? a - c : b - d)))
  await page.context().close()
})

test('loading remote images keeps the focus at the message', async () => {
  const { page, send } = await stage.visit()
  await send('Images', { text: undefined, html: '<p>x</p><img src="https://images.example/a.png">' })
  await page.getByRole('link', { name: 'Images', exact: true }).click()
  const show = page.getByRole('button', { name: 'Load remote images' })
  await show.focus()
  await page.keyboard.press('Enter')
  await show.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('message-body')
  await page.context().close()
})

test('on the smallest screens, a row has room for sender and subject, until its last hour', async () => {
  const { page, send } = await stage.visit({ viewport: NARROW })
  await send('With room')
  await page.getByRole('link', { name: 'With room', exact: true }).waitFor()
  const left = page.locator('[data-left]')
  expect(await left.isVisible()).toBe(false)
  const [row, sender, subject] = [
    await top(page, 'tbody tr'),
    await top(page, 'tbody bdi'),
    await top(page, 'tbody tr a'),
  ]
  expect(sender.width).toBeGreaterThan(row.width * 0.7)
  expect(subject.y).toBeGreaterThanOrEqual(sender.y + sender.height)
  await page.setViewportSize({ width: 390, height: 664 })
  expect(await left.isVisible()).toBe(true)
  await page.context().close()

  const short = await stage.visit({ viewport: NARROW, path: '/en/10-minute-mail' })
  await short.send('Soon')
  await short.page.locator('[data-left]').getByText('min').waitFor()
  await short.page.context().close()
})

test.each(['en', 'ar', 'de', 'ta', 'my'])(
  'selects are as tall as other fields on the smallest screens, unless their text wraps: %s',
  async (lang) => {
    const { page } = await newVisit(stage.browser, { viewport: NARROW })
    for (const path of ['contact', 'change']) {
      await page.goto(`${stage.program.url}/${lang}/${path}`)
      const selects = await page.locator('main select:visible').all()
      expect(selects.length).toBeGreaterThan(0)
      for (const select of selects) {
        const { height } = (await select.boundingBox())!
        if ((await select.getAttribute('name')) === 'lifetime') expect(height).toBeGreaterThanOrEqual(48)
        else expect(height).toBe(48)
      }
    }
    await page.context().close()
  },
)

test.each(['en', 'ar'])('the question before a deletion has one edge: %s', async (lang) => {
  const { page } = await stage.visit({ path: `/${lang}` })
  for (const viewport of [NARROW, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport)
    await page.goto(`${stage.program.url}/${lang}?ask=delete`)
    const [title, link] = [await top(page, 'main h1'), await top(page, 'main form a')]
    if (lang === 'ar') expect(link.x + link.width).toBeCloseTo(title.x + title.width, 0)
    else expect(link.x).toBeCloseTo(title.x, 0)
  }
  await page.context().close()
})
