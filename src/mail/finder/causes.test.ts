import { describe, expect, test } from 'vitest'
import { candidatesIn, withSecrets } from './candidates.ts'
import { findCodeAndLink } from './finder.ts'
import { Line } from './lines.ts'

const find = (subject: string, text: string | null, html: string | null = null) =>
  findCodeAndLink({ subject, text, html, fromName: 'Lumo', fromAddress: 'no-reply@lumo.example' })

/** Texts of several lines; `|` is the end of a line. */
const lines = (text: string): string => text.replaceAll('|', '\n')

describe('a code is found', () => {
  test.each([
    // A colon or bracket that touches the code.
    ['Code:604218', '604218'],
    ['Verification code：604218', '604218'],
    ['您的验证码【604218】，5分钟内有效。', '604218'],
    ['【拾味】验证码：604218', '604218'],
    ['認証コード:604218', '604218'],
    ['인증번호[604218]를 입력해주세요', '604218'],
    ['Kode verifikasi:[604218]', '604218'],
    ['Код:604218', '604218'],
    ['Your one-time code is (604218).', '604218'],
    ['رمز التحقق:604218', '604218'],
    ['OTP=604218 for your sign-in, valid for 5 minutes', '604218'],
    // Brand, no purpose.
    ['604218 is your Lumo code', '604218'],
    ['Your Lumo code is 604218', '604218'],
    ['[Lumo] 604218 is your verification code', '604218'],
    ['Lumo code: 604-218', '604218'],
    ['G-604218 is your Lumo verification code.', '604218'],
    ['Use 604 218 as Lumo account security code', '604218'],
    ['<#> Your Lumo code is: 482917 FA+9qCX9VSu', '482917'],
    ['[#] Your Lumo code: 5934 qlRnn4A1sbt', '5934'],
    ['<#> Your Lumo code is 482917||FA+9qCX9VSu', '482917'],
    ['Lumo 173950||@lumo.example #173950', '173950'],
    ['Lumo 173950||@lumo.example #173950 @bank.example', '173950'],
    ['Lumo 173950||@lumo.xn--p1ai #173950||Forwarded by a gateway', '173950'],
    ['Your Lumo OTP is 4821. Do not share it with anyone.', '4821'],
    ['Use verification code 73190 to sign in to Lumo.', '73190'],
    ['Your Lumo verification code is 8273645.', '8273645'],
    ['Your Lumo verification code is 82736451.', '82736451'],
    // Other names of a code.
    ['Your single-use code is 604218', '604218'],
    ['Your access number: 3833-2887', '38332887'],
    ['Lumo login PIN: 4821', '4821'],
    ['Tu clave dinámica es 604218. No la compartas con nadie.', '604218'],
    ['Twoje hasło jednorazowe: 604218', '604218'],
    ['Mật khẩu OTP của bạn là 604218. Không chia sẻ với bất kỳ ai.', '604218'],
    ['Разовый пароль 604218. Никому его не сообщайте.', '604218'],
    ['Kod podtverzhdeniya: 604218. Nikomu ne soobshchayte.', '604218'],
    ['Din engangskod er 604218. Del den aldri med noen.', '604218'],
    ['Váš jednorázový kód pro přihlášení je 604218', '604218'],
    ['Ihr Einmalcode lautet 604218. Geben Sie ihn niemals weiter.', '604218'],
    ['Din engångskod är 604218', '604218'],
    ['Kertakäyttökoodisi on 604218. Älä kerro sitä kenellekään.', '604218'],
    ['Doğrulama kodunuz: 604218. Kimseyle paylaşmayın.', '604218'],
    ['Dogrulama kodunuz 604218. Kimseyle paylasmayin.', '604218'],
    ['O seu código de verificação é 604218', '604218'],
    ['Il tuo codice di verifica è 604218', '604218'],
    ['Votre code de vérification est 604218', '604218'],
    ['Kode OTP Anda 604218. Jangan berikan kepada siapa pun.', '604218'],
    ['Ο κωδικός επαλήθευσης είναι 604218', '604218'],
    ['קוד האימות שלך הוא 604218', '604218'],
    ['თქვენი დადასტურების კოდია 604218', '604218'],
    ['आपका सत्यापन कोड ६०४२१८ है', '604218'],
    ['আপনার যাচাইকরণ কোড ৬০৪২১৮', '604218'],
    ['کد تأیید شما: ۶۰۴۲۱۸', '604218'],
    ['رمز التحقق الخاص بك هو ٦٠٤٢١٨', '604218'],
    ['รหัส OTP ของคุณคือ 604218 ห้ามบอกผู้อื่น', '604218'],
    // The sentence also names an amount or a card.
    ['604218 is the OTP for your transaction of INR 500 at AMAZON on card ending 1234.', '604218'],
    ['Ihre TAN für die Zahlung von 64,95 EUR an FAHRRADKELLER mit Karte **4417 lautet 604218.', '604218'],
    ['Code 604218 pour valider votre achat de 89,90 EUR chez DECOREO, carte finissant par 4417.', '604218'],
    ['Kod 604218 potwierdza płatność 199,00 PLN w KSIEGARNIA kartą 4417.', '604218'],
    // Other numbers around it.
    ['Your verification code is:|604218|Order: 88210453|Questions? Call +44 20 7946 0112', '604218'],
    // Split, spaced, words.
    ['Your sign-in code:|6 0 4 2 1 8', '604218'],
    ['Your sign-in code:|A 7 K 9 Q 2', 'A7K9Q2'],
    ['Your sign-in code:|604|218', '604218'],
    ['Your verification code is 6042-1873', '60421873'],
    ['Your sign-in code: X7K-9QP', 'X7K-9QP'],
  ])('in %s', (text, code) => expect(find('Hello', lines(text)).code).toBe(code))

  test.each([
    ['604218 is your Lumo code', '604218'],
    ['Your Lumo verification code: 604218', '604218'],
    ['Lumo: kod 604218 do logowania', '604218'],
    ['【Lumo】验证码 604218', '604218'],
  ])('in the subject %s', (subject, code) => expect(find(subject, 'See the subject of this email.').code).toBe(code))

  test.each([
    ['<b>Your code:</b><strong>604218</strong>', '604218'],
    [
      '<p>Your sign-in code</p><table><tr><td>6</td><td>0</td><td>4</td><td>2</td><td>1</td><td>8</td></tr></table>',
      '604218',
    ],
    ['<p>Enter this code to sign in:</p><h1 style="letter-spacing:8px">604 218</h1>', '604218'],
    [
      `<p>Your verification code:</p>${[...'604218'].map((digit) => `<img src="c.png" alt="${digit}">`).join('')}`,
      '604218',
    ],
    [
      `<p>Your verification code:</p><tr>${[...'6042'].map((digit) => `<td><img alt=${digit} src=c></td>`).join('')}</tr>`,
      '6042',
    ],
    [
      `<p>Your verification code:</p>${[...'604218'].map((digit) => `<input maxlength="1" value="${digit}">`).join(' ')}`,
      '604218',
    ],
    ['<p>Your verification code:</p><img src="https://lumo.example/c.png" alt="604218">', '604218'],
    ['<div style="display:none">Preheader</div><p>Verification code</p><p style="font-size:32px">604218</p>', '604218'],
  ])('in the HTML %s', (html, code) => expect(find('Sign in to Lumo', null, html).code).toBe(code))
})

