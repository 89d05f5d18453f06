import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openPrivateStage, type PrivateStage } from './private-stage.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann.grid@real.example')
})
afterAll(() => stage.close())

const PAGES = [
  // Without an address: the lines that lead from an address to its destinations are indented.
  '/en/forwarding',
  '/en',
  '/en/10-minute-mail',
  '/en/email-generator',
  '/en/change',
  '/en/contact',
  '/en/problem',
  '/en/terms',
  '/en/privacy',
  '/en/apps',
  '/en/api',
  '/en/articles',
  '/en/articleDetail?slug=spotting-phishing',
  '/en/forwarded',
  '/en/premium',
  '/en/account',
  '/en/checkout',
  '/en/private',
  '/en/nothing-here',
  '/faq',
]
const OF_SUBSCRIBERS = [
  '/en',
  '/en/change',
  '/en/premium',
  '/en/account',
  '/en/account/domains',
  '/en/account/developer',
  '/en/account/billing',
  '/en/private',
  '/en?show=deliveries',
]

/** The headings and blocks of a page that start at neither of its two edges. A card counts as a whole. */
const strays = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const form = 'form:has(input:not([type=hidden]), select, textarea)'
    const block = `main :is(h1, h2, ${form}, table, dl, output, [data-prose] > *)`
    const first = (document.documentElement.clientWidth - 1040) / 2 + 24
    const edges = new Set([first, first + 352])
    const isCard = (element: Element): boolean => {
      const { borderInlineStartWidth, backgroundColor } = getComputedStyle(element)
      return borderInlineStartWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)'
    }
    return [...document.querySelectorAll<HTMLElement>(block)].flatMap((each) => {
      let top: HTMLElement = each
      for (let up = each.parentElement; up && up.id !== 'main'; up = up.parentElement) if (isCard(up)) top = up
      const { left, width } = top.getBoundingClientRect()
      const inFlow = width > 1 && !['absolute', 'fixed'].includes(getComputedStyle(top).position)
      return inFlow && !edges.has(Math.round(left)) && !each.closest('dialog, [popover], footer')
        ? [`${Math.round(left)} ${each.tagName} ${each.textContent?.slice(0, 30)}`]
        : []
    })
  })

/** The heading of a page, if it does not start at the first edge or is not above everything else. */
const strayHeading = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const first = (document.documentElement.clientWidth - 1040) / 2 + 24
    const heading = document.querySelector('main h1')!.getBoundingClientRect()
    const form = document.querySelector('main form:has(label), main [data-prose]')?.getBoundingClientRect()
    const isHigher = form === undefined || heading.top < form.top + 24
    return Math.round(heading.left) === first && isHigher ? [] : [`${heading.left} ${heading.top} H1`]
  })

async function allStrays(page: Page, paths: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await page.goto(stage.program.url + path)
    await page.locator('main :is(h1, h2)').first().waitFor()
    for (const width of [1280, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      const others = [...(await strays(page)), ...(await strayHeading(page))]
      if (others.length > 0) found[`${path} at ${width}`] = others
    }
  }
  return found
}

test('headings and blocks of all pages start at one of two edges', async () => {
  const { page } = await newVisit(stage.browser)
  expect(await allStrays(page, PAGES)).toEqual({})
})

test('so do those of pages that only subscribers see', async () => {
  const { page } = await stage.device('/en')
  await page.locator('[data-status=live]').waitFor()
  expect(await allStrays(page, OF_SUBSCRIBERS)).toEqual({})
})

test('text in inputs, selects and cards above one another starts at the same edge', async () => {
  for (const width of [1280, 390]) {
    const { page } = await stage.visit({ viewport: { width, height: 900 } })
    await page.goto(`${stage.program.url}/en/change`)
    await page.locator('main form').first().waitFor()
    const starts = await page
      .locator('main :is(form input:not([type=hidden]), form select, form, form ~ aside, div:has(+ form))')
      .evaluateAll((all) =>
        all.map((each) => {
          const { borderInlineStartWidth: border, paddingInlineStart: padding } = getComputedStyle(each)
          const start = each.getBoundingClientRect().left + Number.parseFloat(border) + Number.parseFloat(padding)
          return each.matches('input, select') ? `in a field ${Math.round(start)}` : Math.round((start - 1) / 2)
        }),
      )
    expect(starts.length).toBeGreaterThan(4)
    expect(new Set(starts).size, JSON.stringify(starts)).toBe(2)
    await page.context().close()
  }
})
