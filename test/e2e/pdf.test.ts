import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfOf } from '#test/fixtures/mail/pdf.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { makeAddress, openPrivateStage, type PrivateStage } from './private-stage.ts'
import { violations } from './violations.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann.pdf@real.example')
})
afterAll(() => stage.close())

const pages = (count: number): string[] => Array.from({ length: count }, (_, i) => `Invoice ${i + 1} of ${count}`)
const attached = (content: Buffer, filename = 'bill.pdf', contentType = 'application/pdf') => ({
  attachments: [{ filename, content, contentType }],
})
const open = async (page: Page, subject: string): Promise<void> => {
  await page.getByRole('link', { name: subject, exact: true }).first().click()
  await page.getByRole('heading', { name: subject }).waitFor()
}
const frameIn = (page: Page) => page.frameLocator('iframe[title="bill.pdf"]')

/** The color in the red box that every page of the fixture has. */
const drawnColor = (page: Page) =>
  frameIn(page)
    .locator('[data-drawn] canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const x = Math.round((160 / 595) * canvas.width)
      const y = Math.round(((842 - 350) / 842) * canvas.height)
      return [...canvas.getContext('2d')!.getImageData(x, y, 1, 1).data]
    })

test('the first 20 pages of a PDF are drawn on demand, without origin and network', async () => {
  const { page, send, pageErrors } = await stage.visit()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await send('Bill', attached(pdfOf(pages(25), { catalog: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' })))
  await open(page, 'Bill')
  await page.getByRole('button', { name: 'Show bill.pdf' }).waitFor()
  expect(requests.filter((path) => /pdf/.test(path))).toEqual([])
  await page.getByRole('button', { name: 'Show bill.pdf' }).click()
  const frame = frameIn(page)
  await frame.getByRole('region', { name: 'Page 1', exact: true }).getByText('Invoice 1 of 25').waitFor()
  await page.getByText('Pages shown: 20 of 25. Download the file to read the rest.').waitFor()
  expect(await frame.locator('section').count()).toBe(20)
  expect(await drawnColor(page)).toEqual([255, 0, 0, 255])
  // What is far from the screen is drawn when it comes near.
  const last = frame.getByRole('region', { name: 'Page 20' })
  expect(await last.locator('canvas').count()).toBe(0)
  await last.scrollIntoViewIfNeeded()
  await last.getByText('Invoice 20 of 25').waitFor()
  expect(pageErrors).toEqual([])

  const reached = await frame.locator('body').evaluate(async (_body, url) => {
    const tries: (() => unknown)[] = [
      () => fetch(url),
      () => document.cookie,
      () => localStorage.length,
      () => parent.document.title,
    ]
    const results = await Promise.all(
      tries
        .map(async (each) => each())
        .map((each) =>
          each.then(
            () => true,
            () => false,
          ),
        ),
    )
    return [origin, ...results]
  }, stage.program.url)
  expect(reached).toEqual(['null', false, false, false, false])
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Hide bill.pdf' }).click()
  await page.locator('iframe[title="bill.pdf"]').waitFor({ state: 'detached' })
})

test.each([
  ['that is damaged', attached(Buffer.from('%PDF-1.4 and nothing else')), 'This PDF can’t be shown.'],
  ['with a password', attached(pdfOf(pages(1), { locked: true })), 'This PDF has a password.'],
])('a PDF %s leads to the download', async (_name, files, words) => {
  const { page, send } = await stage.visit()
  await send('Bill', files)
  await open(page, 'Bill')
  await page.getByRole('button', { name: 'Show bill.pdf' }).click()
  await page.getByRole('alert').getByText(words).waitFor()
  expect(await page.locator('iframe[title="bill.pdf"]').count()).toBe(0)
  expect(await violations(page)).toEqual([])
})

test('a PDF to a fully private address is shown by the browser alone', async () => {
  const device = await stage.device()
  const { page, pageErrors } = device
  const { address: to } = await makeAddress(device, 'private.bills')
  const file = attached(pdfOf(pages(2)), 'bill.pdf', 'application/octet-stream')
  await sendMail(stage.program.smtpPort, { to, subject: 'Private bill', text: 'x', ...file })
  await open(page, 'Private bill')
  await page.getByRole('button', { name: 'Show bill.pdf' }).click()
  await frameIn(page).getByText('Invoice 2 of 2').waitFor()
  expect(await drawnColor(page)).toEqual([255, 0, 0, 255])
  expect(pageErrors).toEqual([])
})
