import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AddressJson } from '#contract/addresses.ts'
import { DAY } from '#core/time.ts'
import { keep, list as keptOf, send } from '#test/support/fixtures/kept-client.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openPremiumStage, order, type PremiumStage } from './premium-stage.ts'
import { violations } from './violations.ts'

let stage: PremiumStage
beforeAll(async () => {
  stage = await openPremiumStage()
})
afterAll(() => stage.close())

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor()
const button = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

/** Pays on the page of the fake provider and returns to the site. */
async function payAt(page: Page, provider: string, then = 'Account'): Promise<void> {
  await heading(page, provider)
  await button(page, 'Pay')
  await heading(page, then)
}

/** The error code that the page receives when it creates another kept address. */
const codeOfNewAddress = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/api/v1/account/addresses', { method: 'POST', headers, body: '{}' })
    return ((await response.json()) as { code?: string }).code
  })

/** Confirms the email address of the account that is open in this browser. */
async function confirm(page: Page, email: string): Promise<void> {
  await button(page, 'Send link')
  await heading(page, 'Check your inbox')
  await page.goto((await stage.outbox.next(email, 'sign-in')).link.href)
  await heading(page, 'Account')
}

test('switches between ten labeled addresses by mouse and keyboard, with live unread counts', async () => {
  const email = 'ten@real.example'
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email, stage.outbox)
  for (let i = 1; i <= 10; i++) await keep(client, { login: `tenth.${i}`, ...(i === 3 && { label: 'Newspapers' }) })
  const { page, pageErrors } = await stage.open('/en', client)
  const addressed = (login: string): Promise<void> =>
    page
      .locator('output')
      .filter({ hasText: `${login}@mayfly.test` })
      .waitFor()
  const summary = page.locator('summary', { hasText: 'Your addresses' })
  const choices = page.locator('details button', { hasText: '@' })
  await summary.click()
  expect(await choices.count()).toBe(10)
  // The list fades out where it is cut, so that nobody takes it for complete.
  const cut = await page.locator('details ul').evaluate((list) => {
    const { height, position } = getComputedStyle(list.lastElementChild!, '::before')
    return { height, position }
  })
  expect(cut).toEqual({ height: '24px', position: 'absolute' })
  expect(await choices.filter({ hasText: 'Newspapers' }).innerText()).toContain('tenth.3@mayfly.test')
  await choices.filter({ hasText: 'tenth.7@' }).click()
  await addressed('tenth.7')
  expect(await choices.first().isVisible()).toBe(false)

  await send(stage.program, 'tenth.3@mayfly.test', 'The evening edition')
  await summary.getByText('1 unread').waitFor()
  expect(await page.getByText('The evening edition').count()).toBe(0)

  await summary.focus()
  await page.keyboard.press('Enter')
  await choices.filter({ hasText: 'Newspapers' }).getByText('1 unread').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  expect(await choices.first().isVisible()).toBe(false)
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  for (let i = 1; i <= 3; i++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await addressed('tenth.3')
  await page.getByText('The evening edition').waitFor()
  // Messages of the open address are not counted as unread in the switcher.
  expect(await summary.getByText('unread').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('counts unread messages again after a refused connection, as in a restart behind a proxy', async () => {
  const email = 'counted@real.example'
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email, stage.outbox)
  const logins = ['counted.one', 'counted.two']
  for (const login of logins) await keep(client, { login })
  const { page } = await stage.open('/en', client)
  let requests = 0
  await page.route('**/api/v1/account/events*', (route) =>
    requests++ === 0 ? route.fulfill({ status: 502 }) : route.continue(),
  )
  await page.reload()
  await expect.poll(() => requests).toBe(1)
  // One of them is open, and not counted.
  for (const login of logins) await send(stage.program, `${login}@mayfly.test`, 'Meanwhile')
  await page.locator('summary', { hasText: 'Your addresses' }).getByText('1 unread').waitFor()
})

test('on a phone, the open list of addresses fits the screen, and nothing covers it', async () => {
  const email = 'phone@real.example'
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email, stage.outbox)
  for (const login of ['phone.one', 'phone.two', 'a.long.login.that.a.subscriber.has.chosen'])
    await keep(client, { login })
  for (const login of ['phone.one', 'phone.two', 'phone.two'])
    await sendMail(stage.program.smtpPort, { to: `${login}@mayfly.test`, subject: 'Code', text: 'Your code is 482913' })
  const { page } = await stage.open('/ta', client)
  await page.setViewportSize({ width: 320, height: 568 })
  await page.locator('main details button', { hasText: 'phone.one@' }).waitFor({ state: 'attached' })
  await page.locator('main details summary').first().click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  const covering = await page.locator('main details ul').evaluate((list) => {
    const { left, right, top, bottom } = list.getBoundingClientRect()
    const points: Element[] = []
    for (let x = left + 4; x < right - 4; x += 8)
      for (let y = top + 12; y < Math.min(bottom, innerHeight) - 12; y += 8)
        points.push(document.elementFromPoint(x, y)!)
    return points.filter((each) => !list.contains(each)).map((each) => each.outerHTML.slice(0, 80))
  })
  expect(covering).toEqual([])
})

test.each([
  ['active', {}],
  ['ended', { paidUntil: Date.now() - DAY }],
] as const)('an %s subscriber is asked before a new address replaces one that is not kept', async (state, change) => {
  const email = `${state}.replacing@real.example`
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email, stage.outbox)
  const kept = await keep(client, { login: `${state}.replacing` })
  const made = await client.send('POST', '/api/v1/addresses', { lifetime: 'ten-minutes' })
  const { address } = (await made.json()) as AddressJson
  await subscribeIn(stage.program, email, change)
  await send(stage.program, address, 'Would be lost')
  await send(stage.program, kept.address, 'Weekly report')
  const { page } = await stage.open('/en', client)
  const warning = page.getByText('will be deleted once the new one is ready').filter({ hasText: address })
  await page.getByText('Would be lost').waitFor()
  await button(page, 'New random address')
  await page.getByRole('dialog').filter({ has: warning }).waitFor()
  await page.keyboard.press('Escape')
  expect(await addressOn(page)).toBe(address)
  await page.goto(`${stage.program.url}/en/change`)
  await warning.waitFor()

  await page.goto(`${stage.program.url}/en`)
  await page.locator('summary', { hasText: 'Your addresses' }).click()
  await page.locator('details button', { hasText: kept.address }).click()
  await page.getByText('Weekly report').waitFor()
  await page.goto(`${stage.program.url}/en/change`)
  await heading(page, 'Choose your address')
  expect(await page.getByText('will be deleted').count()).toBe(0)
  await button(page, 'Use a random name')
  await page.locator('[data-status=live]').waitFor()
  expect((await keptOf(client)).map((each) => [each.address, each.alive])).toContainEqual([kept.address, true])
})

