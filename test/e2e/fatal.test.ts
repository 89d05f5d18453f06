import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilAlive } from './stage.ts'

const CRAWLER = 'Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 Chrome/140.0 Mobile (compatible; Googlebot/2.1)'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const visit = async (crawler: boolean) => newVisit(stage.browser, crawler ? { userAgent: CRAWLER } : {})

/** Answers a page with its payload changed, as a broken build would. */
async function change(page: Page, path: string, from: string, to: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.text()
    expect(body).toContain(from)
    await route.fulfill({ response: answer, body: body.replace(from, to) })
  })
}

/** Resolves when the scripts have drawn the page anew: the footer is a part of every page but the fatal one. */
const untilFatal = (page: Page) => page.locator('footer').waitFor({ state: 'detached' })

describe('a page that this build does not have', () => {
  test('is a fatal error', async () => {
    const { page } = await visit(false)
    await change(page, '/en/terms', '"page":"text"', '"page":"unheard-of"')
    await page.goto(`${stage.program.url}/en/terms`)
    await page.getByText('Unknown route middleware').waitFor()
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Internal Server Error'])
    expect(await page.getByText('500', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'To the inbox' }).click()
    await page.locator('[data-status=live]').waitFor()
    await page.context().close()
  })

  test('shows a crawler nothing', async () => {
    const { page } = await visit(true)
    await change(page, '/en/terms', '"page":"text"', '"page":"unheard-of"')
    await page.goto(`${stage.program.url}/en/terms`)
    await untilFatal(page)
    expect((await page.locator('#root').innerText()).trim()).toBe('')
    await page.context().close()
  })

  test('is loaded whole, where only its payload is not known', async () => {
    const { page } = await visit(false)
    await change(page, '/en/terms/_payload.json', '"page":"text"', '"page":"unheard-of"')
    await page.goto(`${stage.program.url}/en/contact`)
    await untilAlive(page)
    await page.locator('footer a[href="/en/terms"]').click()
    await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
    expect(await page.getByText('Unknown route middleware').count()).toBe(0)
    await page.context().close()
  })
})

describe('a page that fails in the browser', () => {
  test.each([
    [false, ['Internal Server Error']],
    [true, []],
  ])('shown to a crawler: %s', async (crawler, headings) => {
    const { page } = await visit(crawler)
    await change(page, '/en/articles', '"articles":[', '"articles":null,"others":[')
    await page.goto(`${stage.program.url}/en/articles`)
    await untilFatal(page)
    expect(await page.getByRole('heading').allTextContents()).toEqual(headings)
    expect((await page.locator('#root').innerText()).trim() === '').toBe(crawler)
    await page.context().close()
  })
})

describe('the way to a page that is not there', () => {
  /** As a link or a button of the browser leads there, without loading the page whole. */
  async function goBackTo(page: Page, path: string) {
    await page.goto(`${stage.program.url}/en/contact`)
    await untilAlive(page)
    await page.evaluate((at) => {
      history.replaceState(null, '', at)
      history.pushState(null, '', '/en/contact')
    }, path)
    const [answer] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname === path),
      page.evaluate(() => history.back()),
    ])
    return answer.status()
  }

  test('names it whole', async () => {
    const { page } = await visit(false)
    expect(await goBackTo(page, '/en/nothing')).toBe(404)
    await page.getByRole('heading', { name: 'Page not found: /en/nothing', exact: true }).waitFor()
    await page.context().close()
  })

  test('shows a crawler nothing, but the status', async () => {
    const { page } = await visit(true)
    expect(await goBackTo(page, '/en/nothing')).toBe(404)
    // The answer is empty; some browsers then show a page of their own.
    await expect.poll(() => page.locator('#root').count()).toBe(0)
    await page.context().close()
  })
})
