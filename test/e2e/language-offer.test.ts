import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** A visitor of an English page whose browser prefers another language. */
async function visitor(locale: string): Promise<Page> {
  const { page } = await stage.visit({ locale })
  await page.goto(`${stage.program.url}/en/contact`)
  await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor()
  return page
}

test('offers the preferred language in that language without redirecting', async () => {
  const page = await visitor('de-AT')
  const offer = page.locator('aside[lang=de-DE]')
  await offer.waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/contact')
  await page.getByLabel('Message').fill('Half a sentence')
  await offer.getByRole('link').click()
  await page.waitForURL('**/de/contact')
  await page.locator('html[lang=de-DE]').waitFor()
  await offer.waitFor({ state: 'hidden' })
  expect(await page.locator('[name=message]').inputValue()).toBe('Half a sentence')
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'mayfly_locale')?.value).toBe('de')
})

test('leads from the Chinese FAQ to the FAQ of the other language, like the language switch', async () => {
  for (const control of ['offer', 'switch']) {
    const { page } = await newVisit(stage.browser, { locale: 'de-AT' })
    await page.goto(`${stage.program.url}/faq`)
    if (control === 'switch') await page.locator('[popovertarget=languages]').click()
    await page.locator(control === 'offer' ? 'aside[lang=de-DE] a' : '#languages a[lang=de-DE]').click()
    await page.waitForURL('**/de/problem#faq')
    await page.locator('html[lang=de-DE]').waitFor()
    await page.locator('#faq').waitFor()
    await page.context().close()
  }
})

test('does not return after it was dismissed', async () => {
  const page = await visitor('ar')
  const offer = page.locator('aside[dir=rtl]')
  await offer.getByRole('button').click()
  await offer.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor()
  expect(await offer.count()).toBe(0)
})

test("prefers the language that was chosen on the site to the browser's", async () => {
  const page = await visitor('de-DE')
  await page.context().addCookies([{ name: 'mayfly_locale', value: 'fr', url: stage.program.url }])
  await page.reload()
  await page.locator('aside[lang=fr-FR]').waitFor()
})
