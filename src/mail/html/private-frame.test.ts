import { type Browser, errors, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { type Framed, openFramed } from '#test/support/program/framed.ts'
import { FRAME_SANDBOX, htmlFrame } from './frame.ts'
import { PRIVATE_FRAME, privateFrameCsp } from './private-frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const SITE = 'https://site.example'
const MESSAGES = [...XSS_VECTORS, ...TRACKERS.map(([, html]) => html)]

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** Returns the inner frames, which contain the messages. */
const innerFrames = (page: Page) =>
  page.frames().filter((frame) => frame.url() === 'about:srcdoc' && frame.parentFrame()?.url() === `${SITE}/frame`)

/** Milliseconds to wait for a page to stop sending requests. */
const QUIET = 10_000

/**
 * Opens a page that shows each document in a private frame. Returns the page and the scripts, requests and popups that
 * occur.
 */
async function show(documents: readonly string[], remote: boolean): Promise<Framed> {
  const { page, effects } = await openFramed(browser, {
    site: SITE,
    document: PRIVATE_FRAME,
    csp: privateFrameCsp(remote),
  })
  await page.evaluate(
    async ({ mails, sandbox }) => {
      for (const html of mails) {
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', `allow-scripts ${sandbox}`)
        frame.src = '/frame'
        const ready = new Promise<void>((resolve) => {
          addEventListener('message', ({ source }) => source === frame.contentWindow && resolve())
        })
        document.body.append(frame)
        await ready
        frame.contentWindow?.postMessage({ html, title: 'The email' }, '*')
      }
    },
    { mails: [...documents], sandbox: FRAME_SANDBOX },
  )
  // Playwright sometimes never reports an idle network for a page with many frames. The timeout gives them enough time to
  // send what requests they can.
  await page.waitForLoadState('networkidle', { timeout: QUIET }).catch((error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error
  })
  // All inner frames must exist for the test to be meaningful.
  await expect.poll(() => innerFrames(page)).toHaveLength(documents.length)
  return { page, effects }
}

/** Frames that are open at the same time, because some browsers start a process for each sandboxed frame. */
const FRAMES_AT_ONCE = 25

/** Shows any number of documents, page after page, and returns their effects. */
async function effectsOf(documents: readonly string[], remote: boolean): Promise<string[]> {
  const all: string[] = []
  for (let at = 0; at < documents.length; at += FRAMES_AT_ONCE) {
    const { page, effects } = await show(documents.slice(at, at + FRAMES_AT_ONCE), remote)
    await page.context().close()
    all.push(...effects)
  }
  return all
}

describe('a message in the private frame', () => {
  test('runs nothing, requests nothing and does not navigate, even if it is not sanitized', async () => {
    expect(
      await effectsOf(
        MESSAGES.map((html) => htmlFrame(html)),
        false,
      ),
    ).toEqual([])
  })

  test('requests only the proxy of the site if images are allowed', async () => {
    const remote = (): string => '/proxy?u=x'
    // After the sanitizer most messages are identical; each result is shown once.
    const documents = new Set(MESSAGES.map((mail) => htmlFrame(sanitizeMailHtml(mail, { remote }).html)))
    const effects = await effectsOf([...documents], true)
    expect(effects.filter((effect) => effect !== `requested ${SITE}/proxy?u=x`)).toEqual([])
    expect(effects.length).toBeGreaterThan(15)
  })

  test('keeps its styles, its own images and its links', async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    const { page } = await show([htmlFrame(`<p style="color:rgb(1, 2, 3)">hello</p><img src="${pixel}">`)], false)
    const mail = page.frameLocator('iframe').frameLocator('iframe')
    expect(await mail.getByText('hello').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
    expect(await mail.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1)
  })

  test('is accepted only from the page, not from another frame', async () => {
    const { page } = await show([htmlFrame('<p>mine</p>'), htmlFrame('<p>other</p>')], false)
    const first = page.frames().find((frame) => frame.url() === `${SITE}/frame`)
    await first?.evaluate(() => {
      parent[1]?.postMessage({ html: '<p>forged</p>', title: '' }, '*')
      postMessage({ html: '<p>forged</p>', title: '' }, '*')
    })
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await Promise.all(innerFrames(page).map((frame) => frame.locator('p').textContent()))).toEqual([
      'mine',
      'other',
    ])
  })
})
