import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { type Receiver, startReceiver } from '#test/support/webhook-receiver.ts'
import { loseResponse } from './lost-response.ts'
import { subscriberOn } from './private-stage.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

const ADDRESSES = '/api/v1/addresses'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  ;[stage, receiver] = await Promise.all([openStage(), startReceiver()])
})
afterAll(() => Promise.all([stage.close(), receiver.close()]))

/** The change page in a browser that has an address. */
async function changePage(): Promise<{ page: Page; address: string }> {
  const { page, address } = await stage.visit()
  await page.goto(`${stage.program.url}/en/change`)
  await untilHydrated(page)
  return { page, address }
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const noConnection = (page: Page) => page.getByRole('alert').getByText('No connection.').first()

const valueOf = async (page: Page, cookie: string): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === cookie)?.value ?? ''

/** A browser without JavaScript that has an address. */
async function withoutScript() {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  await page.waitForURL('**/en')
  return {
    page,
    address: await addressOn(page),
    /** Sends a form of the page, whose response is lost, and then again, as the browser does when it reloads the page. */
    async resend(path: string, press: () => Promise<void>) {
      const lost = await loseResponse(page, 'POST', path)
      const sent = page.waitForRequest(`**${path}`)
      await press().catch(() => {})
      await page.waitForURL('chrome-error://**')
      const form = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''))
      expect(await lost.carriedOut).toBe(303)
      const headers = { origin: stage.program.url }
      const response = await page.request.post(stage.program.url + path, { form, headers, maxRedirects: 0 })
      expect(response.headers().location).toBe('/en')
      await page.goto(`${stage.program.url}/en`)
    },
  }
}

async function secretOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const response = await fetch('/api/v1/session/reveal', { method: 'POST' })
    return ((await response.json()) as { secret: string }).secret
  })
}

describe('a lost response to "Change"', () => {
  test('opens the new address', async () => {
    const { page } = await changePage()
    const lost = await loseResponse(page, 'POST', ADDRESSES)
    await page.getByLabel('Name').fill('lost.once')
    await save(page).click()
    await expect.poll(() => addressOn(page)).toBe('lost.once@mayfly.test')
    expect(await lost.carriedOut).toBe(201)
    await page.reload()
    expect(await addressOn(page)).toBe('lost.once@mayfly.test')
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      await secretOf(page),
    )
  })

  test('opens it at the next press, if there was no connection for longer', async () => {
    const { page } = await changePage()
    const lost = await loseResponse(page, 'POST', ADDRESSES, true)
    await page.getByLabel('Name').fill('lost.longer')
    await save(page).click()
    await noConnection(page).waitFor()
    lost.restore()
    await save(page).click()
    await expect.poll(() => addressOn(page)).toBe('lost.longer@mayfly.test')
  })

  test('opens it when the page is loaded again', async () => {
    const { page, address } = await changePage()
    const lost = await loseResponse(page, 'POST', ADDRESSES, true)
    await page.getByLabel('Name').fill('lost.reload')
    await save(page).click()
    await noConnection(page).waitFor()
    lost.restore()
    await page.goto(`${stage.program.url}/en`)
    await expect.poll(() => addressOn(page)).toBe('lost.reload@mayfly.test')
    expect(address).not.toBe('lost.reload@mayfly.test')
  })

  test('replaces it if the visitor then wants another one', async () => {
    const { page } = await changePage()
    const lost = await loseResponse(page, 'POST', ADDRESSES, true)
    await page.getByLabel('Name').fill('lost.first')
    await save(page).click()
    await noConnection(page).waitFor()
    lost.restore()
    await page.getByLabel('Name').fill('lost.second')
    await save(page).click()
    await expect.poll(() => addressOn(page)).toBe('lost.second@mayfly.test')
    await page.getByRole('link', { name: 'Change' }).first().click()
    await page.getByRole('button', { name: 'Use again lost.first@mayfly.test' }).waitFor()
  })

  test('opens it with the same form without JavaScript', async () => {
    const { page, resend } = await withoutScript()
    await page.goto(`${stage.program.url}/en/change`)
    await page.getByLabel('Name').fill('lost.form')
    await resend('/actions/change', () => save(page).click())
    expect(await addressOn(page)).toBe('lost.form@mayfly.test')
    // The page in the history may still have the secret of this address, but asks for another one.
    const secret = await valueOf(page, 'mayfly_secret')
    await page.goto(`${stage.program.url}/en/change`)
    await page.locator('form[action="/actions/change"] [name=secret]').evaluate((input, value) => {
      ;(input as HTMLInputElement).value = value
    }, secret)
    await page.getByLabel('Name').fill('lost.form.again')
    await save(page).click()
    await page.waitForURL('**/en')
    expect(await addressOn(page)).toBe('lost.form.again@mayfly.test')
  })
})

