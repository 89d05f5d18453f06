import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { signedIn, subscribeIn, withStore } from '#test/support/fixtures/subscriber.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { isSigned, type Receiver, startReceiver } from '#test/support/webhook-receiver.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  ;[stage, receiver] = await Promise.all([openStage(), startReceiver()])
})
afterAll(() => Promise.all([stage.close(), receiver.close()]))

/** The account page of a subscriber who is signed in. */
async function account(email: string, path: string, options: BrowserContextOptions = {}) {
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email)
  const { page, pageErrors } = await newVisit(stage.browser, { reducedMotion: 'reduce', ...options })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(cookies)
  await page.goto(stage.program.url + path)
  return { page, pageErrors, client }
}
const section = (page: Page, name: string): Locator => page.getByRole('region', { name })
/** Resolves when the heading of a section has the focus. */
async function untilFocused(part: Locator): Promise<void> {
  await expect.poll(() => part.getByRole('heading').evaluate((each) => each === document.activeElement)).toBe(true)
}
const onceIn = (part: Locator): Promise<string> => part.locator('code').innerText()

test('creates an API key, shows it once, uses it and revokes it', async () => {
  const { page, pageErrors } = await account('keys@real.example', '/en/account/developer')
  const keys = section(page, 'API keys')
  expect(await keys.getByText('50 requests per second').innerText()).toContain('up to 1,000 addresses active')
  await keys.getByLabel('Label').fill('Build server')
  await keys.getByRole('button', { name: 'Create key' }).click()
  const made = keys.getByRole('group', { name: 'Your new key' })
  const token = await onceIn(made)
  const ask = () => fetch(`${stage.program.url}/api/v1/domains`, { headers: { 'x-api-key': token } })
  expect((await ask()).status).toBe(200)
  await made.getByRole('button', { name: 'Close', exact: true }).click()
  await untilFocused(keys)
  await page.reload()
  const row = keys.getByRole('listitem')
  await row.getByText('Last used').waitFor()
  expect(await row.innerText()).toContain('Build server')
  expect(await page.content()).not.toContain(token)

  await row.getByRole('button', { name: 'Revoke' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke this key?' })
  expect(await question.innerText()).toContain('“\u2068Build server\u2069” will be blocked within 1 second')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await ask()).status).toBe(200)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await untilFocused(keys)
  await expect.poll(async () => (await ask()).status).toBe(401)

  for (let i = 1; i <= 5; i++) {
    await keys.getByLabel('Label').fill(`Key ${i}`)
    await keys.getByRole('button', { name: 'Create key' }).click()
    await row.nth(i - 1).waitFor()
  }
  await keys.getByText('You’ve reached the maximum number of keys.').waitFor()
  expect(pageErrors).toEqual([])
  await page.context().close()
})

test('adds, tests and removes a webhook and rejects an invalid URL', async () => {
  const { page } = await account('hooks@real.example', '/en/account/developer')
  const webhooks = section(page, 'Webhooks')
  const add = async (url: string): Promise<void> => {
    await webhooks.getByLabel('URL on your server').fill(url)
    await webhooks.getByRole('button', { name: 'Add a webhook' }).click()
  }
  await add('https://10.0.0.1/private')
  await webhooks.getByText('point to a server on the public internet').waitFor()
  await add(receiver.url('/ui'))
  const shown = webhooks.getByRole('group', { name: 'Signing secret' })
  const secret = await onceIn(shown)
  const row = webhooks.getByRole('listitem')
  await row.getByRole('button', { name: 'Send a test' }).press('Enter')
  await row.getByText('Your server responded with status 204.').waitFor()
  await row.locator('button:focus', { hasText: 'Send a test' }).waitFor()
  expect(isSigned(receiver.of('/ui')[0]!, secret)).toBe(true)
  await row.getByText('Last delivered').waitFor()
  receiver.answers.set('/ui', (response) => response.destroy())
  await row.getByRole('button', { name: 'Send a test' }).click()
  await row.getByText('Your server didn’t respond.').waitFor()

  await withStore(stage.program, async ({ subscriptions, webhooks: store, webhookCalls: calls }, wrap) => {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', 'hooks@real.example'))
    const [webhook] = await store.list(subscription!.id)
    const now = Date.now()
    const call = { id: 'msg_1', webhook: webhook!, sealed: new Uint8Array(1), createdAt: now, attempts: 0 }
    await calls.recordFailure(call, now - 3 * DAY, null)
    await store.switchOff(webhook!.id, now)
  })
  await page.reload()
  await row.getByText('Disabled').waitFor()
  await row.getByText('Deliveries have failed for 3 days.').waitFor()
  receiver.answers.set('/ui', 204)
  await row.getByRole('button', { name: 'Send a test' }).click()
  await row.getByText('Disabled').waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await untilFocused(webhooks)
  await page.context().close()
})

