import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { frameCsp } from './frame-csp.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const SITE = 'https://site.example'
const MESSAGES = [...XSS_VECTORS, ...TRACKERS.map(([, html]) => html)]
/** An image of the message, which hostile styles mention beside what they try to load. */
const inline = new Map([['x', 'data:image/png;base64,iVBORw0KGgo=']])
const REFRESH = new Set(MESSAGES.filter((mail) => /http-equiv="?refresh/.test(mail)))

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/**
 * Loads each document in its own frame of a real browser. Returns the scripts that ran and the requests that were made.
 */
async function effectsOf(documents: string[], headers: Record<string, string>): Promise<string[]> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const effects: string[] = []
  const record = (effect: string, frameUrl: string): void => {
    effects.push(`${effect} (${documents[Number(new URL(frameUrl, SITE).searchParams.get('n'))]})`)
  }
  await page.exposeBinding('evil', ({ frame }) => record('ran', frame.url()))
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
    record(url.pathname === '/proxy' ? 'requested the proxy' : `requested ${url.href}`, request.frame().url())
    return route.abort()
  })
  await page.goto(SITE, { waitUntil: 'networkidle' })
  await context.close()
  return effects
}

/** After the sanitizer most messages are identical; each result is shown once. */
const unique = (documents: string[]): string[] => [...new Set(documents)]
const count = (effects: string[], effect: string): number => effects.filter((each) => each.startsWith(effect)).length

test('the messages have effects without any defense', async () => {
  const effects = await effectsOf(
    MESSAGES.map((html) => htmlFrame(html)),
    {},
  )
  expect(count(effects, 'ran')).toBeGreaterThan(20)
  expect(count(effects, 'requested')).toBeGreaterThan(60)
})

test('the sanitizer alone prevents all effects', async () => {
  const documents = unique(MESSAGES.map((mail) => htmlFrame(sanitizeMailHtml(mail, { inline }).html)))
  expect(await effectsOf(documents, {})).toEqual([])
})

test('frame and policy alone prevent all effects', async () => {
  // A policy cannot prevent a refresh that navigates the document itself. The sanitizer removes it.
  const messages = MESSAGES.filter((mail) => !REFRESH.has(mail))
  expect(
    await effectsOf(
      messages.map((html) => htmlFrame(html)),
      { 'content-security-policy': frameCsp(false) },
    ),
  ).toEqual([])
})

test('with remote content allowed, only the proxy is requested', async () => {
  const remote = (): string => '/proxy?u=x'
  const documents = unique(MESSAGES.map((mail) => htmlFrame(sanitizeMailHtml(mail, { inline, remote }).html)))
  const effects = await effectsOf(documents, { 'content-security-policy': frameCsp(true) })
  expect(effects.filter((effect) => !effect.startsWith('requested the proxy'))).toEqual([])
  expect(effects.length).toBeGreaterThan(15)
})