test('a lost response to "Use again" opens the earlier address, with the same form', async () => {
  const { page, address, resend } = await withoutScript()
  await page.goto(`${stage.program.url}/en/change`)
  await page.getByRole('button', { name: 'Use a random name' }).click()
  await page.waitForURL('**/en')
  await page.goto(`${stage.program.url}/en/change`)
  await resend('/actions/take-again', () => page.getByRole('button', { name: `Use again ${address}` }).click())
  expect(await addressOn(page)).toBe(address)
})

test('a lost response to "New random address" opens the new address, also after a longer outage', async () => {
  const { page, address } = await stage.visit()
  const once = await loseResponse(page, 'POST', ADDRESSES)
  await page.getByRole('button', { name: 'New random address' }).click()
  await once.carriedOut
  await expect.poll(() => addressOn(page)).not.toBe(address)
  const second = await addressOn(page)
  // Until then, the button may still be busy.
  await page.locator('[data-status=live]').waitFor()

  const longer = await loseResponse(page, 'POST', ADDRESSES, true)
  await page.getByRole('button', { name: 'New random address' }).click()
  await longer.carriedOut
  await noConnection(page).waitFor()
  longer.restore()
  await expect
    .poll(async () => [second, ''].includes((await page.locator('output').allTextContents()).join('')))
    .toBe(false)
  await page.locator('[data-status=live]').waitFor()
})

test('a lost response to "Create key" or "Add" still shows what was added', async () => {
  const { page } = await subscriberOn(stage, 'lost.key@real.example', '/en/account/developer')
  for (const [name, label, value, path, button] of [
    ['API keys', 'Label', 'Build server', 'keys', 'Create key'],
    ['Webhooks', 'URL', receiver.url('/lost'), 'webhooks', 'Add a webhook'],
  ] as const) {
    const part = page.getByRole('region', { name })
    await part.getByLabel(label).fill(value)
    const lost = await loseResponse(page, 'POST', `/api/v1/account/${path}`)
    await part.getByRole('button', { name: button }).click()
    await part.getByText('No connection.').waitFor()
    expect(await lost.carriedOut).toBe(201)
    await part.getByRole('listitem').filter({ hasText: value }).waitFor()
  }
})

test('the change page creates nothing more and leaves, if the connection is lost after the address was created', async () => {
  const { page } = await changePage()
  let isOut = false
  await page.context().route('**/*', (route) => (isOut ? route.abort('internetdisconnected') : route.fallback()))
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === ADDRESSES) isOut = true
  })
  await page.getByLabel('Name').fill('lost.page')
  await save(page).click()
  await noConnection(page).waitFor()
  // Its empty form would replace the new address.
  expect(await save(page).isEnabled()).toBe(false)
  isOut = false
  await expect.poll(() => addressOn(page), { timeout: 30_000 }).toBe('lost.page@mayfly.test')
})

test('the change page asks again before a name replaces the address that another tab got meanwhile', async () => {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/change`)
  await untilHydrated(page)
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  const address = await addressOn(other)
  await page.getByLabel('Name').fill('typed.before')
  await save(page).click()
  await page
    .getByText(`Your current address \u2068${address}\u2069`)
    .or(page.getByText(`Your current address ${address}`))
    .waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('typed.before')
  await save(page).click()
  await expect.poll(() => addressOn(page)).toBe('typed.before@mayfly.test')
})

test('two presses on a slow connection send one sign-in email', async () => {
  const email = 'slow@real.example'
  await subscribeIn(stage.program, email)
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/account`)
  await untilHydrated(page)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  let requests = 0
  await page.route('**/api/v1/account/sign-in', (route) => {
    requests++
    return route.continue()
  })
  const loading = page.waitForRequest('**/account/_payload.json?sent=1')
  await page.route('**/account/_payload.json?sent=1', async (route) => {
    await allowed
    await route.continue()
  })
  await page.getByLabel('Email').fill(email)
  const send = page.getByRole('button', { name: 'Send link' })
  await send.click()
  await loading
  await send.evaluate((button: HTMLButtonElement) => button.click())
  allow()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  expect(requests).toBe(1)
  const sent = async () =>
    (await outboxOf(stage.program).all()).filter(({ to }) => JSON.stringify(to).includes(email)).length
  await expect.poll(sent).toBe(1)
})
