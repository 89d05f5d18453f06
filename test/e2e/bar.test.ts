import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeContexts } from '#test/support/program/browser.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

const CODE = { text: 'Your verification code is 482913' }
const bar = ({ page }: Visitor) => page.getByRole('region', { name: 'Newest code or link' })
const code = ({ page }: Visitor) => page.locator('tbody [data-offer]')

test('offers the newest code while it is off screen, and stays away after it was dismissed', async () => {
  const visitor = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, send } = visitor
  await send('Your code', CODE)
  await code(visitor).waitFor()
  expect(await bar(visitor).count()).toBe(0)
  await page.getByText('Mayfly only receives email').scrollIntoViewIfNeeded()
  await bar(visitor).getByText('482913').waitFor()
  expect(await violations(page)).toEqual([])
  await bar(visitor).getByRole('button', { name: 'Copy the code 482913' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('482913')

  // The end of the page and what has the focus are never behind it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const top = (await bar(visitor).boundingBox())!.y
  const end = (await page.getByText('Mayfly only receives email').boundingBox())!
  expect(end.y + end.height).toBeLessThanOrEqual(top)
  for (const each of await page.locator('main a:visible, footer a:visible').all()) {
    await each.evaluate((element) => element.focus())
    const box = (await each.boundingBox())!
    const edge = (await bar(visitor).count()) ? (await bar(visitor).boundingBox())!.y : 800
    expect(box.y + box.height, await each.innerText()).toBeLessThanOrEqual(edge + 1)
  }

  await page.evaluate(() => scrollTo(0, 0))
  await bar(visitor).waitFor({ state: 'hidden' })
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await bar(visitor).getByRole('button', { name: 'Close', exact: true }).click()
  await bar(visitor).waitFor({ state: 'hidden' })
  await page.evaluate(() => scrollTo(0, 0))
  await send('Another code', { text: 'Your verification code is 771204' })
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await bar(visitor).getByText('771204').waitFor()
})

test('keeps a long code and its button within the screen of a small phone', async () => {
  const visitor = await stage.visit({ viewport: { width: 320, height: 640 } })
  const { page, send } = visitor
  await send('Your code', { text: 'Your verification code is: ABCD-EFGH-1234-5678' })
  await code(visitor).waitFor()
  await page.getByText('Mayfly only receives email').scrollIntoViewIfNeeded()
  const { x, width } = (await bar(visitor).boundingBox())!
  for (const name of ['Copy the code ABCD-EFGH-1234-5678', 'Close']) {
    const box = (await bar(visitor).getByRole('button', { name }).boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(x)
    expect(box.x + box.width).toBeLessThanOrEqual(x + width)
  }
})

/**
 * Runs in the page. Holds back all intersections until `release` is called, because a busy page gets them late and several
 * at once. `release` delivers them and returns to how many observers, `delayed` returns how many observers wait for some.
 */
function delayIntersections(): void {
  const Native = IntersectionObserver
  let waiting: (() => void)[] = []
  class Delayed extends Native {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      let entries: IntersectionObserverEntry[] = []
      const flush = (): void => {
        const all = entries
        entries = []
        if (all.length > 0) callback(all, this)
      }
      super((more) => {
        entries.push(...more)
        if (!waiting.includes(flush)) waiting.push(flush)
      }, options)
    }
  }
  const release = (): number => {
    const flushes = waiting
    waiting = []
    for (const flush of flushes) flush()
    return flushes.length
  }
  Object.assign(window, { IntersectionObserver: Delayed, release, delayed: () => waiting.length })
}

test('stays away if the page is so busy that it hears of a scroll down and back up at once', async () => {
  const visitor = await stage.visit()
  const { page, send } = visitor
  const release = () => page.evaluate(() => (window as unknown as { release(): number }).release())
  /** Two frames: one to lay out or render, one whose intersections are known. */
  const frames = () =>
    page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
    )
  const scroll = async (where: 'end' | 'top'): Promise<void> => {
    await page.evaluate((to) => scrollTo(0, to === 'end' ? document.body.scrollHeight : 0), where)
    await frames()
  }
  await page.addInitScript(delayIntersections)
  await page.reload()
  await page.locator('[data-status=live]').waitFor()
  await send('Your code', CODE)
  await code(visitor).waitFor()
  await expect.poll(() => page.evaluate(() => (window as unknown as { delayed(): number }).delayed())).toBe(1)
  expect(await release()).toBe(1)
  await bar(visitor).waitFor({ state: 'detached' })

  await scroll('end')
  await scroll('top')
  expect(await release()).toBe(1)
  await frames()
  expect(await bar(visitor).count()).toBe(0)
  await scroll('end')
  expect(await release()).toBe(1)
  await bar(visitor).getByText('482913').waitFor()
})