describe('nothing is taken for a code in', () => {
  test.each([
    'The barcode 60421873 is on the back.',
    'Unicode 17 adds 4803 characters.',
    'Decode 604218 with our tool.',
    'Your zip code 94107 has new offers.',
    'Use promo code SPRING26 for 20 % off.',
    'Your discount code: 604218. Valid until Sunday.',
    'Ihr Gutscheincode: WINTER-4821',
    'Your voucher: 4K7Q-88XM',
    'Your referral code is SAM4821. Invite friends and get $10.',
    'Wi-Fi password: salty88dog, network Harbor',
    'The door code is 4417, the key is in the box.',
    'Your booking code: QX7M2P. See you on 4 March.',
    'Appointment 88210453 is confirmed for Tuesday.',
    'Meeting ID: 824 1193 5521|Passcode: 604218',
    'Error code 80070057. Try again.',
    'The process ended with exit code 137.',
    'Tracking code: 1Z9984218832',
    'Order number: 604218|Total: $84.20',
    'Invoice 20260331 for customer 80044213',
    'Your ticket number is 604218.',
    'A mentés leállt, hibakód: 604218',
    'Portkoden är S4GNZ2. Incheckning från 15.',
    'Your card ending in 4821 was charged 604.21 EUR.',
    'Available balance on 12/05/2026: INR 60,421.80. Call 18001234567 for help.',
    'Paketet kan hämtas med koden 604218 hos ombudet.',
    'Twój kod odbioru paczki: 604218',
    'Код получения заказа: 604218',
    '取件码 604218，请到3号柜取件',
    'Your password was changed on 12 May 2026 at 14:02.',
    'New sign-in from Firefox at 203.0.113.77, 12 May 2026.',
    'v.lumo.example/604218',
    'Your verification code: https://lumo.example/604218',
  ])('%s', (text) => expect(find('Hello', lines(text)).code).toBeNull())
})

