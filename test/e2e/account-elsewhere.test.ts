import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { keep, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, signedIn, withStore } from '#test/support/fixtures/subscriber.ts'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/** Opens a page in a browser of its own, with the session of `client`. */
async function open(client: SiteClient, path: string): Promise<Page> {
  const { program, browser } = stage
  const { page } = await newVisit(browser, { reducedMotion: 'reduce' })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: program.url }))
  await page.context().addCookies(cookies)
  await page.goto(program.url + path)
  await untilHydrated(page)
  return page
}

/** Holds the requests to `url` until the result is called. */
async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const PAYLOAD = /_payload\.json/
const SESSION = '/api/v1/account/session'
const SIGNED_OUT = 'You’ve been signed out. Sign in and try again.'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name })
const alerts = async (page: Page) => (await page.getByRole('alert').allInnerTexts()).join('')

test('follows a link that was clicked while a change is stored, which then reloads the page', async () => {
  const { client, email } = await subscriber(stage.program)
  await signedIn(stage.program, email)
  const page = await open(client, '/en/account/billing')
  const store = await hold(page, '**/api/v1/account/sessions/*')
  const load = await hold(page, PAYLOAD)
  await page.getByRole('listitem').getByRole('button', { name: 'Sign out' }).click()
  await Promise.all([page.waitForRequest(PAYLOAD), tab(page, 'Domains').click()])
  await Promise.all([page.waitForRequest(PAYLOAD), Promise.resolve(store())])
  load()
  await page.locator('main[aria-busy=false]').waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/account/domains')
  await page.getByLabel('Add a domain').waitFor()
})

test('after a return from the portal, reloads until a link is clicked', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en')
  await page.clock.install()
  await page.goto(`${stage.program.url}/en/account/billing?from=portal`)
  let loads = 0
  page.on('request', (request) => PAYLOAD.test(request.url()) && loads++)
  const reloads = async (): Promise<number> => {
    await page.clock.runFor(500)
    return loads
  }
  await expect.poll(reloads).toBe(2)
  await page.locator('main[aria-busy=false]').waitFor()
  const load = await hold(page, PAYLOAD)
  await Promise.all([page.waitForRequest(PAYLOAD), tab(page, 'Domains').click()])
  await page.clock.runFor(10_000)
  load()
  await page.getByLabel('Add a domain').waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/account/domains')
  expect(loads).toBe(3)
})

test.each([
  ['/en/account', 'Open', null],
  ['/en/account/developer', 'Create key', 'Label'],
  ['/en/account/domains', 'Add', 'Add a domain'],
  ['/en/account', 'Revoke old links', null],
  ['/en/account', 'Delete', null],
  ['/en/account/billing', 'Delete account', 'Enter your email to confirm'],
  ['/en/private', 'Create address', null],
])('%s offers to sign in if another tab signed out before “%s”, and says so', async (path, action, label) => {
  const { client } = await subscriber(stage.program)
  await keep(client)
  const page = await open(client, path)
  const inDialog = /Delete|Revoke/.test(action)
  if (inDialog) await button(page, action).click()
  if (label !== null) await page.getByLabel(label).fill(label.includes('email') ? 'ann@real.example' : 'post.example')
  await untilHydrated(page)
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  await (inDialog ? page.getByRole('dialog').getByRole('button', { name: action }) : button(page, action)).click()
  await page.getByText('Sign in to Premium').waitFor()
  await expect.poll(() => alerts(page)).toBe(SIGNED_OUT)
})

test('signing out is no surprise, whether or not another tab did it before', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en/account/billing')
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  await button(page, 'Sign out of this browser').click()
  await page.getByText('Sign in to Premium').waitFor()
  expect(await alerts(page)).toBe('')
})

