import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfOf } from '#test/fixtures/mail/pdf.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Device, makeAddress, messageIn, openPrivateStage, type PrivateStage } from './private-stage.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann.retries@real.example')
})
afterAll(() => stage.close())

const problem = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', json: { code, status, title: code } })
const lost = (route: Route) => route.abort('internetdisconnected')
/** Which other problems are repeated is proved beside `retries.ts`. */
const FAILURES: [string, (route: Route) => Promise<void>][] = [
  ['lost', lost],
  ['answered by a proxy', (route) => route.fulfill({ status: 502, body: 'Bad gateway' })],
]
const LIST = /\/api\/v1\/account\/private\/[^/]+\/messages(?:\?|$)/
const OLDER = /\/messages\?before=/
const BODY = /\/messages\/[^/?]+\/body$/

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const alerts = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

let made = 0
/** A private inbox with these messages, the last one on top. */
async function privateInbox(...subjects: string[]): Promise<Device & { address: string; path: string }> {
  const device = await stage.device()
  const { address, path } = await makeAddress(device, `retries.${++made}`)
  for (const subject of subjects) {
    await sendMail(stage.program.smtpPort, { to: address, subject, text: `Text of ${subject}` })
    await link(device.page, subject).waitFor()
  }
  return { ...device, address, path }
}

/** From now on the first batch of the list has only the newest message, as if there were many. */
const inBatches = (page: Page): Promise<unknown> =>
  page.route(/\/messages$/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const { messages } = (await response.json()) as { messages: { id: string }[] }
    await route.fulfill({ response, json: { messages: messages.slice(0, 1), next: messages[0]!.id } })
  })

test.each(FAILURES)('a private message whose body was %s is shown a little later', async (_name, fail) => {
  const { page, address } = await privateInbox('First')
  await page.clock.install()
  await page.route(BODY, fail, { times: 1 })
  await sendMail(stage.program.smtpPort, { to: address, subject: 'Second', text: 'Hello' })
  await alerts(page).waitFor()
  await page.clock.fastForward(5000)
  await link(page, 'Second').waitFor()
  await expect.poll(() => alerts(page).count()).toBe(0)
})

test('a private message that can’t be read yet doesn’t keep the others, and is not called deleted', async () => {
  const { page, context, address, path } = await privateInbox()
  for (const subject of ['Bad', 'Good']) await sendMail(stage.program.smtpPort, { to: address, subject, text: subject })
  await link(page, 'Bad').waitFor()
  const href = await link(page, 'Bad').getAttribute('href')
  const [, bad] = /message=([^&]+)/.exec(href!)!
  // The summaries of this browser don't open, so that the bodies are read again.
  await page.route(LIST, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { messages: { summary: string | null }[] }
    for (const message of json.messages) message.summary = null
    await route.fulfill({ response, json })
  })
  await page.route(`**/messages/${bad}/body`, problem(500, 'internal'))
  await page.goto(stage.program.url + path)
  await link(page, 'Good').waitFor()
  await alerts(page).waitFor()
  expect(await link(page, 'Bad').count()).toBe(0)
  await page.goto(stage.program.url + href)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await page.getByText('deleted').count()).toBe(0)
  await page.unroute(`**/messages/${bad}/body`)
  await context.setOffline(true)
  await context.setOffline(false)
  await messageIn(page).getByText('Bad').waitFor()
})

test('a private message in an older batch that failed is found', async () => {
  const { page } = await privateInbox('Old', 'New')
  const href = await link(page, 'Old').getAttribute('href')
  await page.clock.install()
  await inBatches(page)
  await page.route(OLDER, problem(503, 'store_unavailable'), { times: 1 })
  await page.goto(stage.program.url + href)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.clock.fastForward(5000)
  await messageIn(page).getByText('Text of Old').waitFor()
  await expect.poll(() => alerts(page).count()).toBe(0)
})

test('“Try again” loads the older batch of a private message at once', async () => {
  const { page } = await privateInbox('Old', 'New')
  const href = await link(page, 'Old').getAttribute('href')
  await page.clock.install()
  await inBatches(page)
  await page.route(OLDER, lost, { times: 1 })
  await page.goto(stage.program.url + href)
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.getByRole('button', { name: 'Try again' }).click()
  await messageIn(page).getByText('Text of Old').waitFor()
})

