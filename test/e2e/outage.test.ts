import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfOf } from '#test/fixtures/mail/pdf.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { makeAddress, messageIn, openPrivateStage, type PrivateStage } from './private-stage.ts'
import { untilHydrated } from './stage.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann.outage@real.example')
})
afterAll(() => stage.close())

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const abort = (route: Route): Promise<void> => route.abort('internetdisconnected')
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'No connection.' })
/** Tells the page that the network was lost and is back. */
async function reconnect(context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await context.setOffline(false)
}

test.each([
  ['lost', abort],
  ['answered by a proxy', (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' })],
])('what a dialog shows is loaded again after a few seconds if its first request was %s', async (_name, fail) => {
  const { page } = await stage.visit()
  await page.clock.install()
  await page.route('**/api/v1/session/reveal', fail, { times: 1 })
  await page.getByRole('button', { name: 'QR code' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await page.clock.fastForward(5000)
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
  await expect.poll(() => page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
})

test.each([
  ['/en/contact', 'Message'],
  ['/en/private', 'Name'],
])('“No connection” below the form of %s disappears when the network is back', async (path, label) => {
  const { page, context } = await stage.device(path)
  await untilHydrated(page)
  if (path === '/en/contact') {
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@real.example')
    await page.getByLabel('Reason').selectOption('A question')
  }
  await page.getByLabel(label).first().fill('hello.there')
  await context.setOffline(true)
  await page.locator('main form button[type=submit]').click()
  await alert(page).waitFor()
  await context.setOffline(false)
  await alert(page).waitFor({ state: 'detached' })
  expect(await page.getByLabel(label).first().inputValue()).toBe('hello.there')
})

test('a part that was missing without a network is loaded when it is back', async () => {
  const { page, send } = await stage.visit()
  const context = page.context()
  await send('Bill', {
    attachments: [{ filename: 'bill.pdf', content: pdfOf(['Invoice']), contentType: 'application/pdf' }],
  })
  await page.getByRole('link', { name: 'Bill', exact: true }).click()
  const show = page.getByRole('button', { name: 'Show bill.pdf' })
  await show.waitFor()
  await context.setOffline(true)
  await show.click()
  await alert(page).waitFor()
  await context.setOffline(false)
  const frame = page.frameLocator('iframe[title="bill.pdf"]')
  await frame.getByText('Invoice').waitFor()
  expect(await alert(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Hide bill.pdf' }).click()
  await page.getByRole('button', { name: 'Show bill.pdf' }).click()
  await frame.getByText('Invoice').waitFor()
  expect(await alert(page).count()).toBe(0)
})

test('a message, its source and an image that can’t be loaded say so, and come when the network is back', async () => {
  const { page, send } = await stage.visit()
  const context = page.context()
  await send('Picture', {
    text: 'Text of the message',
    attachments: [{ filename: 'dot.png', content: PNG, contentType: 'image/png' }],
  })
  await page.route('**/frame/message*', abort)
  await page.getByRole('link', { name: 'Picture', exact: true }).click()
  const body = page.locator('#message-body')
  await body.getByRole('alert').getByText('No connection.').waitFor()
  // The browser's own page about the error is not shown.
  expect(await body.locator('iframe').count()).toBe(0)
  await body.getByRole('button', { name: 'Try again' }).click()
  await body.getByRole('alert').getByText('No connection.').waitFor()
  await page.unroute('**/frame/message*')
  await body.getByRole('button', { name: 'Try again' }).click()
  await page.frameLocator('#message-body iframe >> nth=0').getByText('Text of the message').waitFor()
  expect(await alert(page).count()).toBe(0)

  await context.setOffline(true)
  await page.getByText('Details', { exact: true }).click()
  await page.getByRole('tab', { name: 'Source' }).click()
  await body.getByRole('alert').getByText('No connection.').waitFor()
  await page.getByRole('button', { name: 'Show dot.png' }).click()
  await expect.poll(() => alert(page).count()).toBe(2)
  expect(await page.locator('iframe[title="dot.png"]').count()).toBe(0)
  await context.setOffline(false)
  await body.getByText('Subject: Picture').waitFor()
  await page.frameLocator('iframe[title="dot.png"]').locator('img').waitFor()
  await expect.poll(() => alert(page).count()).toBe(0)
})

test('a message to a fully private address is loaded again too', async () => {
  const device = await stage.device()
  const { page, context } = device
  const { address } = await makeAddress(device, 'private.outage')
  const messages = /\/api\/v1\/account\/private\/[^/]+\/messages/
  await sendMail(stage.program.smtpPort, { to: address, subject: 'Private', text: 'Text of the message' })
  await page.getByRole('link', { name: 'Private', exact: true }).waitFor()
  await page.route(messages, abort)
  await page.reload()
  await alert(page).waitFor()
  await page.unroute(messages)
  await reconnect(context)
  await page.getByRole('link', { name: 'Private', exact: true }).waitFor()
  await expect.poll(() => alert(page).count()).toBe(0)

  // The body of the message, without its list.
  await page.route(/\/messages\/[^/?]+/, abort)
  await page.getByRole('link', { name: 'Private', exact: true }).click()
  await alert(page).first().waitFor()
  await page.unroute(/\/messages\/[^/?]+/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await messageIn(page).getByText('Text of the message').waitFor()
  await expect.poll(() => alert(page).count()).toBe(0)
})

test('the dialog about Premium leaves the page as it is without a network', async () => {
  const { page } = await stage.visit({ path: '/en' })
  const context = page.context()
  await page.goto(`${stage.program.url}/en/contact`)
  await untilHydrated(page)
  const premium = page.locator('header').getByText('Premium', { exact: true })
  await premium.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByLabel('Message').fill('Half a sentence')
  await context.setOffline(true)
  await premium.click()
  await alert(page).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByLabel('Message').inputValue()).toBe('Half a sentence')
  await context.setOffline(false)
  await expect.poll(() => alert(page).count()).toBe(0)
  await premium.click()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
})
