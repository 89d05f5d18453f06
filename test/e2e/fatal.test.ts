import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

const CRAWLER = 'Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 Chrome/140.0 Mobile (compatible; Googlebot/2.1)'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const visit = async (crawler: boolean) => newVisit(stage.browser, crawler ? { userAgent: CRAWLER } : {})

/** Changes the payload in the response of a page, to simulate a broken build. */
async function change(page: Page, path: string, from: string, to: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    expect(body).toContain(from)
    await route.fulfill({ response, body: body.replace(from, to) })
  })
}

/** Resolves when the scripts have rendered the fatal error, the only page without a footer. */
const untilFatal = (page: Page) => page.locator('footer').waitFor({ state: 'detached' })

describe('a page that is missing in this build', () => {
  test('renders a fatal error', async () => {
    const { page } = await visit(false)
    await change(page, '/en/terms', '"page":"text"', '"page":"unheard-of"')
    await page.goto(`${stage.program.url}/en/terms`)
    await page.getByText('Unknown route middleware').waitFor()
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Internal Server Error'])
    expect(await page.getByText('500', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Go to inbox' }).click()
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

  test('is loaded with a full navigation if only its payload is unknown', async () => {
    const { page } = await visit(false)
    await change(page, '/en/terms/_payload.json', '"page":"text"', '"page":"unheard-of"')
    await page.goto(`${stage.program.url}/en/contact`)
    await untilHydrated(page)
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

test('the page before the one that fails is shown again by Back, with its text and focus', async () => {
  const { page } = await visit(false)
  await change(page, '/en/articles/_payload.json', '"articles":[', '"articles":null,"others":[')
  await page.goto(`${stage.program.url}/en/contact`)
  await untilHydrated(page)
  await page.locator('textarea').fill('A long text')
  await page.locator('footer a[href="/en/articles"]').click()
  await untilFatal(page)
  await page.goBack()
  await page.locator('footer').waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/contact')
  await expect.poll(() => page.locator('textarea').inputValue()).toBe('A long text')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.context().close()
})

describe('a message that fails in the browser', () => {
  test.each([
    ['"attachments":[]', '"attachments":null', 'Broken'],
    ['"from":{"name"', '"from":null,"other":{"name"', 'Broken'],
    ['"subject":"Broken"', '"subject":{"a":1}', '(no subject)'],
    ['"authentication":{', '"candidates":null,"code":null,"link":null,"others":{', 'Broken'],
  ])('is still a link in the list, and can be opened: %s', async (from, to, title) => {
    const { page, send } = await stage.visit()
    await send('Whole')
    await page.getByRole('link', { name: 'Whole', exact: true }).waitFor()
    await send('Broken')
    await page.getByRole('link', { name: 'Broken', exact: true }).waitFor()
    await change(page, '/en/_payload.json*', from, to)
    await page.goto(`${stage.program.url}/en/contact`)
    await untilHydrated(page)
    await page.getByRole('link', { name: 'Mayfly' }).first().click()
    await page.getByRole('button', { name: 'Search' }).waitFor()
    await expect.poll(() => page.locator('tbody tr a').allTextContents()).toEqual([title, 'Whole'])
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.getByRole('heading', { name: 'Broken' }).waitFor()
    await page.context().close()
  })
})

describe('client-side navigation to a missing page', () => {
  /** Goes back to a path without a full load and returns the status of the response. */
  async function goBackTo(page: Page, path: string) {
    await page.goto(`${stage.program.url}/en/contact`)
    await untilHydrated(page)
    await page.evaluate((at) => {
      history.replaceState(null, '', at)
      history.pushState(null, '', '/en/contact')
    }, path)
    const [response] = await Promise.all([
      page.waitForResponse((each) => new URL(each.url()).pathname === path),
      page.evaluate(() => history.back()),
    ])
    return response.status()
  }

  test('shows the full path', async () => {
    const { page } = await visit(false)
    expect(await goBackTo(page, '/en/nothing')).toBe(404)
    await page.getByRole('heading', { name: 'Page not found: /en/nothing', exact: true }).waitFor()
    await page.context().close()
  })

  test('shows a crawler only the status', async () => {
    const { page } = await visit(true)
    expect(await goBackTo(page, '/en/nothing')).toBe(404)
    // The response is empty. Some browsers then show their own error page.
    await expect.poll(() => page.locator('#root').count()).toBe(0)
    await page.context().close()
  })
})
