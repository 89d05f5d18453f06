import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { launchBrowser } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { frameCsp, htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const SITE = 'https://site.example'
const MAILS = [...XSS_VECTORS, ...TRACKERS.map(([, html]) => html)]
const REFRESH = new Set(MAILS.filter((mail) => /http-equiv="?refresh/.test(mail)))

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/**
 * What a real browser did with the documents, each in a frame of its own: what ran, what it asked for, where it went.
 */
async function deedsOf(documents: string[], headers: Record<string, string>): Promise<string[]> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const deeds: string[] = []
  const tell = (deed: string, frameUrl: string): void => {
    deeds.push(`${deed} (${documents[Number(new URL(frameUrl, SITE).searchParams.get('n'))]})`)
  }
  await page.exposeBinding('evil', ({ frame }) => tell('ran', frame.url()))
  page.on('dialog', (dialog) => void dialog.dismiss())
  await context.route('**/*', async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const contentType = { 'content-type': 'text/html' }
    if (url.href === `${SITE}/`) {
      const frames = documents.map((_, n) => `<iframe src="/mail?n=${n}"></iframe>`)
      return route.fulfill({ body: frames.join(''), headers: contentType })
    }
    const body = url.pathname === '/mail' ? documents[Number(url.searchParams.get('n'))] : undefined
    if (body !== undefined) return route.fulfill({ body, headers: { ...contentType, ...headers } })
    tell(url.pathname === '/proxy' ? 'asked the proxy' : `asked for ${url.href}`, request.frame().url())
    return route.abort()
  })
  await page.goto(SITE, { waitUntil: 'networkidle' })
  await context.close()
  return deeds
}

const count = (deeds: string[], deed: string): number => deeds.filter((each) => each.startsWith(deed)).length

test('the mails do harm where nothing stops them, else this would prove nothing', async () => {
  const deeds = await deedsOf(MAILS.map(htmlFrame), {})
  expect(count(deeds, 'ran')).toBeGreaterThan(20)
  expect(count(deeds, 'asked')).toBeGreaterThan(60)
})

test('the sanitiser alone stops them', async () => {
  expect(
    await deedsOf(
      MAILS.map((mail) => htmlFrame(sanitizeMailHtml(mail).html)),
      {},
    ),
  ).toEqual([])
})

test('frame and policy alone stop them', async () => {
  // A policy has no word on where a document goes by itself; that is one reason for the wall before it.
  const mails = MAILS.filter((mail) => !REFRESH.has(mail))
  expect(await deedsOf(mails.map(htmlFrame), { 'content-security-policy': frameCsp(false) })).toEqual([])
})

test('with permission only the proxy is asked', async () => {
  const remote = (): string => '/proxy?u=x'
  const mails = MAILS.map((mail) => htmlFrame(sanitizeMailHtml(mail, { remote }).html))
  const deeds = await deedsOf(mails, { 'content-security-policy': frameCsp(true) })
  expect(deeds.filter((deed) => !deed.startsWith('asked the proxy'))).toEqual([])
  expect(deeds.length).toBeGreaterThan(20)
})
