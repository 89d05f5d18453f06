import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keep, list } from '#test/support/fixtures/kept-client.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { loseResponse } from './lost-response.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'
import { violations } from './violations.ts'

const REPLACE = 'Revoke old links'
const REPLACED = 'Old links no longer open this address.'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const secretOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const answer = await fetch('/api/v1/session/reveal', { method: 'POST' })
    return ((await answer.json()) as { secret: string }).secret ?? ''
  })

const cookieOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === 'mayfly_secret')

/** Opens a recovery link in a new browser context. */
async function openByLink(secret: string): Promise<Page> {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en#secret=${secret}`)
  await page.getByRole('button', { name: 'Open address' }).click()
  await page.locator('[data-status=live]').waitFor()
  return page
}

test('invalidates old recovery links in the dialog: other browsers lose access, this one keeps it', async () => {
  const { page, address, send, pageErrors } = await stage.visit()
  const before = await secretOf(page)
  const other = await openByLink(before)
  expect(await addressOn(other)).toBe(address)
  await page.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('img', { name: 'QR code of the link to your address' }).locator('svg')
  const drawn = await code.innerHTML()
  await page.getByRole('button', { name: REPLACE }).click()
  await page.getByText('The address and its email stay.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: REPLACE }).click()
  await page.getByText(REPLACED).waitFor()
  await expect.poll(() => code.innerHTML()).not.toBe(drawn)
  await other.getByText('This address is no longer active').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await send('For the owner alone')
  await page.getByRole('link', { name: 'For the owner alone', exact: true }).waitFor()
  expect(await other.getByText('For the owner alone').count()).toBe(0)

  const after = await secretOf(page)
  expect(after).not.toBe(before)
  const again = await openByLink(after)
  await again.getByRole('link', { name: 'For the owner alone', exact: true }).waitFor()
  // The page's stream ended with the old secret.
  expect(pageErrors.filter((text) => !text.includes('/api/v1/events'))).toEqual([])
})

test('keeps saying that the old links still work if they were not revoked', async () => {
  const { page } = await stage.visit()
  const before = await secretOf(page)
  await page.route('**/api/v1/address/secret', (route) =>
    route.fulfill({ status: 429, json: { code: 'too_many_requests', title: 'Too many requests', status: 429 } }),
  )
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('button', { name: REPLACE }).click()
  const revealed = page.waitForResponse('**/api/v1/session/reveal')
  await page.getByRole('button', { name: REPLACE }).click()
  await revealed
  await page.getByRole('img', { name: 'QR code of the link to your address' }).locator('svg').waitFor()
  expect(await page.getByRole('dialog').getByRole('alert').innerText()).not.toBe('')
  expect(await page.getByText(REPLACED).count()).toBe(0)
  expect(await secretOf(page)).toBe(before)
})

test('gives the browser the new secret even if the response is lost', async () => {
  const { page, address } = await stage.visit()
  const before = await secretOf(page)
  await page.route('**/api/v1/address/secret', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('button', { name: REPLACE }).click()
  await page.getByRole('button', { name: REPLACE }).click()
  await page.getByText(REPLACED).waitFor()
  expect(await secretOf(page)).not.toBe(before)
  await page.reload()
  expect(await addressOn(page)).toBe(address)
})

test.each(['by itself', 'at the next press', 'when the page is loaded again', 'at another wish'])(
  'keeps the new secret %s, if there is no connection for longer than one request',
  async (when) => {
    const { page, address, send } = await stage.visit()
    const before = await secretOf(page)
    const lost = await loseResponse(page, 'POST', '/api/v1/address/secret', true)
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('button', { name: REPLACE }).click()
    await page.getByRole('button', { name: REPLACE }).click()
    expect(await lost.carriedOut).toBe(200)
    await page.getByRole('dialog').getByText('No connection.').waitFor()
    if (when === 'at the next press') {
      // The stream, which notices it too, stays cut.
      await page.context().route('**/api/v1/events**', (route) => route.abort())
      lost.restore()
      await page.getByRole('button', { name: REPLACE }).click()
      await page.getByText(REPLACED).waitFor()
      await page.context().unroute('**/api/v1/events**')
    }
    // Otherwise the page may find the address before it is left.
    if (when === 'at another wish') await page.route('**/api/v1/session', (route) => route.abort())
    lost.restore()
    if (when === 'when the page is loaded again') await page.reload()
    if (when === 'at another wish') {
      await page.goto(`${stage.program.url}/en/change`)
      await untilHydrated(page)
      await page.unroute('**/api/v1/session')
      await page.getByLabel('Name').fill('after.a.lost.secret')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      // Its address, which the page did not know of, is shown instead of being replaced.
      await page.getByText('Your current address').waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('after.a.lost.secret')
      await page.goto(`${stage.program.url}/en`)
      expect(await addressOn(page)).toBe(address)
    }
    await expect
      .poll(() =>
        secretOf(page).then(
          (secret) => secret || before,
          () => before,
        ),
      )
      .not.toBe(before)
    await send('After the outage')
    await page.getByRole('link', { name: 'After the outage', exact: true }).waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('mayfly:new'))).toBeNull()
  },
)

