import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeContexts } from '#test/support/program/browser.ts'
import { link, type ListStage, openListStage, rows } from './list-stage.ts'
import type { Visitor } from './stage.ts'

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/** A text whose end is not in the row. */
const long = (end: string): string => `${'Filler. '.repeat(40)}\n${end}`
const isSearch = (request: Request): boolean => new URL(request.url()).searchParams.has('words')

async function search(page: Page, words: string): Promise<void> {
  if (!(await page.getByRole('searchbox').isVisible())) await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill(words)
}

async function withTexts(): Promise<Visitor> {
  const visitor = await stage.visit()
  const { page, send } = visitor
  await send('Alpha', { text: long('Your parcel is at Café Zürich.') })
  await send('Beta', { text: undefined, html: `<p style="border:0">${long('Receipt <b>for</b> R&amp;D')}</p>` })
  await send('Gamma', { text: 'parcel' })
  await expect.poll(() => rows(visitor).count()).toBe(3)
  await page.getByRole('button', { name: 'Search' }).waitFor()
  return visitor
}

const SUBJECTS: [string, string[]][] = [
  ['parcel', ['Gamma', 'Alpha']],
  ['PARCEL zurich', ['Alpha']],
  ['alpha cafe', ['Alpha']],
  ['r&d receipt', ['Beta']],
  ['border', []],
  ['gamma zurich', []],
]

test('words deep in a message are found, also with words of the row', async () => {
  const visitor = await withTexts()
  for (const [words, subjects] of SUBJECTS) {
    await search(visitor.page, words)
    await visitor.page.getByText(`Found: ${subjects.length}`).waitFor()
    await expect.poll(() => rows(visitor).locator('a').allTextContents()).toEqual(subjects)
  }
  expect(await visitor.page.getByText('No email matches.').count()).toBe(1)
})

test('the server is asked once after the last key, and for messages that arrive', async () => {
  const visitor = await withTexts()
  const { page, send } = visitor
  const asked: string[] = []
  page.on('request', (request) => isSearch(request) && asked.push(request.url()))
  await search(page, '')
  await page.getByRole('searchbox').pressSequentially('zurich', { delay: 20 })
  await page.getByText('Found: 1').waitFor()
  expect(asked).toHaveLength(1)
  await send('Delta', { text: long('From Zürich') })
  await link(visitor, 'Delta').waitFor()
  expect(asked).toHaveLength(2)
  await search(page, 'delta')
  await page.getByText('Found: 1').waitFor()
  await search(page, 'zurich')
  await page.getByText('Found: 2').waitFor()
})

test('late results of older words change nothing, and "none" is said only after all pages', async () => {
  const visitor = await withTexts()
  const { page } = visitor
  const waiting: (() => void)[] = []
  await page.route(
    (url) => url.searchParams.get('words')?.includes('P') ?? false,
    async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await route.continue().catch(() => {})
    },
  )
  await search(page, 'parcel')
  await expect.poll(() => waiting.length).toBe(1)
  await search(page, 'unknown')
  await page.getByText('No email matches.').waitFor()
  waiting[0]?.()
  await search(page, 'unpacked')
  await expect.poll(() => waiting.length).toBe(2)
  expect(await page.getByText('No email matches.').count()).toBe(0)
  waiting[1]?.()
  await page.getByText('No email matches.').waitFor()
})

test('words and filters stay when a result is opened, until they are cleared', async () => {
  const visitor = await withTexts()
  const { page } = visitor
  await search(page, 'zurich')
  await page.getByRole('button', { name: 'Unread' }).click()
  await link(visitor, 'Alpha').click()
  await page.getByRole('heading', { name: 'Alpha' }).waitFor()
  await page.goBack()
  const field = page.getByRole('searchbox')
  await field.waitFor()
  expect(await field.inputValue()).toBe('zurich')
  expect(await page.getByRole('button', { name: 'Unread' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Unread' }).click()
  await page.getByText('Found: 1').waitFor()
  await link(visitor, 'Alpha').click()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await field.waitFor()
  expect(await field.inputValue()).toBe('zurich')
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Alpha')
  await page.getByRole('button', { name: 'Search' }).click()
  await link(visitor, 'Alpha').click()
  await page.getByRole('heading', { name: 'Alpha' }).waitFor()
  await page.goBack()
  await expect.poll(() => rows(visitor).count()).toBe(3)
  expect(await field.count()).toBe(0)
})

test('if the server can not be asked, the rows are searched alone', async () => {
  const visitor = await withTexts()
  const { page } = visitor
  await page.route(
    (url) => url.searchParams.has('words'),
    (route) => route.fulfill({ status: 400, json: { code: 'invalid_request' } }),
  )
  await search(page, 'parcel')
  await page.getByText('Found: 1').waitFor()
  await search(page, 'zurich')
  await page.getByText('No email matches.').waitFor()
})
