import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** Milliseconds in which a browser must have laid out a message, on a machine that is busy. */
const SOON = 8000
const flat = '<i></i>'.repeat(16_000)

test.each([
  ['s~q~i{color:red}'.repeat(10), flat],
  ['i:has(~ b){color:red}'.repeat(10), flat],
  [':not(:not(b ~ i) ~ i) ~ i{color:red}', flat],
  [`${'& ~ i{'.repeat(6)}color:red${'}'.repeat(6)}`, flat],
  ['i{color:red}'.repeat(6000), flat],
])('the frame of a message with costly selectors is shown soon: %s', async (css, html) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const document = htmlFrame(sanitizeMailHtml(`<style>${css}</style>${html}`).html)
  const started = performance.now()
  await page.setContent(document, { timeout: SOON })
  await page.evaluate(() => globalThis.document.documentElement.scrollHeight)
  expect(performance.now() - started).toBeLessThan(SOON)
  await context.close()
})
