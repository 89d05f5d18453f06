import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { documentOf } from '../../packages/extension/src/popup/frame.ts'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

const IMAGE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200"/>')}`

test('a message has images as wide as the popup, and those with a map in the size of its areas', async () => {
  const context = await browser.newContext({ viewport: { width: 400, height: 600 } })
  const page = await context.newPage()
  const area = '<map name="m"><area shape="rect" coords="0,0,800,200" href="https://confirm.example/"></map>'
  const html = `<img src="${IMAGE}" width="800" height="200"><img src="${IMAGE}" width="800" height="200" usemap="#m">${area}`
  await page.setContent(documentOf({ html, text: null }))
  const sizes = () => page.evaluate(() => Array.from(document.images, ({ width, height }) => [width, height]))
  expect(await sizes()).toEqual([
    [368, 92],
    [800, 200],
  ])
})
