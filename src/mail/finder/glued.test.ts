import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { findCodeAndLink } from './finder.ts'
import { apart } from './glued.ts'

const find = (body: string, html: boolean) =>
  findCodeAndLink({
    subject: 'Your verification code',
    text: html ? null : body,
    html: html ? `<p>${body.replaceAll('\n', '<br>')}</p>` : null,
    fromName: 'Brindle',
    fromAddress: 'no-reply@brindle.example',
  }).code

const CODE = '482913'
describe.each([
  ['text', false],
  ['HTML', true],
])('a code is found in %s although a word or a sign touches it:', (_part, html) => {
  test.each([
    // The end of a sentence.
    'Your OTP is 482913.Please do not share.',
    'Your OTP is 482913.please do not share.',
    'Your OTP is 482913.PLEASE DO NOT SHARE.',
    'Your OTP is 482913.do not share it.',
    'Your OTP is 482913.it expires soon',
    'Your code is 482913!Enter it now',
    'Your OTP is 482913,please do not share it',
    'Your code is 482913.A new code can be requested in a minute',
    'Your code is 482913.Brindle.com',
    'Your code is 482913...Please do not share',
    'Your code is “482913.”Please do not share',
    'Your code is 482-913.Please do not share',
    'Your code is 482 913.Please do not share it',
    'Your code is 4 8 2 9 1 3.Please do not share',
    'Your code is 482913:valid for 5 min',
    'Your code=482913.Do not share',
    'OTP-482913.Do not share',
    'Tu código es 482913.No lo compartas con nadie',
    'Votre code est 482913.Il expire dans 10 min',
    'Seu código de verificação é 482913.Não compartilhe',
    'Ihr Bestätigungscode lautet 482913.Geben Sie ihn nicht weiter',
    'Twój kod weryfikacyjny to 482913.Nie udostępniaj go',
    'Kode verifikasi Anda 482913.jangan bagikan',
    'Dogrulama kodunuz 482913.Kimseyle paylasmayin',
    'Ma OTP cua ban la 482913.Khong chia se',
    'Ваш код 482913.Никому не говорите',
    'Ο κωδικός επαλήθευσης είναι 482913.Μην τον μοιραστείτε',
    '验证码:482913.请勿泄露',
    '您的验证码是482913。请勿泄露',
    '인증번호 482913.타인에게 알려주지 마세요',
    'رمز التحقق 482913.لا تشاركه',
    'आपका सत्यापन कोड 482913.किसी को न बताएं',
    // A word before it, or no space at all.
    'Hello.482913 is your verification code',
    'Dear Anna,482913 is your verification code.',
    'Your OTP is-482913. Do not share',
    'OTP482913 is your verification code',
    'Your code is482913. Do not share',
    'Kod: 482913Nie podawaj nikomu',
    'Ваш код подтверждения: 482913Никому не сообщайте',
    'code:482913|Valid for 10 minutes',
    'code,482913,10 min',
    '482913-is your code',
    'Your code is 482913-valid for 5 min',
    // Signs.
    'Your login code is #482913',
    '_482913_ is your verification code',
    'Your code is ~482913~',
    'Your code is *482913*',
    'Your code is **482913**.',
    'Your code is 482913*',
    'Your verification code is 482913…',
    'Verification code.......482913',
    'Verification code: .......482913',
    'Your verification code is…482913',
    'Vahvistuskoodisi on 482913:n',
    'Your code is 482–913',
    'Your code is 482 - 913',
    'Your code is 482 – 913',
    'Your code is 482—913',
    'Your code is 482913–Valid for 5 min',
    '認証コード：４８２－９１３',
  ])('%s', (body) => expect(find(body, html)).toBe(CODE))

  test.each([
    ['Your verification code is A7K9Q2.Valid for 10 minutes.', 'A7K9Q2'],
    ['Ваш код A7K9Q2.Никому не сообщайте', 'A7K9Q2'],
    ['Your code is a7k9q2.Valid for 10 minutes.', 'a7k9q2'],
    ['Hello,A7K9Q2 is your verification code', 'A7K9Q2'],
    ['Your PIN is 4829.No lo compartas con nadie', '4829'],
  ])('%s', (body, code) => expect(find(body, html)).toBe(code))
})

