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
async function filledIn(form: string, what: 'code' | 'address', code = '482913'): Promise<string[]> {
  await page.setContent(`<form>${form}</form>`)
  await page.evaluate(
    (text) => (text ? filler.fillCode(text) : filler.fillAddress('a@b.c')),
    what === 'code' ? code : '',
  )
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

const box = (name: string, rest = ''): string => `<input name="${name}" style="width:40px" ${rest}>`
const boxes = (count: number, rest = 'maxlength="1"', name = 'box'): string =>
  Array.from({ length: count }, (_, i) => box(name + i, rest)).join('')
const SIX = ['box0', 'box1', 'box2', 'box3', 'box4', 'box5']

test.each([
  ['field with words of a code', field('Verification code', 'right') + boxes(6)],
  ['field that is declared', field('Code', 'right', 'autocomplete="one-time-code"') + boxes(6)],
  ['field, because there are too few boxes', field('Code', 'right') + boxes(4)],
  ['field, because there are too many boxes', boxes(8) + field('Bestätigungscode', 'right')],
  ['field with enough room', field('Security code', 'short', 'maxlength="4"') + field('Code', 'right')],
])('a code goes into the %s', async (_, form) => {
  expect(await filledIn(form, 'code')).toEqual(['right'])
})

test.each([
  ['without words', boxes(6)],
  [
    'of a code, beside a field',
    boxes(6, 'maxlength="1" autocomplete="one-time-code"') + field('Verification code', 'x'),
  ],
  ['without a maximum', boxes(6, 'inputmode="numeric"')],
  ['of which the first has room for all', box('box0', 'maxlength="6"') + boxes(6).replace(/^.*?>/, '')],
  ['beside other boxes', boxes(4, 'maxlength="1"', 'pin') + '<p></p>' + field('Name', 'name') + boxes(6)],
])('a code goes into as many boxes as it has characters, %s', async (_, form) => {
  expect(await filledIn(form, 'code')).toEqual(SIX)
  expect(await page.$$eval('input[name^=box]', (all) => all.map((each) => (each as HTMLInputElement).value))).toEqual([
    ...'482913',
  ])
})

test.each([
  ['new-password', 'maxlength="1" type="password" autocomplete="new-password"'],
  ['bday', 'maxlength="1" autocomplete="bday"'],
])('a code goes into no boxes that are declared as %s', async (_, rest) => {
  expect(await filledIn(boxes(6, rest) + field('Code', 'right'), 'code')).toEqual(['right'])
})

test.each(['Postal code', 'Sort code', 'Coupon', 'Gutscheincode', '优惠码'])(
  'a code goes into no boxes for: %s',
  async (label) =>
    expect(await filledIn(boxes(6, `maxlength="1" aria-label="${label}"`) + field('Code', 'right'), 'code')).toEqual([
      'right',
    ]),
)

const masked = (label: string, count = 6): string => boxes(count, `maxlength="1" type="password" aria-label="${label}"`)

test.each([
  'PIN digit 1',
  'New PIN',
  'Confirm PIN',
  'Card PIN',
  'PIN-Code',
  'MPIN',
  'Passcode, character 1',
  'Password character 1',
  'PIN bestätigen',
  'Код-пароль',
  'Access code',
  'Security code digit 1',
  '密码',
  '비밀번호 1',
])('a code goes into no masked boxes for a secret: %s', async (label) => {
  expect(await filledIn(masked(label), 'code')).toEqual([])
  expect(await filledIn(masked(label) + field('Verification code', 'right'), 'code')).toEqual(['right'])
})

test.each([
  '',
  'Digit 1',
  'Character 1 of 6',
  'One-time code',
  'One-time PIN',
  'OTP 1',
  'Verification code, digit 1',
  'Код подтверждения',
])('a code goes into masked boxes: %s', async (label) => expect(await filledIn(masked(label), 'code')).toEqual(SIX))

test('a code goes into masked boxes that are declared for it, whatever they are called', async () => {
  const declared = masked('PIN').replace('<input', '<input autocomplete="one-time-code"')
  expect(await filledIn(declared, 'code')).toEqual(SIX)
})

test('a code goes into no parts of a card', async () => {
  const form = ['2', '2', '4'].map((length) => box(`c${length}`, `maxlength="${length}" inputmode="numeric"`)).join('')
  expect(await filledIn(form + box('zip', 'maxlength="5" inputmode="numeric"'), 'code', '4821')).toEqual([])
})

test('a code goes into no boxes of another number', async () => {
  expect(await filledIn(boxes(4), 'code')).toEqual([])
  expect(await filledIn(boxes(8), 'code')).toEqual([])
  expect(await filledIn(boxes(6), 'code', '48-29-13')).toEqual(SIX)
})

test.each([
  ['图形验证码', '邮箱验证码'],
  ['画像認証', '認証コード'],
  ['Код с картинки', 'Код из письма'],
  ['Security code (from image)', 'Email code'],
  ['Security code', 'Email code'],
  ['Verification code', 'Email verification code'],
])('a code of an email does not go into the field before: %s, %s', async (other, own) => {
  expect(await filledIn(field(other, 'x') + field(own, 'right'), 'code')).toEqual(['right'])
})

test.each([
  ['a word', '<input name="x" placeholder="Search emails"><input name="y" aria-label="Search code, repositories">'],
  ['a word in other languages', field('Buscar por correo', 'x') + field('メールを検索', 'y') + field('搜索邮箱', 'z')],
  ['a role', `<div role="search">${field('Email', 'x') + field('Code', 'y')}</div>`],
  ['an element', `<search>${field('Email', 'x') + field('Code', 'y')}</search>`],
  ['a name', field('Email', 'q') + field('Code', 'search_code')],
])('neither goes into a field to search, by %s', async (_, form) => {
  expect([await filledIn(form, 'code'), await filledIn(form, 'address')]).toEqual([[], []])
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

test('a coupon field gets neither address nor code', async () => {
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

test.each([
  ['Swedish', 'E-postadress', 'Koden i bilden', 'Engångskod'],
  ['Danish', 'E-mail', 'Adgangskode', 'Engangskode'],
  ['Norwegian', 'E-post', 'Rabattkode', 'Bekreftelseskode'],
  ['Finnish', 'Sähköposti', 'Alennuskoodi', 'Vahvistuskoodi'],
  ['Hungarian', 'E-mail-cím', 'A képen látható kód', 'Ellenőrző kód'],
  ['Chinese', '電子信箱', '圖形驗證碼', '信箱驗證碼'],
  ['Korean', '이메일', '보안문자 입력', '이메일 인증번호'],
  ['French', 'Votre mail', 'Code de l’image', 'Code reçu par mail'],
  ['Russian', 'Электронная почта', 'Символы с картинки', 'Код из письма'],
  ['Arabic', 'البريد الإلكتروني', 'الرمز الظاهر في الصورة', 'رمز التحقق'],
])('a form in %s has a field for each', async (_, email, other, code) => {
  const form = field(email, 'email') + field(other, 'other') + field(code, 'code')
  expect([await filledIn(form, 'address'), await filledIn(form, 'code')]).toEqual([['email'], ['code']])
})

test('neither goes into fields that write emails or count them', async () => {
  const form = field('Filtrer par e-mail', 'a') + field('Objet de l’e-mail', 'b') + field('Nombre d’e-mails', 'c')
  expect([await filledIn(form, 'address'), await filledIn(form, 'code')]).toEqual([[], []])
})

test('a code goes into boxes with a dash between them, and in a group of its own', async () => {
  const half = (at: number): string =>
    [0, 1, 2].map((i) => `<div>${box(`box${i + at}`, 'maxlength="1"')}</div>`).join('')
  expect(await filledIn(`<div style="display:flex">${half(0)}<b>-</b>${half(3)}</div>`, 'code')).toEqual(SIX)
  const pin = `<p>PIN</p><div>${boxes(4, 'maxlength="1"', 'pin')}</div>`
  expect(await filledIn(`${pin}<div>${boxes(6)}</div>`, 'code')).toEqual(SIX)
  expect(await filledIn(boxes(8), 'code', 'A1B2-C3D4')).toHaveLength(8)
  const amounts = [1, 2, 3, 4, 5, 6].map((i) => box(`amount${i}`, 'type="number"')).join('')
  expect(await filledIn(amounts, 'code')).toEqual([])
})

test('a code goes into a field for a one-time password, but into none for a password', async () => {
  expect(await filledIn(field('One-time password', 'right', 'type="password"'), 'code')).toEqual(['right'])
  expect(await filledIn(field('Confirm password', 'x', 'type="password"'), 'code')).toEqual([])
})
