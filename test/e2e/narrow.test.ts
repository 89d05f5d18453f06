import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test.each(['/ru', '/pt/change', '/uk/change', '/ta/change', '/de/contact'])(
  'at 320 pixels, %s fits while it connects, and its options are whole',
  async (path) => {
    const { page } = await newVisit(stage.browser, { viewport: { width: 320, height: 568 } })
    await page.route('**/api/v1/addresses', () => {})
    await page.goto(stage.program.url + path)
    await page.locator('h1').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    const cut = await page.locator('main select:visible').evaluateAll((selects) =>
      (selects as HTMLSelectElement[]).flatMap((select) => {
        const { font, whiteSpace, paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(select)
        const width = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
        return [...select.options].flatMap(({ text }, index) => {
          // A long option makes the select higher.
          select.selectedIndex = index
          const height = select.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
          const box = document.body.appendChild(document.createElement('div'))
          Object.assign(box.style, { font, whiteSpace, width: `${width}px` })
          box.textContent = text
          const fits = box.scrollWidth <= Math.ceil(width) && box.offsetHeight <= Math.ceil(height)
          const sizes = `${text}: ${box.scrollWidth} of ${width}, ${box.offsetHeight} of ${height}`
          box.remove()
          return fits ? [] : [sizes]
        })
      }),
    )
    expect(cut).toEqual([])
    await page.context().close()
  },
)

test.each(['/de', '/ar', '/ta'])(
  '%s: the offered language and “Privacy” are large enough for a finger',
  async (path) => {
    for (const width of [320, 390]) {
      const { page } = await stage.visit({ path, locale: 'en-US', viewport: { width, height: 664 } })
      expect((await page.locator('header aside a').boundingBox())?.height).toBeGreaterThanOrEqual(44)
      // What a finger hits, from the middle of the link upwards and downwards.
      const [above, below] = await page
        .locator('main a[href$="/privacy"]')
        .first()
        .evaluate((link) => {
          const { left, top, width: wide, height } = link.getBoundingClientRect()
          const reach = (step: number): number => {
            let y = top + height / 2
            while (link.contains(document.elementFromPoint(left + wide / 2, y))) y += step
            return Math.abs(y - top - height / 2)
          }
          return [reach(-0.5), reach(0.5)]
        })
      expect(above! + below!).toBeGreaterThanOrEqual(44)
      await page.context().close()
    }
  },
)

test.each([
  ['QR code', { width: 740, height: 360 }],
  ['Delete', { width: 320, height: 256 }],
])('on a low screen, the dialog of "%s" begins at its top', async (name, viewport) => {
  const { page, send } = await stage.visit({ viewport })
  await send('Keeps the dialog')
  await page.getByRole('link', { name: 'Keeps the dialog' }).waitFor()
  await page.getByRole('button', { name, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  if (name === 'QR code') await dialog.locator('svg').first().waitFor()
  const { hidden, top } = await dialog.evaluate((each) => ({
    hidden: each.scrollHeight - each.clientHeight,
    top: each.scrollTop,
  }))
  expect(hidden).toBeGreaterThan(0)
  expect(top).toBe(0)
  await page.context().close()
})

test.each(['/en', '/ar'])(
  'in %s, a row shows the start of a text only where it has room for a few letters',
  async (path) => {
    const { page, send } = await stage.visit({ path, viewport: { width: 390, height: 780 } })
    const file = { attachments: [{ filename: 'a.txt', content: 'x' }] }
    for (let i = 4; i < 24; i += 2)
      await send(`${'n'.repeat(i)} ${i}`, { text: 'Wide text '.repeat(9), ...(i % 4 ? file : {}) })
    await expect.poll(() => page.locator('tbody tr').count()).toBe(10)
    const widths = await page
      .locator('tbody a + span bdi')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width))
    expect(widths.filter((width) => width > 0 && width < 32)).toEqual([])
    // Some rows have room for it and others have not.
    expect(new Set(widths.map((width) => width > 0)).size).toBe(2)
    // The paper clip stays.
    const clips = await page.locator('tbody a + span svg').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect(clips).toEqual(Array.from({ length: 5 }, () => 14))
    await page.context().close()
  },
)

test.each(['/de', '/fr', '/ru', '/ro', '/pl'])(
  'no word of an action of %s is broken, and all are in one row',
  async (path) => {
    for (const width of [320, 390]) {
      const { page } = await stage.visit({ path, viewport: { width, height: 664 } })
      const broken = await page.locator('[action="/actions/delete"]').evaluate((form) =>
        [...form.parentElement!.querySelectorAll('span')].flatMap(({ firstChild }) =>
          [...(firstChild?.textContent ?? '').matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
            const range = document.createRange()
            range.setStart(firstChild!, index)
            range.setEnd(firstChild!, index + word.length)
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word] : []
          }),
        ),
      )
      expect(broken).toEqual([])
      const tops = await page
        .locator('[action="/actions/delete"]')
        .evaluate((form) =>
          [...form.parentElement!.children].map((each) => Math.round(each.getBoundingClientRect().top)),
        )
      expect(new Set(tops).size).toBe(1)
      await page.context().close()
    }
  },
)

test.each([320, 390, 1280])('suggestions move nothing when they appear at %i pixels', async (width) => {
  const { page } = await stage.visit({ path: '/en/email-generator', viewport: { width, height: 844 } })
  await page.addInitScript(() => {
    const shifts = Object.assign(globalThis, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.shifted += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.reload()
  await page.locator('#generator-title').waitFor()
  await page.locator('[data-status=live]').waitFor()
  // From 0.1 on, browsers call a page unstable.
  expect(await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)).toBeLessThan(0.1)
  await page.context().close()
})
