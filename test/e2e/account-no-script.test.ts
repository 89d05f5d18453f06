import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { keep, list, subscriber } from '#test/support/fixtures/kept-client.ts'
import { siteClient, type SiteClient } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { addressOn, closeContexts, newVisit } from '#test/support/program/browser.ts'
import { type Receiver, startReceiver } from '#test/support/webhook-receiver.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let receiver: Receiver
beforeAll(async () => {
  ;[stage, receiver] = await Promise.all([openStage(), startReceiver()])
})
afterAll(() => Promise.all([stage.close(), receiver.close()]))
afterEach(() => closeContexts(stage.browser))

/** Opens a page without JavaScript, with the session of `client`. */
async function open(client: SiteClient, path: string): Promise<Page> {
  const { program, browser } = stage
  const { page } = await newVisit(browser, { javaScriptEnabled: false })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: program.url }))
  await page.context().addCookies(cookies)
  await page.goto(program.url + path)
  return page
}
const row = (page: Page, address: string) => page.getByRole('listitem').filter({ hasText: address })
const main = (page: Page): Promise<string> => page.locator('main').innerText()
const SIGNED_OUT = 'You’ve been signed out. Sign in and try again.'
const NEEDS_SCRIPT = 'Turn on JavaScript for more actions.'

test('each kept address can be opened, and deleted after a question', async () => {
  const { client } = await subscriber(stage.program)
  const [first, second] = [await keep(client), await keep(client)]
  await sendMail(stage.program.smtpPort, { to: first.address, subject: 'For the first', text: 'x' })
  const page = await open(client, '/en/account')
  await row(page, first.address).getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('link', { name: 'For the first', exact: true }).waitFor()
  expect([new URL(page.url()).pathname, await addressOn(page)]).toEqual(['/en', first.address])
  await page.goto(`${stage.program.url}/en/account`)
  await row(page, second.address).getByRole('button', { name: 'Open', exact: true }).click()
  expect(await addressOn(page)).toBe(second.address)

  const ask = async (): Promise<void> => {
    await page.goto(`${stage.program.url}/en/account`)
    await row(page, first.address).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Delete this address?' }).waitFor()
    await page.getByText(first.address).waitFor()
  }
  await ask()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await row(page, first.address).waitFor()
  await ask()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(await row(page, first.address).count()).toBe(0)
  expect((await list(client)).map(({ address }) => address)).toEqual([second.address])
  // It was not the one that is open.
  await page.goto(`${stage.program.url}/en`)
  expect(await addressOn(page)).toBe(second.address)
})

test('the page asks before old links are revoked, and says that they were', async () => {
  const { client } = await subscriber(stage.program)
  const { address } = await keep(client)
  const page = await open(client, '/en/account')
  const revoke = page.getByRole('button', { name: 'Revoke old links' })
  const ask = async () => {
    await row(page, address).getByRole('button', { name: 'Revoke old links' }).click()
    await page.getByRole('heading', { name: 'Revoke old links' }).waitFor()
    for (const words of [address, 'All earlier links stop working', 'Forwarding stops'])
      expect(await main(page)).toContain(words)
  }
  await ask()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await row(page, address).waitFor()
  await ask()
  expect(await revoke.count()).toBe(1)
  await revoke.click()
  await page.getByRole('status').getByText('Old links no longer open this address.').waitFor()
})

test.each(['Open', 'Revoke old links', 'Delete'])('“%s” after the session ended says so', async (action) => {
  const { client } = await subscriber(stage.program)
  await keep(client)
  const page = await open(client, '/en/account')
  await client.send('DELETE', '/api/v1/account/session')
  await page.getByRole('listitem').getByRole('button', { name: action }).click()
  await page.getByRole('heading', { name: 'Sign in to Premium' }).waitFor()
  await page.getByRole('alert').getByText(SIGNED_OUT).waitFor()
})

test('saving another address after the session ended creates none, and says so', async () => {
  const { client } = await subscriber(stage.program)
  await keep(client)
  const page = await open(client, '/en/change')
  await client.send('DELETE', '/api/v1/account/session')
  await page.getByLabel('Domain').selectOption('mayfly.test')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText(SIGNED_OUT).waitFor()
  expect(await page.locator('main').getByRole('link', { name: 'Sign in to Premium' }).isVisible()).toBe(true)
})

test('all tabs show their lists, and what needs JavaScript', async () => {
  const { client } = await subscriber(stage.program)
  await keep(client)
  const made = [
    ['keys', { label: 'Build server' }],
    ['webhooks', { url: receiver.url('/no-script') }],
    ['domains', { name: 'no-script.example' }],
  ] as const
  for (const [name, body] of made)
    expect(await answerOf(client.send('POST', `/api/v1/account/${name}`, body))).toEqual([201, ''])
  const page = await open(client, '/en/account')
  for (const [tab, texts, buttons] of [
    ['Addresses', [], ['Open', 'Revoke old links', 'Delete']],
    ['Domains', [made[2][1].name, 'mayfly-verification='], []],
    ['Developer', ['Build server', receiver.url('/no-script'), 'requests per second'], []],
    ['Billing', ['Signed-in browsers'], []],
  ] as const) {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: tab }).click()
    const shown = await main(page)
    for (const text of [...texts, NEEDS_SCRIPT]) expect(shown).toContain(text)
    expect(
      await page.locator('main li button, main section form button').filter({ visible: true }).allInnerTexts(),
    ).toEqual(buttons)
    expect(await page.locator('[aria-current=page]').filter({ hasText: tab }).count()).toBe(1)
  }
})

test.each([true, false])('a used sign-in link says so, with a form for another one: signed in %s', async (inside) => {
  const { client, email } = await subscriber(stage.program)
  const asking = siteClient(stage.program)
  await asking.send('POST', '/api/v1/account/sign-in', { email, lang: 'en' })
  const outbox = outboxOf(stage.program)
  await expect.poll(async () => (await outbox.all()).filter(({ to }) => to?.[0]?.address === email).length).toBe(2)
  const link = (await outbox.all()).findLast(({ to }) => to?.[0]?.address === email)!.link
  const page = await open(asking, link.pathname + link.search)
  const token = (await page.locator('form[action="/actions/sign-in-link"] input[name=token]').getAttribute('value'))!
  expect((await asking.send('POST', '/api/v1/account/session', { token })).status).toBe(204)
  expect((await asking.send('DELETE', '/api/v1/account/session')).status).toBe(204)
  if (inside) {
    const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
    await page.context().addCookies(cookies)
  }
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: inside ? 'Account' : 'Sign in to Premium' }).waitFor()
  const alerts = (await page.getByRole('alert').allInnerTexts()).join('')
  if (inside) expect(alerts).toBe('')
  else
    expect(alerts).toMatch(/^This link no longer works\s*It has already been used or has expired\. Request a new one/)
})
