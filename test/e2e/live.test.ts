import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { verificationMail } from '#test/support/mail/mail.ts'
import { addressOn, closeContexts } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
// Pages that stay open keep drawing, which slows down later tests.
afterEach(() => closeContexts(stage.browser))

/** A browser with animations and all permissions that the page requests. */
const PERMISSIONS = {
  permissions: ['clipboard-read', 'clipboard-write', 'notifications'],
  reducedMotion: 'no-preference' as const,
}

test('shows a new message with its code and a Copy button', async () => {
  const { page, address, send, pageErrors } = await stage.visit(PERMISSIONS)
  await page.getByText('Your inbox is empty').waitFor()
  await page.getByText('Waiting for incoming emails').waitFor()
  const { subject, ...rest } = verificationMail(address)
  await send(String(subject), rest)
  const row = page.locator('tbody tr')
  await row.getByText('482913', { exact: true }).waitFor()
  await expect.poll(() => row.locator('td').first().textContent()).toContain('Harbour Bank')
  await expect.poll(() => page.title()).toBe('(1) Temp Mail: free temporary email address · Mayfly')
  await expect
    .poll(() => page.getByRole('status').allTextContents())
    .toContain('New email from Harbour Bank. The code is 482913')
  await Promise.all([page.waitForResponse('**/en/_payload.json'), page.getByRole('link', { name: 'Refresh' }).click()])
  await page.locator('main[aria-busy=false]').waitFor()
  await expect.poll(() => page.title()).toBe('(1) Temp Mail: free temporary email address · Mayfly')
  await page.getByRole('button', { name: 'Copy the code 482913' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('482913')
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await page.getByText('Copied').first().waitFor()
  expect(pageErrors).toEqual([])
})

test('opens a message in every view, downloads, prints and deletes it', async () => {
  const { page, send, pageErrors } = await stage.visit()
  await send('With a file', {
    html: '<h1>Hello</h1><p>This is <b>bold</b>.</p>',
    text: 'Hello in text',
    attachments: [{ filename: 'notes.txt', content: 'the notes' }],
  })
  await page.getByRole('link', { name: 'With a file', exact: true }).click()
  await page.getByRole('heading', { name: 'With a file' }).waitFor()
  expect(new URL(page.url()).search).toMatch(/^\?message=\w{26}$/)
  await page.getByText('Details', { exact: true }).click()
  for (const field of ['From', 'To', 'Date', 'Subject', 'Resources'])
    await page.getByText(field, { exact: true }).first().waitFor()
  const frame = page.frameLocator('iframe:not([aria-hidden])')
  await frame.getByRole('heading', { name: 'Hello' }).waitFor()

  await page.getByRole('tab', { name: 'Text' }).click()
  await frame.getByText('Hello in text').waitFor()
  await page.getByRole('tab', { name: 'Source' }).click()
  await expect.poll(() => page.locator('#message-body').textContent()).toContain('Subject: With a file\r\n'.trimEnd())
  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByText('Message-ID', { exact: false }).first().waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'notes.txt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('notes.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('the notes')
  const [mail] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download', exact: true }).click(),
  ])
  expect(mail.suggestedFilename()).toMatch(/\.eml$/)

  await page.evaluate(() => {
    window.print = () => void document.body.setAttribute('data-printed', 'yes')
  })
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes')

  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  await expect.poll(() => page.title()).not.toContain('(')
  await page.goBack()
  await page.locator('article').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your inbox is empty').waitFor()
  expect(pageErrors).toEqual([])
})