test.each(['mayfly.test', 'vip.mayfly.test'])(
  'the change page keeps the input and creates no address at %s if another tab signed out',
  async (domain) => {
    const { client } = await subscriber(stage.program)
    await keep(client)
    const page = await open(client, '/en/change')
    const login = `kept.${domain.replaceAll('.', '')}`
    await page.getByLabel('Name').fill(login)
    await page.getByLabel('Domain').selectOption(domain)
    expect((await client.send('DELETE', SESSION)).status).toBe(204)
    await button(page, 'Save').click()
    await expect.poll(() => alerts(page)).toBe(SIGNED_OUT)
    await page.getByText('The new address is added').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/en/change')
    expect(await page.getByLabel('Name').inputValue()).toBe(login)
    const signIn = page.locator('main').getByRole('link', { name: 'Sign in to Premium' })
    expect(await signIn.getAttribute('href')).toBe('/en/account')
  },
)

test('a refusal keeps what the page is about', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en/change?name=shop')
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  await button(page, 'Save').click()
  await expect.poll(() => alerts(page)).toBe(SIGNED_OUT)
  await page.locator('main').getByRole('link', { name: 'Sign in to Premium' }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('shop')
})

test('the home page creates no address that expires if another tab signed out', async () => {
  const { client } = await subscriber(stage.program)
  const { id } = await keep(client)
  await client.send('POST', `/api/v1/account/addresses/${id}/open`)
  const page = await open(client, '/en/email-generator')
  // Otherwise the page may know it before the press.
  await page.route('**/api/v1/account/events*', (route) => route.abort())
  await page.reload()
  await untilHydrated(page)
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  const created = page.waitForResponse((response) => response.url().endsWith('/api/v1/addresses'))
  await page.getByRole('button', { name: 'Use it' }).first().click()
  expect((await created).status()).toBe(401)
  await expect.poll(() => alerts(page)).toContain(SIGNED_OUT)
})

test('the home page says by itself that another tab signed out', async () => {
  const { client } = await subscriber(stage.program)
  await keep(client)
  const page = await open(client, '/en')
  await page.locator('summary', { hasText: 'Your addresses' }).waitFor()
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  await page.locator('summary', { hasText: 'Your addresses' }).waitFor({ state: 'detached' })
  await expect.poll(() => alerts(page)).toContain(SIGNED_OUT)
})

test('the home page hides the list of addresses if another tab signed out before one is opened', async () => {
  const { client } = await subscriber(stage.program)
  const { address } = await keep(client)
  const page = await open(client, '/en')
  await page.route('**/api/v1/account/events*', (route) => route.abort())
  await page.reload()
  await untilHydrated(page)
  await page.locator('summary', { hasText: 'Your addresses' }).click()
  expect((await client.send('DELETE', SESSION)).status).toBe(204)
  await page.locator('details button', { hasText: address }).click()
  await page.locator('summary', { hasText: 'Your addresses' }).waitFor({ state: 'detached' })
  await expect.poll(() => alerts(page)).toContain(SIGNED_OUT)
})

test.each(['page', 'dialog'])('the Premium %s orders for no account but the one that it shows', async (place) => {
  const [ann, bob] = [await subscriber(stage.program), await subscriber(stage.program)]
  const page = await open(ann.client, place === 'page' ? '/en/premium' : '/en')
  await untilHydrated(page)
  if (place === 'dialog') await page.getByRole('link', { name: 'Premium' }).first().click()
  const shows = (email: string) => page.getByText(`For your account \u2068${email}\u2069`).waitFor()
  const buy = button(page, 'Continue to payment')
  await shows(ann.email)
  await page.getByRole('radio', { name: '1 month' }).check()
  const cookies = [...bob.client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(cookies)
  await buy.click()
  await shows(bob.email)
  expect(await alerts(page)).toBe('')
  expect((await bob.client.send('DELETE', SESSION)).status).toBe(204)
  await buy.click()
  await page.getByLabel('Your real email').waitFor()
  expect(await page.getByRole('radio', { name: '1 month' }).isChecked()).toBe(true)
  await expect.poll(() => alerts(page)).toContain(SIGNED_OUT)
})

test('a paid order of somebody else does not say that its account is open', async () => {
  const [ann, bob] = [await subscriber(stage.program), await subscriber(stage.program)]
  const made = await ann.client.send('POST', '/api/v1/orders', { plan: 'crypto', lang: 'en' })
  const { id } = (await made.json()) as { id: string }
  expect((await ann.client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })).status).toBe(204)
  const signIn = (page: Page) => page.getByText('Sign in with that email to use Premium')
  const [own, other] = [
    await open(ann.client, `/en/checkout?order=${id}`),
    await open(bob.client, `/en/checkout?order=${id}`),
  ]
  await own.getByRole('heading', { name: 'Premium is active' }).waitFor()
  expect(await signIn(own).count()).toBe(0)
  await signIn(other).waitFor()
})

