import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, newVisit } from '#test/support/program/browser.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

let program: Program
let browser: Browser
beforeAll(async () => {
  program = await startProgram()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await program.stop()
})

test('renders the reference from this site alone, with samples that have its URL', async () => {
  const { page, complaints } = await newVisit(browser, { viewport: { width: 1280, height: 900 } })
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto(`${program.url}/en/api`)
  await page.getByRole('link', { name: 'Open the API reference' }).click()
  await page.getByRole('heading', { name: 'Mayfly API' }).waitFor()
  await page.getByText(`curl ${program.url}/api/v1/addresses`).first().waitFor()
  expect([...origins]).toEqual([program.url])
  expect(complaints).toEqual([])
  await page.getByRole('link', { name: '← Mayfly API' }).click()
  await page.waitForURL(`${program.url}/en/api`)
})
