import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type SiteClient, siteClient, subscribeIn, signedIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { loseResponse } from './lost-response.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

const ACCOUNT = '/api/v1/account'
const SESSION = `${ACCOUNT}/session`

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/** Opens an empty page in a browser that has the cookies of `client`. */
async function browserOf(client: SiteClient): Promise<Page> {
  const { page } = await newVisit(stage.browser)
  await page.context().addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
  return page
}
const noConnection = (page: Page) => page.getByRole('alert').getByText('No connection.').waitFor()
const isSignedInAs = (page: Page, email: string) => page.locator('main header').getByText(email).waitFor()
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const sessionsIn = (page: Page): Promise<object[]> =>
  page.evaluate(async (path) => (await (await fetch(path)).json()).sessions, ACCOUNT)

/** Places and pays an order for an email address without an account. Returns the path of the page of the order. */
async function paid(client: SiteClient, email: string): Promise<{ path: string; session: string }> {
  const made = await client.send('POST', '/api/v1/orders', { plan: 'month', email, lang: 'en' })
  const { id } = (await made.json()) as { id: string }
  await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
  return { path: `/en/checkout?order=${id}`, session: `/api/v1/orders/${id}/session` }
}

/** Requests a sign-in link. Returns its path. */
async function linkFor(client: SiteClient, email: string): Promise<string> {
  await subscribeIn(stage.program, email)
  await client.send('POST', `${ACCOUNT}/sign-in`, { email, lang: 'en' })
  const { link } = await outboxOf(stage.program).next(email, 'sign-in')
  return link.pathname + link.search
}

/** Opens a page that signs in by itself, and loses the response of the request to `session`. */
async function openAndLose(client: SiteClient, path: string, session: string) {
  const page = await browserOf(client)
  const lost = await loseResponse(page, 'POST', session, true)
  await page.goto(stage.program.url + path)
  expect(await lost.carriedOut).toBe(204)
  await noConnection(page)
  return { page, lost }
}

test.each(['press', 'reload'])('a lost response after a payment signs in at the next %s', async (how) => {
  const email = `lost.paid.${how}@real.example`
  const client = siteClient(stage.program)
  const { path, session } = await paid(client, email)
  const { page, lost } = await openAndLose(client, path, session)
  lost.restore()
  await (how === 'press' ? page.getByRole('button', { name: 'Open your account' }).click() : page.reload())
  await isSignedInAs(page, email)
  expect(await sessionsIn(page)).toHaveLength(1)
})

test.each(['press', 'reload'])('a lost response to a sign-in link signs in at the next %s', async (how) => {
  const email = `lost.link.${how}@real.example`
  const client = siteClient(stage.program)
  const { page, lost } = await openAndLose(client, await linkFor(client, email), SESSION)
  lost.restore()
  await (how === 'press' ? signIn(page).click() : page.reload())
  await isSignedInAs(page, email)
  expect(await sessionsIn(page)).toHaveLength(1)
})

test('a sign-in link that is open in two tabs shows the account in both', async () => {
  const email = 'two.tabs@real.example'
  const client = siteClient(stage.program)
  const path = await linkFor(client, email)
  const page = await browserOf(client)
  const other = await page.context().newPage()
  // Both are shown before either is opened.
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.context().route(`**${SESSION}`, async (route) => {
    await allowed
    await route.continue()
  })
  await Promise.all(
    [page, other].map((each) =>
      Promise.all([each.waitForRequest(`**${SESSION}`), each.goto(stage.program.url + path)]),
    ),
  )
  allow()
  for (const each of [page, other]) await isSignedInAs(each, email)
  expect(await sessionsIn(page)).toHaveLength(1)
})

test('a link that no longer works shows the account of a browser that is signed in', async () => {
  const email = 'old.link@real.example'
  const client = siteClient(stage.program)
  const { page, lost } = await openAndLose(client, await linkFor(client, email), SESSION)
  const other = await signedIn(stage.program, email)
  const { sessions } = await other.json(ACCOUNT)
  for (const { id, current } of sessions) if (!current) await other.send('DELETE', `${ACCOUNT}/sessions/${id}`)
  await page.context().addCookies([...other.cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
  lost.restore()
  await signIn(page).click()
  await isSignedInAs(page, email)
})

test('a lost response to the deletion of the account says at the next press that it is deleted', async () => {
  const email = 'lost.deletion@real.example'
  await subscribeIn(stage.program, email)
  const page = await browserOf(await signedIn(stage.program, email))
  await page.goto(`${stage.program.url}/en/account/billing`)
  await untilHydrated(page)
  const lost = await loseResponse(page, 'DELETE', ACCOUNT, true)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Enter your email to confirm').fill(email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  expect(await lost.carriedOut).toBe(204)
  await noConnection(page)
  lost.restore()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('Your account has been deleted').waitFor()
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([])
})
