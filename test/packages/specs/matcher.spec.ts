import { expect, type Inbox, test } from '@mayfly/playwright'
import { createTransport } from 'nodemailer'

const smtp = createTransport({ host: '127.0.0.1', port: Number(process.env.SMTP_PORT) })
const send = (inbox: Inbox, subject: string, text: string) =>
  smtp.sendMail({ from: 'no-reply@harbour.example', to: inbox.address, subject, text })
const CONFIRM = 'Your verification code is 482913\n\nOr: https://harbour.example/confirm?token=f3a9c1d27b'

test('receives', async ({ inbox }) => {
  const receiving = expect(inbox).toReceive({ subject: /^confirm/i, has: 'link', code: '482913' }, { timeout: 10_000 })
  await send(inbox, 'Newsletter', 'Your verification code is 111111')
  await send(inbox, 'Confirm it', CONFIRM)
  await receiving
  await expect(inbox).toReceive()
  await expect(inbox).toReceive({ code: /^\d{6}$/, link: 'confirm?token=' })
  await expect(inbox).toReceive({ from: 'harbour', link: /^https:/ })
  const global = { code: /\d{6}/g, link: /https:/y }
  await expect(inbox).toReceive(global)
  await expect(inbox).toReceive(global)
})

test('waits', async ({ inbox }) => {
  await send(inbox, 'Confirm it', CONFIRM)
  expect(await inbox.waitForCode()).toBe('482913')
  expect(await inbox.waitForLink()).toBe('https://harbour.example/confirm?token=f3a9c1d27b')
  expect((await inbox.waitForMessage({ subject: 'confirm' })).subject).toBe('Confirm it')
})

test('receives nothing else', async ({ inbox }) => {
  await send(inbox, 'Welcome', 'Hello')
  await expect(inbox).toReceive({ subject: 'Welcome' })
  await expect(inbox).not.toReceive({ subject: 'Newsletter' })
})

test('has two inboxes', async ({ inbox, createInbox }) => {
  const other = await createInbox({ domain: 'dayfly.test', lifetime: undefined } as object)
  expect(other.address).toMatch(/@dayfly\.test$/)
  expect((await other.state()).lifetime).toBe('ten-minutes')
  await send(other, 'To the other', 'Hello')
  await expect(other).toReceive({ subject: 'To the other' })
  await expect(inbox).not.toReceive({}, { timeout: 0 })
})

test('explains what arrived instead', async ({ inbox }) => {
  await send(inbox, 'Welcome', 'Hello')
  await expect(inbox).toReceive({ subject: 'Confirm', code: true })
})

test('explains another code', async ({ inbox }) => {
  await send(inbox, 'Confirm it', 'Your verification code is 482913')
  await expect(inbox).toReceive({ code: '000000' })
})

test('explains an unwanted message', async ({ inbox }) => {
  await send(inbox, 'Welcome', 'Hello')
  await expect(inbox).not.toReceive({ subject: 'Welcome' }, { timeout: 5000 })
})

test('names a condition that does not exist', async ({ inbox }) => {
  await send(inbox, 'Welcome', 'Hello')
  await expect(inbox).toReceive({ subjct: 'Confirm' } as object)
})

test('names an option that does not exist', async ({ inbox }) => {
  await expect(inbox).not.toReceive({}, { timout: 0 } as object)
})

test.describe('with another option', () => {
  test.use({ mayfly: { attch: 'always' } as object })
  test('names an option of the project that does not exist', async ({ inbox }) => {
    expect(inbox.address).toContain('@')
  })
})

test('refuses a timeout', async ({ inbox }) => {
  await expect(inbox).not.toReceive({}, { timeout: -1 })
})

test('refuses another value', async () => {
  await expect('velvet.otter47@mayfly.test' as unknown as Inbox).toReceive()
})

test('explains a wait', async ({ inbox }) => {
  await inbox.waitForCode({ timeout: undefined } as object)
})
