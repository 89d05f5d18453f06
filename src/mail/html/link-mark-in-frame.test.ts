import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** What the mark of a message with a style sheet looks like. */
async function markWith(css: string, link = '<a href="https://evil.com">paypal.com</a>') {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  await page.setContent(htmlFrame(sanitizeMailHtml(`<style>${css}</style><p id="p">${link}</p>`).html))
  const look = await page.locator('bdi').evaluate((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect()
    const { direction, unicodeBidi, backgroundColor, color } = getComputedStyle(mark)
    const isBare = ['::before', '::after'].map((pseudo) =>
      /^(?:none|normal)$/.test(getComputedStyle(mark, pseudo).content),
    )
    const onTop = document.elementFromPoint(left + width / 2, top + height / 2) === mark
    return { width, height, direction, unicodeBidi, backgroundColor, color, isBare, onTop }
  })
  await context.close()
  return look
}

const cover = 'content:"paypal.com"!important;position:absolute!important;inset:0;background:#fdf2de'

test.each([
  `bdi::before{${cover}}`,
  `#p>*::after,#p bdi[dir][style]::after{${cover}}`,
  `@media all{*::before{${cover}}}`,
  'bdi{direction:rtl!important;unicode-bidi:bidi-override!important;display:none!important}',
  'bdi::first-line{font-size:0!important}bdi::first-letter{font-size:0!important;color:#fdf2de!important}',
  `#p{position:relative}a{${cover};width:300px}`,
])('no style sheet covers or changes the mark of a link: %s', async (css) => {
  const own = await markWith('')
  expect(own).toMatchObject({ direction: 'ltr', isBare: [true, true], onTop: true })
  expect(await markWith(css)).toEqual(own)
})

test('the host of the mark breaks only if it is longer than a line', async () => {
  for (const [width, text] of [
    [160, 'www.paypal.com'],
    [130, 'paypal.com'],
  ] as const) {
    const { height } = await markWith(`#p{width:${width}px}`, `<a href="https://evil.example/">${text}</a>`)
    expect(height).toBeLessThan(30)
  }
  const { height } = await markWith('#p{width:60px}', '<a href="https://evil.example/">paypal.com</a>')
  expect(height).toBeGreaterThan(30)
})
