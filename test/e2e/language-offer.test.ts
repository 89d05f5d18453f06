import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** A visitor of a page in English whose browser asks for another language. */
async function visitor(locale: string): Promise<Page> {
  const { page } = await stage.visit({ locale })
  await page.goto(`${stage.program.url}/en/contact`)
  await page.getByRole('heading', { name: 'Contact', level: 1 }).waitFor()
  return page
}

test('who asks for another language is offered it, in that language, and never led there unasked', async () => {
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

test('on the Chinese questions it leads to those of the other language, as the language switch does', async () => {
  for (const way of ['offer', 'switch']) {
    const { page } = await newVisit(stage.browser, { locale: 'de-AT' })
    await page.goto(`${stage.program.url}/faq`)
    if (way === 'switch') await page.locator('[popovertarget=languages]').click()
    await page.locator(way === 'offer' ? 'aside[lang=de-DE] a' : '#languages a[lang=de-DE]').click()
    await page.waitForURL('**/de/problem#faq')
    await page.locator('html[lang=de-DE]').waitFor()
    await page.locator('#faq').waitFor()
    await page.context().close()
  }
})

test('once dismissed, it is not offered again', async () => {
  const page = await visitor('ar')
  const offer = page.locator('aside[dir=rtl]')
  await offer.getByRole('button').click()
  await offer.waitFor({ state: 'hidden' })
  const [answer] = await Promise.all([page.waitForResponse(/language-offer-/), page.reload()])
  await answer.finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await offer.count()).toBe(0)
})

test('a choice made here counts for more than what the browser says', async () => {
  const page = await visitor('de-DE')
  await page.context().addCookies([{ name: 'mayfly_locale', value: 'fr', url: stage.program.url }])
  await page.reload()
  await page.locator('aside[lang=fr-FR]').waitFor()
})