test('keeps two tabs in sync', async () => {
  const { page, address, send } = await stage.visit()
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  expect(await other.locator('output').textContent()).toBe(address)
  await send('For both')
  for (const each of [page, other]) await each.getByRole('link', { name: 'For both', exact: true }).waitFor()
  await other.getByRole('link', { name: 'For both', exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  // The pages before and after have a button with the same name.
  await other.locator('article').waitFor()
  await other.clock.install()
  await other.getByRole('button', { name: 'Delete' }).click()
  await other.getByText('Deleted: 1').waitFor()
  // Until then it can be undone.
  await other.clock.fastForward(8100)
  for (const each of [page, other]) await each.getByText('Your inbox is empty').waitFor()
  await other.getByRole('button', { name: 'Delete' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This address is no longer active').waitFor()
})

test('follows a change of the address in another tab without old and with all new messages', async () => {
  const { page, send } = await stage.visit()
  for (let i = 0; i < 4; i++) await send(`Old ${i}`)
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  await expect.poll(() => other.locator('tbody tr').count()).toBe(4)
  await page.goto(`${stage.program.url}/en/change`)
  await page.getByRole('button', { name: 'Use a random name' }).click()
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  const to = await addressOn(page)
  await expect.poll(() => addressOn(other)).toBe(to)
  await other.getByText('Your inbox is empty').waitFor()
  await send('For the new one', { to })
  for (const each of [page, other]) {
    await each.getByRole('link', { name: 'For the new one', exact: true }).waitFor()
    expect(await each.locator('tbody tr').count()).toBe(1)
  }
})

test('uses the address of another tab after its own was deleted', async () => {
  const { page } = await stage.visit()
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This address is no longer active').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  const address = await addressOn(other)
  await page.bringToFront()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => page.locator('output').allTextContents()).toEqual([address])
})

test('shows the new address of another window instead of deleting it', async () => {
  const { page } = await stage.visit()
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  await other.locator('[data-status=live]').waitFor()
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  for (const each of [page, other]) await each.getByText('This address is no longer active').waitFor()
  await page.getByRole('button', { name: 'Get a new address' }).click()
  const address = await addressOn(page)
  await other.getByRole('button', { name: 'Get a new address' }).click()
  expect(await addressOn(other)).toBe(address)
  expect(await addressOn(page)).toBe(address)
})

test('copies without the Clipboard API and keeps the focus', async () => {
  const { page, address, send } = await stage.visit(PERMISSIONS)
  await send('Your code', { text: 'Your verification code is 482913' })
  // Over plain HTTP only localhost has the Clipboard API.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const reader = await page.context().newPage()
  await reader.goto(`${stage.program.url}/en`)
  for (const [name, value] of [
    ['Copy the code 482913', '482913'],
    ['Copy', address],
  ] as const) {
    const button = page.getByRole('button', { name, exact: true }).first()
    await page.bringToFront()
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Copied').first().waitFor()
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await reader.bringToFront()
    expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(value)
  }
})

test('selects the address by a click, and shows no confirmation if the browser refuses to copy', async () => {
  const { page, address } = await stage.visit()
  await page.locator('output').click()
  expect(await page.evaluate(() => String(getSelection()))).toBe(address)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => {
      // After two frames a confirmation would be visible.
      requestAnimationFrame(() => requestAnimationFrame(() => document.body.setAttribute('data-refused', '')))
      return false
    }
  })
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await page.locator('[data-refused]').waitFor({ state: 'attached' })
  expect(await page.getByText('Copied').count()).toBe(0)
})

test('notifies and plays sounds only after they are switched on', async () => {
  const { page, send } = await stage.visit(PERMISSIONS)
  await page.evaluate(() => {
    const shown: string[] = []
    // Records the real notifications. A headless browser denies the permission even if it was granted.
    class Recorded extends Notification {
      static override permission: NotificationPermission = 'granted'
      static override requestPermission = async () => 'granted' as const
      constructor(title: string, options: NotificationOptions) {
        super(title, options)
        shown.push(`${title}: ${options.body}`)
      }
    }
    Object.assign(window, { shown, Notification: Recorded })
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  })
  const shownTexts = () => page.evaluate(() => (window as any).shown as string[])
  await send('Quiet')
  await page.getByRole('link', { name: 'Quiet', exact: true }).waitFor()
  expect(await shownTexts()).toEqual([])
  await page.getByRole('button', { name: 'Options and shortcuts' }).click()
  await page.getByRole('switch', { name: 'Desktop notifications' }).click()
  await send('Loud')
  await expect.poll(shownTexts).toEqual(['Mayfly: New email from Harbour Bank: Loud'])
  await page.keyboard.press('Escape')
  await Promise.all([page.waitForResponse('**/_payload.json'), page.getByRole('link', { name: 'Refresh' }).click()])
  await page.locator('main[aria-busy=false]').waitFor()
  await send('Louder')
  await expect.poll(shownTexts).toContain('Mayfly: New email from Harbour Bank: Louder')
  expect(await shownTexts()).toHaveLength(2)
  await page.getByRole('button', { name: 'Options and shortcuts' }).click()
  const sound = page.getByRole('switch', { name: 'Sound alerts' })
  await sound.click()
  await expect.poll(() => sound.isChecked()).toBe(true)
})

test('loads older messages by a click', async () => {
  const { page, send } = await stage.visit()
  // Not while the page is open: it would draw each of them.
  await page.goto('about:blank')
  for (let i = 0; i < 50; i++) await send(`Mail ${i}`)
  await page.goto(`${stage.program.url}/en`)
  await page.locator('[data-status=live]').waitFor()
  for (let i = 50; i < 53; i++) await send(`Mail ${i}`)
  await expect.poll(() => page.locator('tbody tr').count()).toBe(53)
  await page.reload()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
  // Only 50 messages are loaded, and older ones may be unread too.
  await expect.poll(() => page.title()).toMatch(/^\(50\+\) /)
  expect(await page.getByText('50 unread').count()).toBe(0)
  await page.getByRole('button', { name: 'Older emails' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(53)
  await page.getByText('53 unread').waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(53\) /)
})