test('in Arabic, the questions keep a label and a URL together', async () => {
  const { page, client } = await account('questions@real.example', '/ar/account/developer')
  const label = 'Build (CI)'
  const url = receiver.url('/hooks/')
  expect((await client.send('POST', '/api/v1/account/keys', { label })).status).toBe(201)
  expect((await client.send('POST', '/api/v1/account/webhooks', { url })).status).toBe(201)
  await page.reload()
  for (const [item, isolated] of [
    [label, `\u2068${label}\u2069`],
    [url, `\u2066${url}\u2069`],
  ] as const) {
    await page.getByRole('listitem').filter({ hasText: item }).getByRole('button').last().click()
    expect(await page.getByRole('dialog').innerText()).toContain(isolated)
    await page.keyboard.press('Escape')
  }
  await page.context().close()
})

test('shows existing API keys after Premium ended, but creates no more', async () => {
  const { page, client } = await account('ended@real.example', '/en/account/developer')
  expect((await client.send('POST', '/api/v1/account/keys', { label: 'Old one' })).status).toBe(201)
  await withStore(stage.program, async ({ subscriptions }, wrap) => {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', 'ended@real.example'))
    await subscriptions.change(subscription!.id, subscription!.revision, { paidUntil: Date.now() - DAY })
  })
  await page.reload()
  const keys = section(page, 'API keys')
  await keys.getByText('Old one').waitFor()
  expect(await keys.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  await section(page, 'Webhooks').getByText('We send your server a signed request').waitFor()
  expect(await page.getByLabel('URL').count()).toBe(0)
  await page.goto(`${stage.program.url}/en/account/domains`)
  await section(page, 'Your domains').getByText('You have no domains.').waitFor()
  await section(page, 'Your domains').getByText('With Premium, you can also use').waitFor()
  expect(await page.getByLabel('Add a domain').count()).toBe(0)
  await page.context().close()
})

test.each([
  ['/en/account/developer', 'light', 1280],
  ['/account/developer', 'light', 390],
  ['/ar/account/developer', 'dark', 390],
] as const)('%s in %s at %i pixels passes axe and fits', async (path, colorScheme, width) => {
  const email = `look${path.replaceAll('/', '-')}@real.example`
  const { page, client } = await account(email, path, { colorScheme, viewport: { width, height: 900 } })
  const made = await client.send('POST', '/api/v1/account/keys', { label: `A long name ${'x'.repeat(28)}` })
  expect(made.status).toBe(201)
  const url = receiver.url(`/${'a-long-path-'.repeat(12)}`)
  expect((await client.send('POST', '/api/v1/account/webhooks', { url })).status).toBe(201)
  await page.reload()
  const parts = page.locator('section').filter({ has: page.locator('input[name=label], input[name=url]') })
  await parts.nth(1).waitFor()
  await parts.first().locator('form input').fill('Another')
  await parts.first().locator('form button').click()
  await parts.first().locator('code').waitFor()
  expect(await violations(page)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await page.context().close()
})