test('removes what was already removed elsewhere', async () => {
  const { client, email } = await subscriber(stage.program)
  const other = await signedIn(stage.program, email)
  const { id } = await keep(client)
  expect((await client.send('POST', '/api/v1/account/keys', { label: 'Build server' })).status).toBe(201)
  const { keys } = await client.json('/api/v1/account/keys')
  for (const [path, action, remove] of [
    ['/billing', 'Sign out', () => other.send('DELETE', SESSION)],
    ['', 'Delete', () => client.send('DELETE', `/api/v1/account/addresses/${id}`)],
    ['/developer', 'Revoke', () => client.send('DELETE', `/api/v1/account/keys/${keys[0].id}`)],
  ] as const) {
    const page = await open(client, `/en/account${path}`)
    const row = page.getByRole('listitem').filter({ has: button(page, action) })
    await row.waitFor()
    expect((await remove()).status).toBe(204)
    await row.getByRole('button', { name: action }).click()
    if (action !== 'Sign out') await page.getByRole('dialog').getByRole('button', { name: action }).click()
    await row.waitFor({ state: 'detached' })
    expect(await alerts(page)).toBe('')
  }
})

test('asks for the email of the account if another one is entered to delete it', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en/account/billing')
  await button(page, 'Delete account').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Enter your email to confirm').fill('someone@real.example')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('alert').getByText('Enter your email to confirm').waitFor()
})

test('says that a label of a fully private address is too long', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en/private')
  await page.getByLabel('Label').fill('x'.repeat(41))
  await button(page, 'Create address').click()
  await expect.poll(() => alerts(page)).toBe('This label is too long. Please shorten it.')
})

test('says that Premium has ended if it ended while the page is open', async () => {
  const { client, subscription } = await subscriber(stage.program)
  const developer = await open(client, '/en/account/developer')
  const domains = await open(client, '/en/account/domains')
  const secret = await open(client, '/en/private')
  await developer.getByLabel('Label').waitFor()
  await domains.getByLabel('Add a domain').waitFor()
  await withStore(stage.program, ({ subscriptions }) =>
    subscriptions.change(subscription.id, subscription.revision, { paidUntil: Date.now() - DAY }),
  )
  await developer.getByLabel('Label').fill('Build server')
  await button(developer, 'Create key').click()
  await developer.getByLabel('URL on your server').fill('https://hooks.example/mail')
  await button(developer, 'Add a webhook').click()
  await expect.poll(() => alerts(developer)).toBe('Premium has endedPremium has ended')
  await domains.getByLabel('Add a domain').fill('post.example')
  await button(domains, 'Add').click()
  await expect.poll(() => alerts(domains)).toBe('Premium has ended')
  await button(secret, 'Create address').click()
  await expect.poll(() => alerts(secret)).toBe('Premium has ended')
  await secret.reload()
  await secret.getByText('Premium has ended').waitFor()
  expect(await secret.getByRole('link', { name: 'Upgrade to Premium' }).getAttribute('href')).toBe('/en/premium')
})

test('each tab has a title of its own, also without a load of the page', async () => {
  const { client } = await subscriber(stage.program)
  const page = await open(client, '/en/account/billing')
  await expect.poll(() => page.title()).toBe('Billing · Account · Mayfly')
  await tab(page, 'Developer').click()
  await expect.poll(() => page.title()).toBe('Developer · Account · Mayfly')
  await page.getByRole('status').getByText('Developer · Account · Mayfly').waitFor({ state: 'attached' })
  await tab(page, 'Addresses').click()
  await expect.poll(() => page.title()).toBe('Account · Mayfly')
  await page.goBack()
  await expect.poll(() => page.title()).toBe('Developer · Account · Mayfly')
})
