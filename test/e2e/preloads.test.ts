import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('preloads the pages of hovered links: each once, four at a time', async () => {
  const { page } = await stage.visit()
  const waiting: { name: string; go: () => void }[] = []
  const started: string[] = []
  await page.route(/\/assets\/(?:api|articles|change|contact|premium|problem|text)-[^/]+\.js$/, async (route) => {
    const name = /assets\/(\w+)-/.exec(route.request().url())?.[1] ?? ''
    started.push(name)
    await new Promise<void>((go) => waiting.push({ name, go }))
    await route.continue()
  })
  const point = async (path: string) => page.locator(`footer a[href="/en${path}"]`).dispatchEvent('pointerover')
  // The file that listens comes after the page.
  await expect
    .poll(async () => {
      await point('/premium')
      return started
    })
    .toEqual(['premium'])
  for (const path of ['/api', '/articles', '/privacy', '/terms', '/contact', '/api']) await point(path)
  await expect.poll(() => started).toEqual(['premium', 'api', 'articles', 'text'])
  waiting.shift()?.go()
  await expect.poll(() => started).toEqual(['premium', 'api', 'articles', 'text', 'contact'])
  for (const { go } of waiting) go()
  // A preloaded file is not loaded again.
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  expect(started.filter((name) => name === 'text')).toHaveLength(1)
})

test('preloads nothing if the browser saves data', async () => {
  const { page } = await stage.visit()
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.locator('footer a[href="/en/terms"]').dispatchEvent('pointerover')
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  const order = requests.map((url) =>
    url.includes('_payload.json') ? 'payload' : url.includes('/text-') ? 'file' : '',
  )
  expect(order.filter(Boolean)).toEqual(['payload', 'file'])
})

test('replaces the page by an error page after an uncaught error', async () => {
  const { page } = await stage.visit()
  await page.route('**/en/articles/_payload.json', async (route) => {
    const payload = await (await route.fetch()).json()
    await route.fulfill({ json: { ...payload, data: { ...payload.data, articles: null } } })
  })
  await page.locator('footer a[href="/en/articles"]').click()
  await page.getByRole('heading', { name: 'Internal Server Error' }).waitFor()
  expect(await page.locator('main').textContent()).toMatch(/^500Internal Server ErrorSomething went wrong/)
  await page.getByRole('link', { name: 'Go to inbox' }).click()
  await page.locator('output').waitFor()
})

test('loads an unknown page with a full navigation', async () => {
  const { page } = await stage.visit()
  await page.route('**/en/terms/_payload.json', async (route) => {
    const payload = await (await route.fetch()).json()
    await route.fulfill({ json: { ...payload, page: 'something-new' } })
  })
  const [whole] = await Promise.all([
    page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith('/en/terms')),
    page.locator('footer a[href="/en/terms"]').click(),
  ])
  expect(whole.url()).toBe(`${stage.program.url}/en/terms`)
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
})

test('opens a header panel with Enter, closes it with Escape and restores the focus', async () => {
  const { page } = await stage.visit()
  const opener = page.getByRole('button', { name: 'Choose a language' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.locator('#languages').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Bahasa Indonesia')
  await page.keyboard.press('Escape')
  expect(await page.locator('#languages').isVisible()).toBe(false)
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
})