test.each([
  ['For the first sign-in use Zim8ru*44 and then choose your own.', ['Zim8ru*44']],
  ['أدخل الكلمات: سيب-باران-پل', ['سيب-باران-پل']],
  ['Account 079C-31****6 was locked.', []],
  ['The token cy_tok_…8F3A expires.', []],
  ['您的验证码为535-942,10分钟内有效。', ['535942']],
  ['認証コードはX7K2-9PQM1です', ['X7K2-9PQM1']],
  ['A kódod 1175-öt, írd be.', ['1175']],
  ['Írd be a 482980-ból, majd a kód A4B7C9-et.', ['482980', 'A4B7C9']],
  ['Your login code: 4821-bat', ['4821-bat']],
])('candidates in: %s', (text, expected) =>
  expect(new Line(text).candidates.concat(withSecrets([], text, { strong: true })).map(({ value }) => value)).toEqual(
    expected,
  ),
)

const TOKEN = 'a8f3k2m9q7x1c5v0b4n6'

test.each([
  ['Password: w8RvKp2!', ['w8RvKp2!']],
  ['Code: AB12CD!', ['AB12CD']],
  ['Code: Ab12Cd!', ['Ab12Cd']],
  ['Password: code=X7K2PQ', ['X7K2PQ']],
  ['Password: a=B3c9!xy', ['a=B3c9!xy']],
  ['Password: Zp=48213907', ['Zp=48213907']],
])('a sign belongs to a password if it is not the end of a sentence or of a name: %s', (text, expected) =>
  expect(
    withSecrets(candidatesIn(text), text, { password: text.startsWith('Password') }).map(({ value }) => value),
  ).toEqual(expected),
)

describe('a link is found', () => {
  test.each([
    ['Verify your email', 'Verify email', `https://lumo.example/verify?token=${TOKEN}`],
    ['Sign in to Lumo', 'Sign in', `https://lumo.example/auth/${TOKEN}`],
    ['Your sign-in link', 'Log in to Lumo', `https://lumo.example/magic/${TOKEN}`],
    ['Welcome to Lumo', 'Set up account', `https://lumo.example/setup?token=${TOKEN}`],
    ['Dana invited you to Lumo', 'Accept invitation', `https://lumo.example/invite/${TOKEN}`],
    ['New sign-in: is it you?', "Yes, it's me", `https://lumo.example/approve?token=${TOKEN}`],
    ['Confirm your email address', 'Confirm', `https://u8812.ct.sendgrid.example/ls/click?upn=u001.${TOKEN}${TOKEN}`],
    ['Confirm your email address', 'Confirm', `https://email.mg.lumo.example/c/${TOKEN}${TOKEN}`],
    [
      'Confirm your subscription',
      'Yes, subscribe me',
      `https://lumo.us1.list-manage.example/subscribe/confirm?u=${TOKEN}`,
    ],
    ['Confirm your email address', 'Confirm email', `https://www.facebook.com/confirmemail.php?c=${TOKEN}`],
    ['Confirm your LinkedIn email', 'Confirm your email', `https://www.linkedin.com/e/v2/confirm?t=${TOKEN}`],
    ['Verify your email for Discord', 'Verify email', `https://discord.com/verify#token=${TOKEN}`],
    ['Bestätige deine E-Mail-Adresse', 'E-Mail bestätigen', `https://lumo.example/b/${TOKEN}`],
    ['Confirma tu correo', 'Confirmar correo', `https://lumo.example/c/${TOKEN}`],
    ['Confirmez votre adresse', 'Je confirme', `https://lumo.example/c/${TOKEN}`],
    ['Подтвердите адрес', 'Подтвердить адрес', `https://lumo.example/c/${TOKEN}`],
    ['请验证您的邮箱', '验证邮箱', `https://lumo.example/c/${TOKEN}`],
    ['メールアドレスの確認', 'メールアドレスを確認する', `https://lumo.example/c/${TOKEN}`],
    ['تأكيد البريد الإلكتروني', 'تأكيد البريد', `https://lumo.example/c/${TOKEN}`],
    ['Reset your password', 'Reset password', `https://lumo.example/reset?token=${TOKEN}`],
  ])('%s: %s', (subject, label, url) => {
    const html = `<p>Hello Sam,</p><p><a style="background:#06c;padding:12px" href="${url}">${label}</a></p>
      <p style="font-size:11px"><a href="https://lumo.example/help">Help</a> <a href="https://x.com/lumo">X</a></p>`
    expect(find(subject, null, html).link).toBe(url)
  })

  const url = `https://lumo.example/confirm?lang=en&token=${TOKEN}${TOKEN}${TOKEN}${TOKEN}`
  test.each([
    ['between angle brackets over two lines', `<${url.slice(0, 50)}\n${url.slice(50)}>`],
    ['in an escaped anchor', `&lt;a href="${url}"&gt;Confirm&lt;/a&gt;`],
    ['in Markdown', `[Confirm your email](${url})`],
    ['after a label', `Confirm your email: ${url}`],
    ['before letters without a space', `请点击${url}完成验证`],
    ['before a full-width comma', `请点击${url}，完成验证`],
    ['before a comma without a space', `请点击${url},完成App验证`],
  ])('%s', (_where, link) =>
    expect(find('Confirm your email', `Please confirm your email address:\n\n${link}\n\nThe Lumo team`).link).toBe(url),
  )

  test.each([
    `https://lumo.example/verify?name=山田&token=${TOKEN}`,
    `https://lumo.example/확인/${TOKEN}`,
    `https://인증.kr/verify?token=${TOKEN}`,
  ])('with letters that need no space: %s', (address) =>
    expect(find('Confirm your email', `Please confirm your email address: ${address}`).candidates).toMatchObject([
      { value: address },
    ]),
  )

  test('behind a redirect that counts clicks', () => {
    const redirect = `https://lumo.us5.mailer.example/track/click?u=${TOKEN}&id=3f2a91`
    const html = `<p>Please confirm your email address to receive our newsletter.</p>
      <p><a style="background:#06c;padding:12px" href="${redirect}">Confirm email</a></p>`
    expect(find('Confirm your email', null, html).link).toBe(redirect)
  })
})

