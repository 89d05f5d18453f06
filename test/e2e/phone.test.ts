import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomLogin } from '#core/mailbox/random-login.ts'
import { languages } from '#locales/languages.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const BOTH = {
  text: 'Your verification code is 482913. Or confirm your address: https://site.example/confirm?token=8fh2k1aa',
}

/** The lower edges of parts of the page, in pixels from the top of the window. */
const edges = (page: Page) =>
  page.evaluate(() => {
    const bottom = (selector: string): number =>
      Math.max(...[...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().bottom))
    return {
      address: bottom('output'),
      actions: bottom('[action="/actions/delete"]'),
      sender: bottom('tbody tr:first-child bdi'),
      code: bottom('tbody tr:first-child [data-offer] button'),
      scrolled: scrollY,
      wide: document.documentElement.scrollWidth - innerWidth,
    }
  })

test.each([
  ['/en', 'de-DE'],
  ['/de', 'en-US'],
  ['/ar', 'en-US'],
  ['/', 'vi-VN'],
])('%s shows address, actions and the newest code on a phone, with the language offer open', async (path, locale) => {
  const { page, send } = await stage.visit({ path, locale, viewport: { width: 390, height: 664 } })
  expect(await page.locator('header aside a').isVisible()).toBe(true)
  await send('604218 is your code, with a long subject that does not fit', BOTH)
  await page.locator('tbody [data-offer]').waitFor()
  await page.locator('search, [aria-pressed]').first().waitFor()
  // The address begins where its page does, although it is set from left to right.
  const side = await page.locator('output').evaluate((output) => getComputedStyle(output).textAlign)
  expect(side).toBe(path === '/ar' ? 'right' : 'start')
  const { code, scrolled, wide } = await edges(page)
  expect(code).toBeLessThanOrEqual(664)
  expect([scrolled, wide]).toEqual([0, 0])
  // One row of actions.
  const tops = await page
    .locator('[action="/actions/delete"]')
    .locator('..')
    .evaluate((row) => [...row.children].map((each) => Math.round(each.getBoundingClientRect().top)))
  expect(new Set(tops).size).toBe(1)

  await page.setViewportSize({ width: 320, height: 568 })
  const small = await edges(page)
  expect(Math.max(small.address, small.actions, small.sender)).toBeLessThanOrEqual(568)
  expect(small.wide).toBe(0)
  await page.context().close()
})

test.each(['/de', '/ta'])('%s has one row of actions and a head of one row at 320 pixels', async (path) => {
  const { page, send } = await stage.visit({ path, viewport: { width: 320, height: 568 } })
  const heights = () =>
    page.evaluate(() => {
      const height = (selector: string): number => document.querySelector<HTMLElement>(selector)!.offsetHeight
      const actions = [...document.querySelector('[action="/actions/delete"]')!.parentElement!.children]
      return {
        head: document.querySelector('#inbox-title')!.parentElement!.offsetHeight,
        rows: new Set(actions.map((each) => Math.round(each.getBoundingClientRect().top))).size,
        random: height('form:has(select[name=domain]) button'),
      }
    })
  const { head, rows, random } = await heights()
  expect(head).toBeLessThanOrEqual(48)
  expect(rows).toBe(1)
  // Two lines.
  expect(random).toBeLessThan(60)
  await send('Your code', BOTH)
  await page.locator('search, [aria-pressed]').first().waitFor()
  expect((await heights()).head).toBeLessThanOrEqual(48)
  await page.context().close()
})

test.each(['/de', '/my', '/ru', '/ta'])('at 320 pixels, a row of %s shows the whole name of a sender', async (path) => {
  const { page, send } = await stage.visit({ path, viewport: { width: 320, height: 568 } })
  await send('A subject that does not fit')
  const cut = await page
    .locator('tbody tr bdi')
    .first()
    .evaluate((name) => name.scrollWidth - name.clientWidth)
  expect(cut).toBe(0)
  // The card of the address has the same margin on both sides.
  const sides = await page.locator('output').evaluate((output) => {
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(output.parentElement!.parentElement!)
    return [paddingInlineStart, paddingInlineEnd]
  })
  expect(sides[0]).toBe(sides[1])
  await page.context().close()
})

