import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Outbox, outboxOf } from '#test/support/mail/outbox.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
let outbox: Outbox
beforeAll(async () => {
  stage = await openStage()
  outbox = outboxOf(stage.program)
})
afterAll(() => stage.close())

/** Empty without JavaScript, because axe is a script. */
const violationsIf = async (script: boolean, page: Page) => (script ? violations(page) : [])

const open = async (path: string, javaScriptEnabled = true) => {
  const visit = await newVisit(stage.browser, { javaScriptEnabled, colorScheme: 'light' })
  await visit.page.goto(stage.program.url + path)
  return visit
}

async function order(page: Page, email: string, plan: string): Promise<void> {
  await page.getByRole('radio', { name: plan }).check()
  await page.getByLabel('Your real email').fill(email)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Test checkout' }).waitFor()
}

/** Requests a sign-in link and returns its URL. */
async function requestLink(page: Page, email: string): Promise<string> {
  await page.goto(`${stage.program.url}/en/account`)
  await page.getByLabel('Your real email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  return (await outbox.next(email, 'sign-in')).link.href
}

test('orders Premium in the dialog, pays, is signed in, gets a receipt and confirms the email address', async () => {
  const email = 'zoe@example.com'
  const { page, address, pageErrors } = await stage.visit()
  await page.getByRole('link', { name: 'Premium' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('you won’t be charged').waitFor()
  expect(await violations(page)).toEqual([])
  await order(page, email, '1 month')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Paid', exact: true }).click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/account')
  const paid = page.getByRole('region', { name: 'Premium is active' })
  expect(await paid.innerText()).toMatch(/It ends on .+ Your receipt is on its way/s)
  expect((await outbox.next(email, 'receipt')).subject).toBe('Your receipt for Mayfly Premium')
  expect(await paid.getByRole('link', { name: 'Extend Premium' }).count()).toBe(0)
  await page.reload()
  await paid.getByRole('link', { name: 'Extend Premium' }).waitFor()
  expect(await paid.innerText()).not.toContain('receipt')

  await page.getByRole('link', { name: /^Choose a name on .vip\.mayfly\.test/ }).waitFor()
  const confirm = page.getByRole('region', { name: 'Confirm your email' })
  expect(await confirm.innerText()).toContain(email)
  expect(await violations(page)).toEqual([])
  await confirm.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await page.goto((await outbox.next(email, 'sign-in')).link.href)
  // The link opens automatically in the browser that requested it.
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await confirm.count()).toBe(0)

  const tabs = page.getByRole('navigation', { name: 'Account' })
  for (const [tab, heading] of [
    ['Domains', 'Your domains'],
    ['Developer', 'API keys'],
    ['Billing', 'Signed-in browsers'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).press('Enter')
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await tabs.locator('[aria-current=page]').innerText()).toBe(tab)
    expect(await violations(page)).toEqual([])
  }
  await page.getByText('won’t renew').waitFor()

  // The order page signs in once.
  await page.getByRole('button', { name: 'Sign out of this browser' }).click()
  await page.getByRole('heading', { name: 'Sign in to Premium' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.goto(`${stage.program.url}/en/checkout`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.goto(await requestLink(page, email))
  await page.getByRole('heading', { name: 'Account' }).waitFor()

  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Keep this address' }).click()
  await page.getByText('Active for as long as you subscribe').waitFor()
  expect(await page.locator('output').textContent()).toBe(address)
  expect(pageErrors).toEqual([])
})

test('the Premium dialog shows all benefits and its button on a phone, keeps the focus, and returns it', async () => {
  const { page } = await newVisit(stage.browser, { viewport: { width: 390, height: 664 } })
  await page.goto(`${stage.program.url}/en`)
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Premium' })
  const openDialog = async (): Promise<void> => {
    await menu.click()
    await page.locator('header').getByRole('link', { name: 'Premium' }).click()
    await dialog.getByText('doesn’t renew').first().waitFor()
  }
  const closings = [
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(195, 4),
  ]
  for (const close of closings) {
    await openDialog()
    const box = await dialog.getByRole('button', { name: 'Continue to payment' }).boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(664)
    // The rest of the page is inert: the focus leaves the dialog only for the browser itself.
    for (let i = 0; i < 12; i++) await page.keyboard.press('Tab')
    const inside = page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
    )
    expect(await inside).toBe(true)
    await close()
    await dialog.waitFor({ state: 'detached' })
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true)
  }
  await openDialog()
  // The sandbox bills once.
  expect(await dialog.getByText('billed yearly').count()).toBe(0)
  expect(await dialog.getByRole('listitem').count()).toBe(11)
  await dialog.getByText('priority support').scrollIntoViewIfNeeded()
  expect(await dialog.getByRole('button', { name: 'Close', exact: true }).isVisible()).toBe(true)
})

test('the Premium dialog does not cover the message about an invalid email with its buttons', async () => {
  const { page } = await newVisit(stage.browser, { viewport: { width: 390, height: 664 } })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.locator('header').getByRole('link', { name: 'Premium' }).click()
  await page.getByLabel('Your real email').fill('zoe@nowhere')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const problem = page.getByText('This doesn’t look like a valid email address')
  await problem.waitFor()
  const isInFront = (): Promise<boolean> =>
    problem.evaluate((each) => {
      const { left, top, bottom } = each.getBoundingClientRect()
      return [top + 2, bottom - 2].every((y) => each.contains(document.elementFromPoint(left + 2, y)))
    })
  await expect.poll(isInFront).toBe(true)
})

test.each([
  ['Declined', 'Your payment was declined'],
  ['Expired', 'Payment window expired'],
])('%s: grants nothing and offers another try', async (button, words) => {
  const { page } = await open('/en/premium')
  await order(page, 'declined@example.com', '1 year')
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { name: words }).waitFor()
  await page.getByRole('link', { name: 'Back to the plans' }).click()
  await page.getByRole('heading', { name: 'Choose your plan' }).waitFor()
})

test('orders two years in crypto without JavaScript, underpaid and then paid in full, and signs in', async () => {
  const email = 'plain@example.com'
  for (const [button, words] of [
    ['Underpaid', 'Payment incomplete'],
    ['Paid', 'Premium is active'],
  ] as const) {
    const { page } = await open('/en/premium', false)
    await page.getByRole('radio', { name: 'Crypto' }).check()
    await page.getByLabel('Years (paid in crypto)').selectOption('2')
    await order(page, email, 'Crypto')
    await page.getByText(/^Crypto, 2 years: .\$172/).waitFor()
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('heading', { name: words }).waitFor()
    if (button !== 'Paid') continue
    await page.getByRole('button', { name: 'Open your account' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByRole('heading', { name: 'Premium is active' }).waitFor()
    await page.getByRole('button', { name: 'Sign out of this browser' }).click()
    await page.getByRole('heading', { name: 'Sign in to Premium' }).waitFor()
  }
  const { page } = await open('/en/account', false)
  await page.goto(await requestLink(page, email))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
})

test('shows an invalid email at its field and keeps the input', async () => {
  for (const script of [true, false]) {
    const { page } = await open('/en/premium', script)
    await page.getByLabel('1 month').check()
    await page.getByLabel('Your real email').fill('zoe@nowhere')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('This doesn’t look like a valid email address').waitFor()
    const email = page.getByLabel('Your real email')
    expect(await email.inputValue()).toBe('zoe@nowhere')
    if (script) expect(await email.evaluate((each) => each === document.activeElement)).toBe(true)
    expect(await page.getByLabel('1 month').isChecked()).toBe(true)
  }
})

test('signs in a second browser by its own link and shows the same addresses', async () => {
  const email = 'two@example.com'
  const { page: first } = await stage.visit()
  await first.goto(`${stage.program.url}/en/premium`)
  await order(first, email, '1 year')
  await first.getByRole('button', { name: 'Paid', exact: true }).click()
  await first.getByRole('heading', { name: 'Addresses' }).waitFor()
  await first.goto(`${stage.program.url}/en`)
  await first.getByRole('button', { name: 'Keep this address' }).click()
  await first.getByText('Active for as long as you subscribe').waitFor()
  const kept = (await first.locator('output').textContent()) ?? ''
  await sendMail(stage.program.smtpPort, { to: kept, subject: 'Your code is 482913', text: 'Your code is 482913' })

  const { page: second, pageErrors } = await newVisit(stage.browser)
  const link = await requestLink(second, email)
  await second.goto(link)
  await second.getByText(kept).waitFor()
  await second.getByText('1 unread').first().waitFor()
  await second.getByRole('button', { name: 'Open', exact: true }).click()
  await second.getByText('482913').first().waitFor()
  expect(pageErrors).toEqual([])

  const { page: third } = await newVisit(stage.browser)
  await third.goto(link)
  await third.getByText('This link no longer works').waitFor()
})

test.each([true, false])(
  'opens the account by the code if the link is opened on a phone (JavaScript: %s)',
  async (script) => {
    // A retry of this test uses a different address, because sign-in emails to one address are limited.
    const email = `phone-${script}-${Date.now()}@example.com`
    await subscribeIn(stage.program, email)
    const { page, pageErrors } = await open('/en/account', script)
    const link = await requestLink(page, email)
    expect(await violationsIf(script, page)).toEqual([])

    const phone = await newVisit(stage.browser, {
      javaScriptEnabled: script,
      viewport: { width: 390, height: 844 },
      isMobile: true,
    })
    await phone.page.goto(link)
    await phone.page.getByRole('heading', { name: 'Your sign-in code' }).waitFor()
    expect(await violationsIf(script, phone.page)).toEqual([])
    const code = (await phone.page.locator('strong[dir=ltr]').textContent()) ?? ''
    expect(code).toMatch(/^.\d{3} \d{3} \d{3}.$/)
    expect((await phone.page.content()).includes(new URL(link).searchParams.get('link') ?? '')).toBe(false)

    await page.getByLabel('Code from the email').fill('123 456 789')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByLabel('Code from the email').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    expect(page.url()).toBe(`${stage.program.url}/en/account`)
    // The phone is not signed in and can request its own link.
    await phone.page.reload()
    await phone.page.getByText('This link no longer works').waitFor()
    await phone.page.getByLabel('Your real email').fill(email)
    await phone.page.getByRole('button', { name: 'Send link' }).click()
    await phone.page.goto((await outbox.next(email, 'sign-in')).link.href)
    if (!script) await phone.page.getByRole('button', { name: 'Sign in' }).click()
    await phone.page.getByRole('heading', { name: 'Account' }).waitFor()
    // The browser logs refused requests. Without JavaScript, it also logs that preloaded files were not used.
    const expected = /422|preloaded using link preload/
    expect([...pageErrors, ...phone.pageErrors].filter((each) => !expected.test(each))).toEqual([])
  },
)