describe('a link is found although its label resembles undoing', () => {
  test.each([
    ['Завершить регистрацию', `https://lumo.example/u/${TOKEN}`],
    ['Завершити реєстрацію', `https://lumo.example/u/${TOKEN}`],
    ['Zakończ rejestrację', `https://lumo.example/u/${TOKEN}`],
    ['Afslut registrering', `https://lumo.example/u/${TOKEN}`],
    ['Încheie înregistrarea', `https://lumo.example/u/${TOKEN}`],
    ['Sign in securely', `https://lumo.example/u/${TOKEN}`],
    ['Réactiver mon compte', `https://lumo.example/verify?token=${TOKEN}`],
    ['ロックを解除する', `https://lumo.example/verify?token=${TOKEN}`],
  ])('%s', (label, url) => {
    const html = `<p>Please finish signing up: confirm your email address.</p>
      <p><a style="background:#06c;padding:12px" href="${url}">${label}</a></p>`
    expect(find('Confirm your email', null, html).link).toBe(url)
  })
})

describe('a link that undoes a request is not found', () => {
  test.each([
    ['Revoke this code', `https://lumo.example/revoke/one-time-code?id=${TOKEN}`],
    ['Lock my account', `https://lumo.example/lock?token=${TOKEN}`],
    ['Change your password', `https://lumo.example/reset?token=${TOKEN}`],
    ['Anfrage abbrechen', `https://lumo.example/otp/abbruch?ref=${TOKEN}`],
    ['取消此请求', `https://lumo.example/x/${TOKEN}`],
  ])('%s', (label, url) => {
    const html = `<p>Your verification code is <b>604218</b>. It is valid for 10 minutes.</p>
      <p>Didn't request it? <a href="${url}">${label}</a></p>`
    expect(find('Your verification code', null, html)).toMatchObject({ code: '604218', link: null })
  })
})

describe('no link is taken from', () => {
  test.each([
    ['Your password was changed', 'If this was not you, secure your account.', 'Secure my account'],
    ['New sign-in to Lumo', 'We noticed a new sign-in from Firefox.', 'Check activity'],
    ['Your receipt from Lumo', 'Thank you for your purchase of $84.20.', 'View receipt'],
    ['Lumo weekly', 'Ten things to read this week.', 'Read more'],
    ['Your parcel is on its way', 'It arrives on Tuesday.', 'Track parcel'],
    ['Your appointment on 4 March', 'Dr. Okafor, 10:20.', 'Reschedule'],
    ['Invitation: weekly sync', 'Meeting ID 824 1193 5521', 'Join meeting'],
    ['Your email address is verified', 'Thanks for confirming. You are all set.', 'Browse Lumo'],
    ['20 % off everything', 'This weekend only.', 'Shop now'],
    ['How did we do?', 'Rate your order.', 'Rate us'],
  ])('%s', (subject, text, label) => {
    const html = `<p>${text}</p><p><a style="background:#06c;padding:12px" href="https://lumo.example/a/${TOKEN}">${label}</a></p>
      <p><a href="https://lumo.example/unsubscribe/${TOKEN}">Unsubscribe</a></p>`
    expect(find(subject, null, html).link).toBeNull()
  })
})
