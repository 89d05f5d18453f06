import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'

const FILL = join(import.meta.dirname, '../../packages/extension/src/page/fill.ts')
declare const filler: typeof import('../../packages/extension/src/page/fill.ts')

let browser: Browser
let page: Page
beforeAll(async () => {
  const entry = join(import.meta.dirname, 'filler.js')
  const source = `import * as filler from ${JSON.stringify(FILL)}; globalThis.filler = filler`
  const built = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) },
    ],
    build: { write: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  })) as { output: { code: string }[] }
  browser = await borrowBrowser()
  page = await (await browser.newContext()).newPage()
  await page.addInitScript(built.output[0]?.code ?? '')
  await page.goto('about:blank')
})
afterAll(() => closeContexts(browser))

/** The names of the fields that were filled in. */
async function filledIn(form: string, what: 'code' | 'address'): Promise<string[]> {
  await page.setContent(`<form>${form}</form>`)
  await page.evaluate((isCode) => (isCode ? filler.fillCode('482913') : filler.fillAddress('a@b.c')), what === 'code')
  return page.evaluate(() =>
    [...document.querySelectorAll('input')].filter(({ value }) => value).map(({ name }) => name),
  )
}
const field = (label: string, name: string, rest = '') => `<label>${label} <input name="${name}" ${rest}></label>`

test.each([
  ['before one that may be for any code', field('Code', 'any') + field('Verification code', 'right')],
  ['behind a code of something else', field('Kode pos', 'pos') + field('Kode verifikasi', 'right')],
  ['that is declared', field('Verification code', 'other') + field('', 'right', 'autocomplete="one-time-code"')],
  [
    'and none that is declared for something else',
    field('Code', 'a', 'autocomplete="postal-code"') + field('Code', 'right'),
  ],
])('a code goes into the field for it %s', async (_, form) => {
  expect(await filledIn(form, 'code')).toEqual(['right'])
})

test('a code goes into no field of something else', async () => {
  expect(await filledIn(field('Imię', 'name') + field('Kod pocztowy', 'postal'), 'code')).toEqual([])
})

test.each([
  ['Russian', field('Почтовый индекс', 'postal') + field('Эл. почта', 'right')],
  ['Ukrainian', field('Поштовий індекс', 'postal') + field('Електронна пошта', 'right')],
  ['Polish', field('Kod pocztowy', 'postal') + field('Adres e-mail', 'right')],
])('an address goes into no field for postal codes: %s', async (_, form) => {
  expect(await filledIn(form, 'address')).toEqual(['right'])
})

test.each([
  ['label', field('Email verification code', 'right')],
  ['sentence', field('Enter the 6-digit code we sent to your email', 'right', 'inputmode="numeric" maxlength="6"')],
  ['placeholder', '<input name="right" id="emailCode" placeholder="邮箱验证码">'],
  ['digits', field('Code', 'right', 'id="email" inputmode="numeric"')],
  ['length', field('Code', 'right', 'id="email" maxlength="9"')],
  ['email field beside it', field('邮箱', 'email', 'type="email"') + field('请输入邮箱验证码', 'right')],
])('a code of an email goes into its field, and no address: %s', async (_, form) => {
  expect(await filledIn(form, 'code')).toEqual(['right'])
  expect(await filledIn(form, 'address')).not.toContain('right')
})

test('an address does not go into a field for a code that has the focus', async () => {
  expect(await filledIn(field('Email code', 'code', 'autofocus'), 'address')).toEqual([])
})

test.each([
  ['a promise of a code', field('Email (we will send a verification code)', 'right')],
  ['a choice', field('Email or code', 'right')],
  ['room for an address', field('Email', 'right', 'maxlength="10"')],
  ['a field for the code', field('Email', 'right') + field('Email code', 'emailCode')],
])('an address goes into its field beside %s', async (_, form) => {
  expect(await filledIn(form, 'address')).toEqual(['right'])
})

test('neither goes into a field for a coupon', async () => {
  const form = field('Coupon code sent by email', 'coupon')
  expect([await filledIn(form, 'code'), await filledIn(form, 'address')]).toEqual([[], []])
})

test.each([
  ['phone number', field('Phone (we won’t email)', 'phone', 'type="tel"')],
  ['phone number for a code by email', field('Phone (we may email a code)', 'phone', 'type="tel"')],
  ['order', field('Order number (see confirmation email)', 'order_number')],
  ['license', field('License key from your email', 'key')],
  ['booking', field('Booking code (in your email)', 'booking')],
  ['voucher', field('Voucher', 'email_voucher_code')],
])('neither goes into a field for something else that speaks of an email: %s', async (_, form) => {
  expect([await filledIn(form, 'code'), await filledIn(form, 'address')]).toEqual([[], []])
})

test.each([
  ['an example of a code', field('Verify email', 'verify', 'placeholder="123456"')],
  ['a number of digits', field('Email verification', 'verify', 'placeholder="Enter 6 digits"')],
  ['a pattern of digits', field('Verify email', 'verify', String.raw`pattern="\d{6}"`)],
  ['a code in Chinese', field('确认邮箱动态码', 'verify')],
  ['a captcha', field('Verify email', 'emailCaptcha')],
])('no address goes a second time into a field with %s', async (_, other) => {
  const form = field('Email', 'right', 'type="email"') + other
  expect(await filledIn(form, 'address')).toEqual(['right'])
})

test('an address goes a second time into the field that repeats it', async () => {
  const form = field('Email', 'first', 'type="email"') + field('Verify email', 'second')
  expect(await filledIn(form, 'address')).toEqual(['first', 'second'])
})