test('replaces the secret by a form without JavaScript; a repeated request changes nothing', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const address = await addressOn(page)
  const before = await cookieOf(page)
  const secret = await page.locator('form[action="/actions/replace-secret"] [name=secret]').inputValue()
  await page.locator('summary', { hasText: REPLACE }).click()
  await page.getByText('The address and its email stay.').waitFor()
  await page.getByRole('button', { name: REPLACE }).click()
  await page.waitForURL('**/en')
  expect(await addressOn(page)).toBe(address)
  // Simulates a lost response.
  await page.context().addCookies([before!])
  await page.request.post(`${stage.program.url}/actions/replace-secret`, {
    form: { lang: 'en', secret },
    headers: { origin: stage.program.url },
  })
  await page.reload()
  expect(await addressOn(page)).toBe(address)
  const after = await cookieOf(page)
  expect([after?.value, after?.value === before?.value]).toEqual([secret, false])
})

test('invalidates old recovery links when an address is kept, and on request in the account', async () => {
  const email = 'keeper@real.example'
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email, outboxOf(stage.program))
  const kept = await keep(client, { login: 'kept.before' })
  const { page } = await stage.visit()
  const address = await addressOn(page)
  const other = await openByLink(await secretOf(page))
  const cookies = [...client.cookies].filter(([name]) => name !== 'mayfly_secret')
  await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: stage.program.url })))
  await page.evaluate(() =>
    fetch('/api/v1/forwardings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ destination: 'zoe@mail.example' }),
    }),
  )
  await page.reload()
  // Forwarding would go on for whoever had the old links, so it stops, and the page says so before.
  await page.getByRole('button', { name: 'Keep this address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep this address' })
  await dialog.getByText('Forwarding stops.').waitFor()
  await dialog.getByRole('button', { name: 'Keep this address' }).click()
  await page.getByText(REPLACED).waitFor()
  await other.getByText('This address is no longer active').waitFor()
  await sendMail(stage.program.smtpPort, { to: address, subject: 'Kept mail', text: 'hello' })
  await page.getByRole('link', { name: 'Kept mail', exact: true }).waitFor()
  expect((await list(client)).map((each) => each.address)).toEqual([kept.address, address])
  await page.getByRole('link', { name: 'Forward', exact: true }).click()
  const ended = page.getByRole('listitem').filter({ hasText: 'zoe@mail.example' })
  await ended.getByText(REPLACED).waitFor()
  expect(await page.getByText('Stopped by you.').count()).toBe(0)

  await client.send('POST', `/api/v1/account/addresses/${kept.id}/open`)
  const { secret } = (await (await client.send('POST', '/api/v1/session/reveal')).json()) as { secret: string }
  const third = await openByLink(secret)
  await page.goto(`${stage.program.url}/en/account`)
  await untilHydrated(page)
  const row = page.getByRole('listitem').filter({ hasText: kept.address })
  await row.getByRole('button', { name: REPLACE }).click()
  await page.getByRole('dialog').getByRole('button', { name: REPLACE }).click()
  await page.getByText(REPLACED).waitFor()
  await third.getByText('This address is no longer active').waitFor()
})

test('the dialog with the link keeps the focus, which never begins at the button that revokes links', async () => {
  const { page } = await stage.visit()
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: at } = document
      return at === document.body ? 'nothing' : (at?.textContent ?? '')
    })
  await page.getByRole('button', { name: 'QR code' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
  expect(await focused()).toBe('Close')
  const revoke = dialog.getByRole('button', { name: REPLACE })
  await revoke.focus()
  const status = dialog.locator('[role=status]', { hasText: 'links' })
  await page.keyboard.press('Enter')
  await status.getByText('All earlier links stop working immediately').waitFor()
  expect(await focused()).toBe(REPLACE)
  await page.keyboard.press('Enter')
  await status.getByText(REPLACED).waitFor()
  expect(await focused()).toBe(REPLACE)
  // Screen readers announce what the status contains, so it must contain nothing but the text.
  expect(await dialog.locator('[role=status] button').count()).toBe(0)
  // It asks again before it revokes the new link.
  await page.keyboard.press('Enter')
  await status.getByText('All earlier links stop working immediately').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('QR code')
})
