import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { knownBrowsers } from '#test/support/browsers/installed.ts'
import type { OpenBrowser } from '#test/support/browsers/tab.ts'
import { type BrowserVisitor, visitorAt } from '#test/support/browsers/visitor.ts'
import { subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

/** Whether the browser can copy a key to a worker. WebKitGTK needs a keychain for it, Safari has one. */
async function copiesKeys(): Promise<boolean> {
  const { privateKey } = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair
  try {
    return structuredClone(privateKey) instanceof CryptoKey
  } catch {
    return false
  }
}

const send = (to: string, subject: string, text: string) => sendMail(program.smtpPort, { to, subject, text })

describe.each(knownBrowsers())('in $name', ({ name, missing, open }) => {
  const login = `river.${name.toLowerCase()}`
  let browser: OpenBrowser | undefined
  let visitor: BrowserVisitor
  let address: string
  beforeAll(async () => {
    browser = await open?.()
    if (browser) visitor = visitorAt(browser.tab, program.url)
  })
  afterAll(() => browser?.close())
  beforeEach(({ skip }) => skip(!browser, missing))

  test('a first visitor gets an address, live mail and copies the code and the address', async ({ annotate }) => {
    await annotate(browser?.version ?? '')
    await visitor.goto('/en')
    address = (await visitor.textOf('output')).replaceAll(/\s/g, '')
    expect(address).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+\d+@mayfly\.test$/)
    await visitor.textOf('[data-status=live]')
    await send(address, 'Your code', 'Your verification code is 482913')
    await visitor.click('button', 'Copy the code 482913')
    await visitor.clipboard(/^482913$/)
    await visitor.click('button', 'Copy')
    expect(await visitor.clipboard(/@/)).toBe(address)
  })

  test('a message opens, and is deleted after the deletion was undone once', async () => {
    await visitor.click('button', 'Delete the email “Your code”')
    await visitor.sees('Deleted: 1')
    await visitor.sees('Your inbox is empty')
    await visitor.click('button', 'Undo')
    await visitor.click('link', 'Your code')
    await visitor.reads('Your verification code is 482913')
    await visitor.click('link', 'Back to the list')
    await visitor.click('button', 'Delete the email “Your code”')
    await visitor.sees('Your inbox is empty')
    // Leaving the page deletes at once.
    await visitor.goto('/en/contact')
    await visitor.goto('/en')
    await visitor.sees('Your inbox is empty')
  })

  test('the address is changed, and opens in another browser by its recovery link', async () => {
    await visitor.click('link', 'Change')
    await visitor.fill('Name', login)
    await visitor.click('button', 'Save')
    await visitor.sees('Your Temporary Email Address')
    address = (await visitor.textOf('output')).replaceAll(/\s/g, '')
    expect(address).toBe(`${login}@mayfly.test`)
    await visitor.textOf('[data-status=live]')
    await send(address, 'On both devices', 'hello')
    await visitor.sees('On both devices')
    await visitor.click('button', 'QR code')
    await visitor.click('button', 'Copy link')
    const link = await visitor.clipboard(/#secret=[\w-]{43}$/)
    await visitor.forget()
    await visitor.goto('about:blank')
    await visitor.goto(link)
    await visitor.click('button', 'Open address')
    await visitor.sees('On both devices')
    expect((await visitor.textOf('output')).replaceAll(/\s/g, '')).toBe(address)
  })

  test('a subscriber makes a private address and reads its mail', async ({ skip }) => {
    await visitor.goto('/en/account')
    skip(!(await browser?.tab.evaluate(copiesKeys, null)), `${name} can't copy keys to a worker without a keychain`)
    const email = `${name.toLowerCase()}@real.example`
    await subscribeIn(program, email)
    await visitor.fill('Your real email', email)
    await visitor.click('button', 'Send link')
    await visitor.sees('Check your inbox')
    const { link } = await outboxOf(program).next(email, 'sign-in')
    await visitor.goto(link.href)
    await visitor.textOf('nav[aria-label=Account]')
    await visitor.goto('/en/private')
    await visitor.fill('Name', `vault.${name.toLowerCase()}`)
    await visitor.click('button', 'Create address')
    await visitor.sees('Save your recovery phrase')
    await visitor.click('checkbox', 'I’ve saved')
    await visitor.click('button', 'Open inbox')
    await visitor.textOf('[data-status=live]')
    const to = (await visitor.textOf('h1')).replaceAll(/[\s\u2066-\u2069]/g, '')
    await send(to, 'For your eyes', 'Your verification code is 771204')
    await visitor.sees('771204')
    await visitor.click('link', 'For your eyes')
    await visitor.reads('Your verification code is 771204')
  })
})
