import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { operatorOf } from '#test/support/program/operator.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

const open = async (path: string, javaScriptEnabled = true) => {
  const visit = await newVisit(stage.browser, { javaScriptEnabled, colorScheme: 'light' })
  await visit.page.goto(stage.program.url + path)
  return visit
}

/** The newest raw message of the operator. */
async function newestMail(): Promise<string> {
  const operator = operatorOf(stage.program)
  const { messages } = await operator.json('/api/v1/messages')
  return (await operator.get(`/api/v1/messages/${messages[0].id}/raw`)).text()
}

async function fillContact(page: Page, message: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Zoë')
  await page.getByLabel('Your email').fill('zoe@example.com')
  await page.getByLabel('Message').fill(message)
}

test.each([true, false])('sends the contact form to the operator with Reply-To (JavaScript: %s)', async (script) => {
  const { page, pageErrors } = await open('/en/contact?reason=advertising', script)
  expect(await page.getByLabel('Reason').inputValue()).toBe('advertising')
  await fillContact(page, `Hello ${script}`)
  await page.getByRole('button', { name: 'Send' }).click()
  const confirmation = page.locator('main').getByRole('status')
  await confirmation.getByText('Your message has been sent').waitFor()
  expect(new URL(page.url()).search).toBe(script ? '?reason=advertising' : '?sent=1')
  if (script) await expect.poll(() => confirmation.evaluate((each) => each === document.activeElement)).toBe(true)
  const mail = await newestMail()
  expect(mail).toContain(`Subject: [contact: advertising] Hello ${script}`)
  expect(mail).toMatch(/^Reply-To: =\?UTF-8\?Q\?Zo=C3=AB\?= <zoe@example\.com>\r$/m)
  await page.getByRole('link', { name: 'Send another message' }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('')
  expect(pageErrors).toEqual([])
})

test.each([true, false])('keeps rejected input and shows the reason at its field (JavaScript: %s)', async (script) => {
  const { page } = await open('/en/contact?reason=press', script)
  await fillContact(page, 'Words to keep')
  // The browser's own validation accepts this address.
  await page.getByLabel('Your email').fill('zoe@nowhere')
  await page.getByRole('button', { name: 'Send' }).click()
  const email = page.getByLabel('Your email')
  await page.locator('[name=email][aria-invalid=true]').waitFor()
  const described = (await email.getAttribute('aria-describedby'))?.split(' ') ?? []
  expect(await page.locator(`[id="${described[0]}"]`).textContent()).toContain('doesn’t look like')
  expect(await page.getByLabel('Message').inputValue()).toBe('Words to keep')
  expect(await page.getByLabel('Reason').inputValue()).toBe('press')
  if (script) await expect.poll(() => email.evaluate((each) => each === document.activeElement)).toBe(true)
  await email.fill('zoe@example.com')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message has been sent').waitFor()
  expect(await newestMail()).toContain('Words to keep')
})

test('restores the URL of the page after a form was submitted before hydration', async () => {
  const { page, pageErrors } = await open('/en/contact')
  await fillContact(page, 'Early bird')
  await page.getByLabel('Reason').selectOption('question')
  await page.getByLabel('Your email').fill('zoe@nowhere')
  await page.locator('form[action="/actions/contact"]').evaluate((form: HTMLFormElement) => form.submit())
  await page.locator('[name=email][aria-invalid=true]').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/en/contact')
  expect(await page.getByLabel('Message').inputValue()).toBe('Early bird')
  expect(pageErrors.filter((each) => !each.includes('422'))).toEqual([])
})

test.each([true, false])('accepts a problem report without an email address (JavaScript: %s)', async (script) => {
  const { page } = await open('/en/problem', script)
  await page.getByLabel('What is it about?').selectOption('not-arriving')
  await page.getByLabel('Message').fill('No code\ncame')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('main').getByRole('status').getByText('Thanks for letting us know').waitFor()
  const mail = await newestMail()
  expect(mail).toContain('Subject: [problem: not-arriving] No code\r\n')
  expect(mail).not.toContain('Reply-To')
  await page.locator('#faq summary').first().click()
  await page.getByText('no spam folder', { exact: false }).first().waitFor()
})

test.each([true, false])('orders Premium with the chosen plan (JavaScript: %s)', async (script) => {
  const { page } = await open('/en/premium', script)
  await page.getByText('Save 20%').waitFor()
  expect(await page.getByLabel('Years (paid in crypto)').isVisible()).toBe(false)
  await page.getByLabel('Crypto', { exact: false }).first().check()
  await page.getByLabel('Years (paid in crypto)').selectOption('2')
  expect(await page.locator('option:checked').textContent()).toMatch(/^2 years: .?\$172/)
  await page.getByLabel('Your real email').fill('zoe@example.com')
  const checkout = page.waitForRequest((request) => /\/en\/checkout\?order=[\w-]{22}$/.test(request.url()))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const id = new URL((await checkout).url()).searchParams.get('order')
  await page.waitForURL(/\/en\/checkout$/)
  const order = await (await fetch(`${stage.program.url}/api/v1/orders/${id}`)).json()
  expect(order).toMatchObject({ plan: 'crypto', years: 2, state: 'open' })
})

test('hides the trap field from sight, keyboard and screen readers', async () => {
  const { page } = await open('/en/contact')
  const trap = page.locator('[name=website]')
  expect(await trap.boundingBox().then((box) => (box?.x ?? 0) < 0)).toBe(true)
  expect(await page.getByRole('textbox', { name: 'leave this field' }).count()).toBe(0)
  await page.getByLabel('Message').focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send')
})

test('keeps the input without a connection', async () => {
  const { page } = await open('/en/contact?reason=api')
  await fillContact(page, 'Offline words')
  await untilHydrated(page)
  // An interrupted request can block its connection for all later ones. The last one is for the manifest, after a second.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/builds/meta/')),
  )
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alert').getByText('Your text is still here').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message has been sent').waitFor()
  expect(await newestMail()).toContain('Offline words')
})

test('shows Premium domains on the change page with a link to Premium', async () => {
  const { page } = await open('/en/change')
  expect(await page.locator('optgroup[label=Premium] option').allTextContents()).toEqual(['@vip.mayfly.test'])
  expect(await page.locator('optgroup[label=Premium] option').first().isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Upgrade to Premium' }).click()
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/premium')
})