test('“No connection” below a private list is gone when its stream is live', async () => {
  const { page } = await privateInbox('Old', 'New')
  await inBatches(page)
  await page.reload()
  await link(page, 'New').waitFor()
  await page.route(OLDER, lost)
  await page.getByRole('button', { name: 'Older emails' }).click()
  await alerts(page).waitFor()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect.poll(() => alerts(page).count()).toBe(0)
})

test('a browser that was signed out elsewhere asks once for older private messages, and says so', async () => {
  const { page, context } = await privateInbox('Old', 'New')
  const href = await link(page, 'Old').getAttribute('href')
  await inBatches(page)
  let asked = 0
  await page.route(OLDER, async (route) => {
    asked++
    await problem(401, 'not_signed_in')(route)
  })
  // Slower than the refusals, as it usually is.
  await page.route('**/_payload.json*', async (route) => {
    for (let i = 0; i < 10; i++) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    await context.clearCookies()
    await route.fallback()
  })
  await page.goto(stage.program.url + href)
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(asked).toBe(1)
})

test('a search of a private inbox continues after a batch that failed', async () => {
  const { page } = await privateInbox('Needle', 'Hay')
  await page.clock.install()
  await inBatches(page)
  let asked = 0
  await page.route(OLDER, (route) => (asked++ === 0 ? problem(500, 'internal')(route) : route.fallback()))
  await page.reload()
  await link(page, 'Hay').waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('needle')
  await alerts(page).waitFor()
  expect(await page.getByText('No email matches.').count()).toBe(0)
  await page.clock.fastForward(5000)
  await link(page, 'Needle').waitFor()
  expect(asked).toBe(2)
  await expect.poll(() => alerts(page).count()).toBe(0)
})

test('what the receiver saw is loaded again after five seconds, also after a longer outage', async () => {
  const { page, send } = await stage.visit()
  await page.clock.install()
  let asked = 0
  let isOut = true
  await page.route('**/api/v1/deliveries', (route) => {
    asked++
    return isOut ? problem(503, 'unavailable')(route) : route.fallback()
  })
  await page.locator('summary', { hasText: 'Where is my email?' }).click()
  for (const pause of [5000, 10_000, 20_000, 30_000]) {
    const before = asked
    await alerts(page).waitFor()
    isOut = pause < 30_000
    await page.clock.fastForward(pause)
    await expect.poll(() => asked).toBeGreaterThan(before)
  }
  await page.getByText('No email to this address has reached us during this time.').waitFor()
  isOut = true
  await send('Received')
  await alerts(page).waitFor()
  isOut = false
  await page.clock.fastForward(5000)
  await page.locator('[data-result=received]').waitFor()
  await expect.poll(() => alerts(page).count()).toBe(0)
})

test('a preview that gets no response for a minute says so, and comes when there is one', async () => {
  const { page, send } = await stage.visit()
  await send('Bill', {
    attachments: [{ filename: 'bill.pdf', content: pdfOf(['Invoice']), contentType: 'application/pdf' }],
  })
  await link(page, 'Bill').waitFor()
  await page.clock.install()
  const unanswered = new Set<string>()
  await page.route('**/pdf/worker.js', (route) => {
    if (unanswered.has('script')) return route.fallback()
    unanswered.add('script')
  })
  await page.route('**/frame/message*', (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    unanswered.add('message')
  })
  await link(page, 'Bill').click()
  await page.getByRole('button', { name: 'Show bill.pdf' }).click()
  await expect.poll(() => unanswered.size).toBe(2)
  await page.clock.fastForward(59_000)
  expect(await alerts(page).count()).toBe(0)
  await page.clock.fastForward(1000)
  await expect.poll(() => alerts(page).count()).toBe(2)
  await page.unroute('**/frame/message*')
  await page.clock.fastForward(5000)
  await page.frameLocator('iframe[title="bill.pdf"]').getByText('Invoice').waitFor()
  await expect.poll(() => alerts(page).count()).toBe(0)
})