test('on a phone, it does not cover what a search finds', async () => {
  const visitor = await stage.visit({ viewport: { width: 320, height: 568 } })
  const { page, send } = visitor
  await send('Weekly news')
  await send('Your code', CODE)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox', { name: 'Search sender, subject, text' }).fill('weekly')
  await page.getByRole('link', { name: 'Your code', exact: true }).waitFor({ state: 'detached' })
  // The row is gone, so the bar would appear.
  await page.locator('[data-bar]').waitFor({ state: 'attached' })
  expect(await bar(visitor).isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await bar(visitor).getByText('482913').waitFor()
})

test('offers a code that arrives while another message or another page is open', async () => {
  const visitor = await stage.visit()
  const { page, send } = visitor
  await send('Something else')
  await page.getByRole('link', { name: 'Something else', exact: true }).click()
  await page.locator('article').waitFor()
  await send('Your code', CODE)
  await bar(visitor).getByText('482913').waitFor()

  // A full load of a page that does not show the inbox.
  await page.goto(`${stage.program.url}/en/contact`)
  await bar(visitor).getByText('482913').waitFor()
  await send('Newer', { text: 'Your verification code is 771204' })
  await bar(visitor).getByText('771204').waitFor()
  await page
    .getByRole('status')
    .getByText('New email from Harbour Bank. The code is 771204')
    .waitFor({ state: 'attached' })
  expect(await violations(page)).toEqual([])
})

test('follows nothing on other pages without an address', async () => {
  const { page } = await stage.visit()
  await page.request.delete(`${stage.program.url}/api/v1/address`, { headers: { origin: stage.program.url } })
  await page.getByText('This address is no longer active').waitFor()
  const streams: string[] = []
  page.on('request', (request) => streams.push(new URL(request.url()).pathname))
  await page.goto(`${stage.program.url}/en/contact`)
  await page.waitForResponse(/builds\/meta/)
  expect(streams.filter((path) => path.endsWith('/events'))).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('mayfly:inbox'))).toBeNull()
})

test.each(['/en', '/ar'])('in %s, a long sender is cut, but not the code nor the buttons', async (path) => {
  const { page, send } = await stage.visit({ path, viewport: { width: 1280, height: 800 } })
  await send('Your code', { from: '"A Company With a Very Long Name Indeed, International" <a@b.example>', ...CODE })
  await page.locator('tbody [data-offer]').waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const shown = page.locator('[data-bar]')
  await shown.waitFor()
  const [copy, close] = await shown.locator('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { left, right } = button.getBoundingClientRect()
      return { left, right }
    }),
  )
  expect(copy!.right <= close!.left || close!.right <= copy!.left).toBe(true)
})

test('a long sender is cut before the host of a link, which tells where Open leads', async () => {
  const { page, send } = await stage.visit({ viewport: { width: 1280, height: 800 } })
  await send('Confirm', {
    from: 'no-reply-confirmations@notifications.accounts.example-company.com',
    text: 'Please confirm: https://accounts.example.com/confirm?token=abcdef123456',
  })
  await page.locator('tbody [data-offer]').waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const cut = (name: string) =>
    page
      .locator('[data-bar] bdi')
      .getByText(name, { exact: true })
      .evaluate((each) => each.scrollWidth > each.clientWidth)
  expect([
    await cut('no-reply-confirmations@notifications.accounts.example-company.com'),
    await cut('accounts.example.com'),
  ]).toEqual([true, false])
})

test.each(['/en', '/ar'])(
  'in %s on a phone, the whole host of a link is shown, because its end tells whose it is',
  async (path) => {
    const { page, send } = await stage.visit({ path, viewport: { width: 320, height: 640 } })
    const host = 'www.paypal.com.account-check.example'
    await send('Confirm', { text: `Please confirm: https://${host}/confirm?token=abcdef123456` })
    await page.locator('tbody [data-offer]').waitFor()
    const hidden = (place: string) =>
      page
        .locator(`${place} [data-offer] bdi`)
        .getByText(host, { exact: true })
        .evaluate((each) => {
          const text = document.createRange()
          text.selectNodeContents(each)
          const box = each.getBoundingClientRect()
          return [...text.getClientRects()].filter(
            ({ left, right, bottom }) =>
              left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1 || left < 0 || right > innerWidth,
          ).length
        })
    expect(await hidden('tbody')).toBe(0)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.locator('[data-bar]').waitFor()
    expect(await hidden('[data-bar]')).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  },
)

test.each([390, 320])('at %s pixels, the button to close it is beside a long link, as beside a code', async (width) => {
  const { page, send } = await stage.visit({ viewport: { width, height: 640 } })
  await send('Confirm', {
    text: 'Please confirm: https://accounts.customer-portal.harbour-books.example/confirm?token=abcdef123456',
  })
  await page.locator('tbody [data-offer]').waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const offer = (await page.locator('[data-bar] [data-offer]').boundingBox())!
  const close = (await page.locator('[data-bar] > button').boundingBox())!
  expect(offer.x + offer.width).toBeLessThanOrEqual(close.x)
  expect(close.y).toBeLessThan(offer.y + offer.height)
  expect(close.x + close.width).toBeLessThanOrEqual(width)
})