test('grants two years when the BTCPay invoice is settled', async () => {
  const email = 'coins@real.example'
  const { page, pageErrors } = await stage.open('/en/premium')
  await page.getByRole('radio', { name: 'Crypto' }).check()
  await page.getByLabel('Years (paid in crypto)').selectOption('2')
  await order(page, email, 'Crypto')
  await payAt(page, 'Fake BTCPay')
  await page.getByRole('link', { name: 'Billing' }).click()
  await page.getByRole('listitem').filter({ hasText: '$172' }).waitFor()
  expect((await stage.outbox.next(email, 'receipt')).subject).toBe('Your receipt for Mayfly Premium')
  const invoices = [...stage.btcpay.invoices.values()]
  expect(invoices.map(({ amount, status }) => [amount, status])).toEqual([['172.00', 'Settled']])
  expect(pageErrors).toEqual([])
})

test('buys by card, cancels in the portal, is notified of the end, lapses and buys again', async () => {
  const email = 'mia@real.example'
  const { page, address, pageErrors } = await stage.visit()
  const goTo = (path: string) => page.goto(stage.program.url + path)
  const state = page.locator('section[data-state]')
  const lives = page.getByText('Active for as long as you subscribe')
  await page.getByRole('link', { name: 'Premium' }).first().click()
  await page.getByRole('dialog').getByText('Card payment, renews automatically until you cancel').first().waitFor()
  expect(await page.getByText('you won’t be charged').count()).toBe(0)
  await order(page, email, '1 month')
  await payAt(page, 'Fake Stripe')
  await confirm(page, email)
  await goTo('/en/account/billing')
  expect(await state.innerText()).toMatch(/Premium is active\s+It renews automatically on \w+ \d+, \d{4}/)
  const storageState = await page.context().storageState()
  const { page: plain } = await newVisit(stage.browser, { javaScriptEnabled: false, storageState })
  await plain.goto(page.url())
  const portal = plain.getByText('Manage billing or cancel')
  expect([await portal.count(), await portal.isVisible()]).toEqual([1, false])
  await plain.context().close()
  await goTo('/en/premium')
  await button(page, 'Continue to payment')
  await page.getByText('Premium already renews automatically').first().waitFor()
  await goTo('/en')
  await button(page, 'Keep this address')
  await lives.waitFor()

  await goTo('/en/account/billing')
  await button(page, 'Manage billing or cancel')
  await heading(page, 'Fake portal')
  await button(page, 'Cancel')
  await page.getByText('won’t renew').waitFor()
  const [, end = ''] = /It ends on (\w+ \d+, \d{4}) and won’t renew/.exec(await state.innerText()) ?? []

  // Less than 14 days before the end of any month. An email names the day, and that of the addresses, which is later.
  await stage.advanceTo(18)
  const notice = await stage.outbox.next(email, 'notice')
  expect(notice.subject).toBe(`Your Mayfly Premium ends on ${end}`)
  const [, day = ''] = /Nothing changes for your addresses until (\w+ \d+, \d{4})/.exec(notice.text ?? '') ?? []
  expect(Date.parse(day)).toBeGreaterThan(Date.parse(end))
  await send(stage.program, address, 'Before the end')
  await page.goto(notice.link.href)
  expect(await state.innerText()).toContain('Premium is active')

  for (const { id } of stage.stripe.books.subscriptions.values()) stage.stripe.end(id)
  await stage.advanceTo(33)
  expect((await stage.outbox.next(email, 'ended')).text).toContain('24 hours after your last visit')
  await page.reload()
  expect(await state.innerText()).toContain('Your addresses are on the free plan')
  expect(await violations(page)).toEqual([])
  expect(await page.getByRole('link', { name: 'Add an address' }).count()).toBe(0)
  expect(await codeOfNewAddress(page)).toBe('premium_required')
  await goTo('/en')
  await page.getByText('24 hours left').waitFor()
  await page.getByText('Before the end').waitFor()

  await goTo('/en/account')
  await page.getByRole('link', { name: 'Extend Premium' }).click()
  // The account that is signed in is not asked for its email address again.
  await page.getByText(`For your account \u2068${email}\u2069`).waitFor()
  await page.getByRole('radio', { name: '1 year' }).check()
  await button(page, 'Continue to payment')
  await payAt(page, 'Fake Stripe', 'Premium is active')
  await goTo('/en')
  await lives.waitFor()
  expect(await page.locator('output').textContent()).toBe(address)
  await page.getByText('Before the end').waitFor()
  // Ignores the refusals that the test provoked.
  expect(pageErrors.filter((each) => !/40[39]/.test(each))).toEqual([])
})