const OTHER = '771204'
describe.each([
  ['text', false],
  ['HTML', true],
])('in %s, another number does not hide the code:', (_part, html) => {
  test.each([
    'Use 771204 as OTP for INR 482,913 at Brindle.',
    'OTP for Ksh 482,913 is 771204',
    'Kode verifikasi pembayaran Rp 150.482 Anda adalah 771204.',
    'Your code to redeem 482,913 miles is 771204.',
    'Your code for 482/913 is 771204',
    'Your code for pages 482 – 913 is 771204',
    'Hi anna.482913, your code is 771204.',
    'Your username is brindle.482913 and your code is 771204',
    'Your code for anna.482913 is 771204',
    'Your code for Anna.482913 is 771204',
    'Verification code: ~~482913~~ 771204',
  ])('%s', (body) => expect(find(body, html)).toBe(OTHER))

  test.each(['482,913', '482.913', '482/913', '482·913'])('%s is no code', (number) =>
    expect(find(`Lines of code: ${number}`, html)).toBeNull(),
  )

  test.each([
    ['482913abcd', 'Your code: 482913abcd'],
    ['482913abcdef', 'Your login token: 482913abcdef'],
    ['123456Brindle', 'Activation code: 123456Brindle'],
    ['4829Kx', 'Confirmation code 4829Kx'],
    ['7712Dk', 'Your verification code is 7712Dk'],
    ['4829Fox', 'Your pairing code is 4829Fox'],
    ['1234Abc', 'Kod: 1234Abc'],
    ['2026Summer', 'Access code: 2026Summer'],
    ['482913', 'Your code for pages 100–200 is 482913'],
    ['482913', 'Your code for rooms 100—200: 482913'],
  ])('%s is whole', (code, body) => expect(find(body, html)).toBe(code))
})

test('the rest of a wrapped URL keeps its form', () => {
  const start = 'https://brindle.example/verify?redirect=home&lang=en&user=anna&id=1&'
  for (const rest of ['token=482913abcdef', 'key=771204Please&b=1', 'code=482913.Please', 'id=K7M2PX.Go&b=1']) {
    for (const [above, below] of [
      ['', ''],
      ['<', '>'],
    ]) {
      const text = `Please confirm your email address:\n\n${above}${start}\n${rest}${below}\n\nThe Brindle team`
      const found = findCodeAndLink({
        subject: 'Confirm your email address',
        text,
        html: null,
        fromName: 'Brindle',
        fromAddress: 'no-reply@brindle.example',
      })
      expect([found.link, found.code]).toEqual([start + rest, null])
    }
  }
})

test.each(['Your code is &quot;482913&quot;', 'Your code&#39;s: 482913', 'code: 482913&nbsp;', 'code:&nbsp;482913'])(
  'a code is found in a text part that a template escaped: %s',
  (text) => expect(find(text, false)).toBe(CODE),
)

test.each(['Your temporary password is Summer24.Rain', 'Your temporary password: aB3dE7!Xqrt', 'Password: Xy7.pQ2z'])(
  'a password keeps its stop: %s',
  (text) => expect(find(text, false)).toBe(text.split(' ').at(-1)),
)

test.each([
  'See 482913.pdf and 482913.PDF',
  'Visit 4399.com to play',
  'Visit 12306.cn for tickets',
  'https://a.example/482913.Please?code=482913.Please&x=Hello,482913',
  'www.a.example/482.913',
  '482913.anna@brindle.example, anna.482913@brindle.example',
  'Order No.482913, Tel.482913, Nr.4829, Rs.4829',
  'Screenshot_482913.png, IMG_4829.jpg, v2026.1.Final_4829',
  'Total: 482.913 VND, USD 482,913.50, 1.249,00',
  'pages 100–200, 9–17, 2024–2025, 120/180, 2026-11-28',
  '482913abcd, 4829Kx, 2026Summer, 50000руб here, a.example?code=482913.Please&x=1',
  'agent482913, SAM4821, WELCOME10',
  'the colour code is #482913',
  'Order #482913, ticket (#4471)',
  'card ****4829, 4829****, room 4829…here, the PIN of card ...4829 or …4829',
  'Door code: 2407*, or call 5522*',
  'Request code #8821-334\nPipeline #482913 (#4471)',
  'a 4051-es lapot, CUPS ES0031, ON-0068718, user 0023628-anna, 123456-style',
  'Username frete.9042, Gestion.2611 (with the stop)',
  '12345.pdfを見て, 395814.indd (2 h), 请确认在www.12306.cn网站',
  '验证码482913，动态密码70492815',
  'We blocked 317,204 attacks. "Verification code" is what they asked for',
])('%s keeps its form', (text) => expect(apart(text)).toBe(text))

test.each(['1', '482913.', 'a1.', 'a1,', '#1', '482.', '....1', '482913…', '1234Aa', 'Aa1234', '482 – ', ',', '/'])(
  'a long repetition of %s is read in linear time',
  (piece) => {
    const long = piece.repeat(100_000)
    expect(cpuTime(() => [long, `${long} x`, `1${long}x`].map(apart))).toBeLessThan(600)
  },
)