test('on a phone, the cells of a table are stacked with the labels of their columns', async () => {
  const { page } = await newVisit(stage.browser, { viewport: { width: 320, height: 568 } })
  await page.goto(`${stage.program.url}/ta/privacy`)
  const table = page.locator('[data-table]').first()
  const cells = table.locator('tr').nth(1).locator('th, td')
  const label = await table.locator('th').nth(1).textContent()
  expect(await cells.nth(1).evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe(`"${label}" / ""`)
  // Screen readers still find the column headers.
  expect(await table.getByRole('columnheader', { name: label!, exact: true }).count()).toBe(1)
  expect(await violations(page)).toEqual([])
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await cells.nth(1).evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('none')
})

test('the offer is in the HTML itself, in the language of the browser, and keeps shared pages shared', async () => {
  const offered = async (accepted: string, path = '/en') => {
    const headers = { 'accept-language': accepted, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const response = await fetch(stage.program.url + path, { headers })
    return /<aside[^>]* lang="([\w-]+)"/.exec(await response.text())?.[1]
  }
  expect(await offered('de-AT,de;q=0.9,en;q=0.5')).toBe('de-DE')
  expect(await offered('en-GB')).toBeUndefined()
  expect(await offered('de', '/de/contact')).toBeUndefined()
  expect(await offered('ar', '/en/contact')).toBe('ar')
})

const FONTS = [
  'system-ui',
  'serif',
  'sans-serif',
  'monospace',
  'DejaVu Sans',
  'DejaVu Serif',
  'DejaVu Sans Mono',
  'Liberation Sans',
  'Verdana',
  'Georgia',
]

test('no address is cut: it wraps before the @, at 18 px or more, also with large and spaced text', async () => {
  const logins = Array.from({ length: 392 }, () => randomLogin((bound) => randomInt(bound)))
  const extreme = [
    'a'.repeat(64),
    'abc',
    'w'.repeat(40),
    `${'ab.'.repeat(20)}c`,
    'i'.repeat(64),
    'm-m_m.m',
    'x1.y2',
    'z'.repeat(20),
  ]
  const domains = [
    'mayfly.test',
    'dayfly.test',
    'mail.temporary-addresses.example',
    'a-very-long-domain-name-of-somebody.example',
  ]
  const addresses = [...logins, ...extreme].map((login, i) => `${login}@${domains[i % domains.length]}`)
  const { page } = await stage.visit({ viewport: { width: 320, height: 568 } })
  const bad = await page.evaluate(
    ({ all, fonts }) => {
      const root = document.documentElement.style
      const output = document.querySelector('output')!
      const [login, domain] = output.children as unknown as [HTMLElement, HTMLElement]
      const faults: string[] = []
      for (const [width, size, spaced] of [
        [320, '100%', false],
        [320, '200%', true],
        [1280, '100%', false],
      ] as const) {
        document.body.style.inlineSize = `${width}px`
        root.fontSize = size
        output.style.letterSpacing = spaced ? '0.12em' : ''
        output.style.wordSpacing = spaced ? '0.16em' : ''
        output.style.lineHeight = spaced ? '1.5' : ''
        // The strictest case in all fonts, the others in one.
        for (const font of spaced ? fonts : fonts.slice(0, 1)) {
          output.style.fontFamily = font
          if (Number.parseFloat(getComputedStyle(output).fontSize) < 18) faults.push(`${font} is too small`)
          for (const address of all) {
            const at = address.lastIndexOf('@')
            login.textContent = address.slice(0, at)
            domain.textContent = address.slice(at)
            const box = output.getBoundingClientRect()
            const plate = output.parentElement!.parentElement!.getBoundingClientRect()
            const rects = [...login.getClientRects(), ...domain.getClientRects()]
            const inside = rects.every(({ left, right }) => left >= box.left - 1 && right <= box.right + 1)
            const whole =
              output.scrollWidth <= output.clientWidth + 1 && box.right <= plate.right && box.left >= plate.left
            // Within a part it breaks only if the part is longer than a line.
            const line = Number.parseFloat(getComputedStyle(output).lineHeight)
            const lines = (part: HTMLElement) => Math.round(part.getBoundingClientRect().height / line)
            const fits = (part: HTMLElement) => {
              const before = part.style.cssText
              part.style.cssText = 'position:absolute;white-space:nowrap;max-inline-size:none'
              const { width: needed } = part.getBoundingClientRect()
              part.style.cssText = before
              return needed <= box.width - 1
            }
            const calm = [login, domain].every((part) => lines(part) <= 1 || !fits(part))
            if (!inside || !whole || !calm) faults.push(`${font} ${size} ${address}: ${inside} ${whole} ${calm}`)
          }
        }
      }
      return faults
    },
    { all: addresses, fonts: FONTS },
  )
  expect(bad.slice(0, 5)).toEqual([])
})

test('a click selects the whole address, and it is copied in one piece', async () => {
  const { page, address } = await stage.visit()
  await page.locator('output').click()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(address)
})

test('no style animates endlessly', async () => {
  const client = join(import.meta.dirname, '../../dist/client/assets')
  const styles = (await readdir(client)).filter((name) => name.endsWith('.css'))
  for (const name of styles) expect(await readFile(join(client, name), 'utf8')).not.toContain('infinite')
})

test('one ripple answers a new message, and then everything is still', async () => {
  const { page, send } = await stage.visit({ reducedMotion: 'no-preference' })
  const running = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  await expect.poll(running).toBe(0)
  await send('Arrives')
  await expect.poll(running).toBeGreaterThan(0)
  await expect.poll(running).toBe(0)
})

test('chosen colors hold before the first paint of every page, and "Automatic" follows the device', async () => {
  const { page, pageErrors } = await stage.visit({ colorScheme: 'light' })
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  await page.getByRole('button', { name: 'Colors' }).click()
  // Styles of the footer, in which it is, don't reach into the dialog.
  const rights = await page.locator('dialog').evaluate((dialog) => {
    const right = (name: string) => dialog.querySelector(name)!.getBoundingClientRect().right
    return [right('button'), right('[role=radiogroup]')]
  })
  expect(rights[0]).toBe(rights[1])
  await page.getByRole('radio', { name: 'Dark' }).check()
  const dark = await paper()
  expect(dark).not.toBe(light)
  // The scripts of the page never run; the inline script alone decides.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(`${stage.program.url}/en/contact`, { waitUntil: 'commit' })
  await page.locator('h1').waitFor()
  expect(await paper()).toBe(dark)
  expect(await page.locator('[name=theme-color][data-colors=dark]').getAttribute('media')).toBe('all')
  await page.unroute('**/assets/*.js')
  await page.goto(`${stage.program.url}/en`)
  await page.locator('[data-status=live]').waitFor()
  await page.getByRole('button', { name: 'Colors' }).click()
  await page.getByRole('radio', { name: 'Automatic' }).check()
  expect(await paper()).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await paper()).toBe(dark)
  expect(pageErrors.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

test('the language menu is sorted, can be typed into, and stays below the header', async () => {
  const { page } = await stage.visit()
  await page.getByRole('button', { name: 'Choose a language' }).click()
  const menu = page.locator('#languages')
  const names = await menu.locator('a').allInnerTexts()
  expect(names).toHaveLength(languages.length)
  const latin = names.filter((name) => /^\p{Script=Latin}/u.test(name))
  expect(names.slice(0, latin.length)).toEqual(latin.toSorted(new Intl.Collator('en').compare))
  const [button, panel] = await Promise.all([
    page.getByRole('button', { name: 'Choose a language' }).boundingBox(),
    menu.boundingBox(),
  ])
  expect(panel!.y).toBeGreaterThanOrEqual(button!.y + button!.height)
  await page.keyboard.type('ger')
  await expect.poll(() => menu.locator('a').allInnerTexts()).toEqual(['Deutsch'])
  await page.keyboard.press('Enter')
  await page.locator('html[lang=de-DE]').waitFor()
})

test.each([
  ['/en', 'left'],
  ['/ur', 'right'],
])('in %s, all names of languages are at the %s', async (path, edge) => {
  const { page } = await stage.visit({ path })
  const links = page.locator('#languages a')
  const found = await links.evaluateAll((all) => all.map((each) => getComputedStyle(each).textAlign))
  expect(new Set(found)).toEqual(new Set([edge]))
})
