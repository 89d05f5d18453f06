import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verificationMail } from '#test/mail.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const PERMISSIONS = { permissions: ['clipboard-read', 'clipboard-write', 'notifications'] }

test('a mail comes in by itself, with its code to copy', async () => {
  const { page, address, send, complaints } = await stage.visit(PERMISSIONS)
  await page.getByText('Your inbox is empty').waitFor()
  await page.getByText('Waiting for incoming emails').waitFor()
  const { subject, ...rest } = verificationMail(address)
  await send(String(subject), rest)
  const row = page.locator('tbody tr')
  await row.getByText('482913', { exact: true }).waitFor()
  await expect.poll(() => row.locator('td').first().textContent()).toContain('Harbour Bank')
  await expect.poll(() => page.title()).toBe('(1) Mayfly: a temporary email address at once')
  await expect
    .poll(() => page.getByRole('status').allTextContents())
    .toContain('New email from Harbour Bank. The code is 482913')
  await page.getByRole('button', { name: 'Copy the code 482913' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('482913')
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await page.getByText('Copied').first().waitFor()
  expect(complaints).toEqual([])
})

test('a click selects the address', async () => {
  const { page, address } = await stage.visit()
  await page.locator('output').click()
  expect(await page.evaluate(() => String(getSelection()))).toBe(address)
})

test('a mail is opened, read in every way, downloaded, printed and deleted', async () => {
  const { page, send, complaints } = await stage.visit()
  await send('With a file', {
    html: '<h1>Hello</h1><p>This is <b>bold</b>.</p>',
    text: 'Hello in text',
    attachments: [{ filename: 'notes.txt', content: 'the notes' }],
  })
  await page.getByRole('link', { name: 'With a file', exact: true }).click()
  await page.getByRole('heading', { name: 'With a file' }).waitFor()
  expect(new URL(page.url()).search).toMatch(/^\?message=\w{26}$/)
  for (const field of ['From', 'To', 'Date', 'Subject', 'Resources'])
    await page.getByText(field, { exact: true }).first().waitFor()
  const frame = page.frameLocator('iframe')
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
  await page.getByRole('button', { name: 'Print' }).click()
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes')

  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  await expect.poll(() => page.title()).not.toContain('(')
  await page.goBack()
  await page.locator('article').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your inbox is empty').waitFor()
  expect(complaints).toEqual([])
})

test('two tabs stay in step', async () => {
  const { page, address, send } = await stage.visit()
  const other = await page.context().newPage()
  await other.goto(`${stage.program.url}/en`)
  expect(await other.locator('output').textContent()).toBe(address)
  await send('For both')
  for (const each of [page, other]) await each.getByRole('link', { name: 'For both', exact: true }).waitFor()
  await other.getByRole('link', { name: 'For both', exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  await other.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your inbox is empty').waitFor()
  await other.getByRole('button', { name: 'Delete' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This address has ended').waitFor()
})

test('notifications and sound are off until they are asked for', async () => {
  const { page, send } = await stage.visit(PERMISSIONS)
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told })
    class Told extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title: string, { body }: { body: string }) {
        super()
        told.push(`${title}: ${body}`)
      }
    }
    Object.assign(window, { Notification: Told })
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  })
  const told = () => page.evaluate(() => (window as any).told as string[])
  await send('Quiet')
  await page.getByRole('link', { name: 'Quiet', exact: true }).waitFor()
  expect(await told()).toEqual([])
  await page.getByRole('button', { name: 'Desktop notifications for new mail' }).click()
  await send('Loud')
  await expect.poll(told).toEqual(['Mayfly: New email from Harbour Bank: Loud'])
  const sound = page.getByRole('button', { name: 'Sound for new mail' })
  await sound.click()
  await expect.poll(() => sound.getAttribute('aria-pressed')).toBe('true')
})

test('older mail is a click away', async () => {
  const { page, send } = await stage.visit()
  for (let i = 0; i < 53; i++) await send(`Mail ${i}`)
  await expect.poll(() => page.locator('tbody tr').count(), { timeout: 20_000 }).toBe(53)
  await page.reload()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
  await page.getByRole('button', { name: 'Older emails' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(53)
})
