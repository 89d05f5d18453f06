import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisit } from '#test/browser.ts'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let canary: Server
/** Every connection that anybody opens to the sender's server, and every request. */
let connections = 0
let requests = 0
beforeAll(async () => {
  canary = createServer((_request, response) => {
    requests++
    response.end('caught')
  }).listen(0, '127.0.0.1')
  canary.on('connection', () => connections++)
  await once(canary, 'listening')
  stage = await openStage()
})
afterAll(async () => {
  canary.close()
  await stage.close()
})

/** The address of the canary. */
const home = (): string => `http://127.0.0.1:${(canary.address() as AddressInfo).port}`

/** All trackers and scripts in one mail. Whatever host the fixtures name, it is the canary's here. */
const hostile = (): string =>
  [...TRACKERS.map(([, tracker]) => tracker), ...XSS_VECTORS]
    .join('\n')
    .replaceAll(/https?:\/\/[\w.-]+(?::\d+)?/g, home())
    .replaceAll(/(["'(=\s])\/\/[\w.-]+\.[a-z]+/g, `$1${home().slice(5)}`)

test('the hostile mail is one: without the walls it calls the sender', async () => {
  const { page } = await newVisit(stage.browser)
  const before = requests
  for (const [name, tracker] of TRACKERS.slice(0, 20)) {
    await page.setContent(tracker.replaceAll(/https?:\/\/[\w.-]+/g, home()), { waitUntil: 'commit' }).catch(() => name)
  }
  await expect.poll(() => requests - before).toBeGreaterThan(5)
  // Or it would still be calling while the next test listens.
  await page.context().close()
})

test('nothing in a hostile mail runs, leads away or opens a connection', async () => {
  expect(TRACKERS.length).toBeGreaterThanOrEqual(30)
  const html = hostile()
  const { page, send, complaints } = await stage.visit()
  const before = connections
  const away: string[] = []
  let marked = false
  page.on('dialog', (dialog) => {
    marked = true
    void dialog.dismiss()
  })
  await page.context().exposeBinding('evil', () => {
    marked = true
  })
  const listen = (url: string): void => {
    if (!url.startsWith(stage.program.url) && !/^(?:data|blob|about):/.test(url)) away.push(url)
  }
  page.context().on('request', (request) => listen(request.url()))
  let proxied = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/proxy') proxied++
  })
  /** The frame's load event comes after all that it asked for came or failed. */
  const loaded = async (images: string): Promise<void> => {
    const inner = () => page.frames().find((each) => each.url().includes(images))
    await expect.poll(inner).toBeDefined()
    await inner()?.waitForLoadState('load')
  }
  await send('Hostile', { html: `<p>begin</p>${html}<p>end</p>`, text: 'text' })
  await page.getByRole('link', { name: 'Hostile', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('begin').first().waitFor()
  await loaded('images=0')
  const url = page.url()

  await page.getByRole('button', { name: 'Load remote images' }).click()
  await loaded('images=1')

  expect(marked).toBe(false)
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  expect(away).toEqual([])
  // The proxy was asked, and refuses an address of its own network.
  expect(proxied).toBeGreaterThan(0)
  expect(connections).toBe(before)
  expect(
    complaints.filter(
      (text) => !/Failed to load resource|Blocked|Content Security Policy|sandboxed|Unsafe attempt/i.test(text),
    ),
  ).toEqual([])
})

test('a link in a mail opens a page of its own, that learns nothing of this one', async () => {
  const { page, send } = await stage.visit()
  await send('A link', { html: `<a href="${home()}/offer" target="_top">Leave</a>` })
  await page.getByRole('link', { name: 'A link', exact: true }).click()
  await page.locator('article').waitFor()
  const url = page.url()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.frameLocator('iframe').getByRole('link', { name: 'Leave' }).click(),
  ])
  await opened.getByText('caught').waitFor()
  expect(opened.url()).toBe(`${home()}/offer`)
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(page.url()).toBe(url)
})
