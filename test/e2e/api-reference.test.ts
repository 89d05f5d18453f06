import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('renders the reference from this site alone, with samples that have its URL', async () => {
  const { program, browser } = stage
  const { page, pageErrors } = await newVisit(browser, { viewport: { width: 1280, height: 900 } })
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto(`${program.url}/en/api`)
  await page.getByRole('link', { name: 'Open the API reference' }).click()
  await page.getByRole('heading', { name: 'Mayfly API' }).waitFor()
  await page.getByText(`curl ${program.url}/api/v1/addresses`).first().waitFor()
  expect([...origins]).toEqual([program.url])
  expect(pageErrors).toEqual([])
  const created = page.waitForRequest((request) => request.url() === `${program.url}/api/v1/addresses`)
  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: 'Test Request' }).first().click()
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const sent = await created
  expect((await sent.response())?.status()).toBe(201)
  expect([(await sent.allHeaders()).cookie, await page.context().cookies()]).toEqual([undefined, cookies])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: '← Mayfly API' }).click()
  await page.waitForURL(`${program.url}/en/api`)
})
