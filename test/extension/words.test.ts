import { describe, expect, test } from 'vitest'
import { subjectOf } from '../../packages/extension/src/page/email-or-code.ts'
import { codeScoreOf, namesEmail } from '../../packages/extension/src/page/words.ts'

/** For each language: the code of a message, and codes of other things. */
const LABELS: Record<string, [code: string, ...others: string[]]> = {
  am: ['የማረጋገጫ ኮድ', 'የፖስታ ኮድ', 'የቅናሽ ኮድ', 'የአገር ኮድ'],
  ar: ['رمز التحقق', 'الرمز البريدي', 'رمز الخصم', 'رمز الدولة', 'رمز دعوة'],
  bn: ['যাচাই কোড', 'পোস্ট কোড', 'পিন কোড', 'কুপন কোড', 'দেশের কোড'],
  de: ['Bestätigungscode', 'Postleitzahl', 'Gutscheincode', 'Rabatt-Code', 'Ländercode', 'Code der Bankleitzahl'],
  en: ['Verification code', 'Postal code', 'Gift code', 'Country code', 'Sort code', 'Product code'],
  es: ['Código de verificación', 'Código postal', 'Código de descuento', 'Código de país', 'Código de invitación'],
  fa: ['کد تأیید', 'کد پستی', 'کد تخفیف', 'کد کشور', 'کد معرف'],
  fr: ['Code de vérification', 'Code postal', 'Code parrain', 'Code de réduction', 'Code pays', 'Code fiscal'],
  gu: ['ચકાસણી કોડ', 'પિન કોડ', 'કૂપન કોડ', 'દેશ કોડ'],
  ha: ['Lambar tabbatarwa', 'Lambar gidan waya', 'Lambar waya'],
  hi: ['सत्यापन कोड', 'पिन कोड', 'कूपन कोड', 'देश कोड', 'रेफ़रल कोड'],
  id: ['Kode verifikasi', 'Kode pos', 'Kode promo', 'Kode negara', 'Kode referal', 'Kode produk'],
  it: ['Codice di verifica', 'Codice fiscale', 'Codice postale', 'Codice sconto', 'Codice amico', 'CAP'],
  ja: ['確認コード', '郵便番号', 'クーポンコード', '紹介コード', '国コード', '商品コード'],
  kh: ['លេខកូដផ្ទៀងផ្ទាត់', 'លេខកូដប្រៃសណីយ៍', 'កូដបញ្ចុះតម្លៃ', 'កូដប្រទេស'],
  ko: ['인증 코드', '우편번호', '할인 코드', '추천인 코드', '국가 코드', '상품 코드'],
  ms: ['Kod pengesahan', 'Poskod', 'Kod diskaun', 'Kod negara', 'Kod rujukan'],
  my: ['အတည်ပြုကုဒ်', 'စာတိုက်ကုဒ်', 'လျှော့စျေးကုဒ်', 'နိုင်ငံကုဒ်'],
  nl: ['Verificatiecode', 'Postcode', 'Kortingscode', 'Code van een vriend', 'Landcode'],
  pl: ['Kod weryfikacyjny', 'Kod pocztowy', 'Kod rabatowy', 'Kod polecający', 'Kod kraju', 'Kod produktu'],
  pt: ['Código de verificação', 'Código postal', 'Código de desconto', 'Código de indicação', 'Código do país'],
  ro: ['Cod de verificare', 'Cod poștal', 'Cod de reducere', 'Cod fiscal', 'Codul țării'],
  ru: ['Код подтверждения', 'Почтовый индекс', 'Промокод', 'Код купона', 'Код страны', 'Код приглашения'],
  sw: ['Msimbo wa uthibitishaji', 'Msimbo wa posta', 'Msimbo wa punguzo', 'Msimbo wa nchi'],
  ta: ['சரிபார்ப்பு குறியீடு', 'அஞ்சல் குறியீடு', 'தள்ளுபடி குறியீடு', 'நாட்டு குறியீடு'],
  te: ['ధృవీకరణ కోడ్', 'పిన్ కోడ్', 'కూపన్ కోడ్', 'దేశ కోడ్'],
  th: ['รหัสยืนยัน', 'รหัสไปรษณีย์', 'รหัสส่วนลด', 'รหัสประเทศ', 'รหัสผ่าน'],
  tr: ['Doğrulama kodu', 'Posta kodu', 'İndirim kodu', 'Davet kodu', 'Ülke kodu'],
  uk: ['Код підтвердження', 'Поштовий індекс', 'Промокод', 'Код країни', 'Код запрошення'],
  ur: ['تصدیقی کوڈ', 'پوسٹل کوڈ', 'پن کوڈ', 'رعایتی کوڈ', 'ملک کا کوڈ'],
  vi: ['Mã xác nhận', 'Mã bưu điện', 'Mã giảm giá', 'Mã quốc gia', 'Mã giới thiệu'],
  zh: ['验证码', '邮政编码', '优惠码', '邀请码', '国家代码'],
  'zh-TW': ['驗證碼', '郵遞區號', '優惠碼', '邀請碼', '國家代碼'],
}

/** For each language: the label of a code in an email, and those of email addresses to which a code is sent. */
const WITH_EMAIL: Record<string, [code: string, ...emails: string[]]> = {
  am: ['የኢሜይል ማረጋገጫ ኮድ', 'ኢሜይል (የማረጋገጫ ኮድ እንልካለን)', 'ኢሜይል ወይም ኮድ', 'ኮድ ለመቀበል ኢሜይል ያስገቡ'],
  ar: ['رمز التحقق من البريد الإلكتروني', 'البريد الإلكتروني (سنرسل رمز التحقق)', 'البريد الإلكتروني أو الرمز'],
  bn: ['ইমেইল যাচাই কোড', 'ইমেইল (আমরা একটি যাচাই কোড পাঠাব)', 'ইমেইল অথবা কোড'],
  de: ['Bestätigungscode aus der E-Mail', 'E-Mail (wir senden einen Bestätigungscode)', 'E-Mail oder Kundencode'],
  en: [
    'Email verification code',
    'Email (we will send a verification code)',
    'Email or code',
    'Enter your email to get a code',
  ],
  es: [
    'Código de verificación del correo',
    'Correo (enviaremos un código)',
    'Correo o código',
    'Correo para recibir un código',
  ],
  fa: ['کد تأیید ایمیل', 'ایمیل (کد تأیید را می‌فرستیم)', 'ایمیل یا کد', 'ایمیل برای دریافت کد تأیید'],
  fr: ['Code de vérification envoyé par e-mail', 'E-mail (nous enverrons un code)', 'E-mail ou code client'],
  gu: ['ઇમેઇલ ચકાસણી કોડ', 'ઇમેઇલ (અમે ચકાસણી કોડ મોકલીશું)', 'ઇમેઇલ અથવા કોડ'],
  ha: ['Lambar tabbatarwa ta imel', 'Imel (za mu aika lambar tabbatarwa)', 'Imel ko lambar sirri'],
  hi: ['ईमेल सत्यापन कोड', 'ईमेल (हम सत्यापन कोड भेजेंगे)', 'ईमेल या कोड', 'सत्यापन कोड प्राप्त करने के लिए ईमेल'],
  id: [
    'Kode verifikasi email',
    'Email (kami akan mengirim kode)',
    'Email atau kode',
    'Email untuk menerima kode verifikasi',
  ],
  it: [
    'Codice di verifica ricevuto via email',
    'Email (invieremo un codice)',
    'Email o codice',
    'Email per ricevere il codice',
  ],
  ja: [
    'メール認証コード',
    'メールアドレス（確認コードを送信します）',
    'メールまたはコード',
    'メールで確認コードを受け取る',
  ],
  kh: ['កូដផ្ទៀងផ្ទាត់អ៊ីមែល', 'អ៊ីមែល (យើងនឹងផ្ញើកូដ)', 'អ៊ីមែល ឬ កូដ'],
  ko: ['이메일 인증번호', '이메일 (인증 코드를 보내드립니다)', '이메일 또는 코드', '이메일 인증'],
  ms: ['Kod pengesahan e-mel', 'E-mel (kami akan menghantar kod)', 'E-mel atau kod'],
  my: ['အီးမေးလ် အတည်ပြုကုဒ်', 'အီးမေးလ် (အတည်ပြုကုဒ် ပို့ပါမည်)', 'အီးမေးလ် သို့မဟုတ် ကုဒ်'],
  nl: ['E-mailverificatiecode', 'E-mail (we sturen een code)', 'E-mail of code', 'E-mail om een code te ontvangen'],
  pl: ['Kod weryfikacyjny z e-maila', 'E-mail (wyślemy kod)', 'E-mail lub kod', 'E-mail, aby otrzymać kod'],
  pt: [
    'Código de verificação do e-mail',
    'E-mail (enviaremos um código)',
    'E-mail ou código',
    'E-mail para receber o código',
  ],
  ro: [
    'Cod de verificare primit pe e-mail',
    'E-mail (vă trimitem un cod)',
    'E-mail sau cod',
    'E-mail pentru a primi codul',
  ],
  ru: ['Код подтверждения из эл. почты', 'Эл. почта (отправим код)', 'Эл. почта или код', 'Почта для получения кода'],
  sw: ['Msimbo wa uthibitishaji wa barua pepe', 'Barua pepe (tutatuma msimbo)', 'Barua pepe au msimbo'],
  ta: ['மின்னஞ்சல் சரிபார்ப்பு குறியீடு', 'மின்னஞ்சல் (குறியீடு அனுப்புவோம்)', 'மின்னஞ்சல் அல்லது குறியீடு', 'குறியீட்டைப் பெற மின்னஞ்சல்'],
  te: ['ఇమెయిల్ ధృవీకరణ కోడ్', 'ఇమెయిల్ (మేము కోడ్ పంపుతాము)', 'ఇమెయిల్ లేదా కోడ్'],
  th: ['รหัสยืนยันทางอีเมล', 'อีเมล (เราจะส่งรหัสยืนยัน)', 'อีเมลหรือรหัส', 'อีเมลเพื่อรับรหัสยืนยัน'],
  tr: [
    'E-posta doğrulama kodu',
    'E-posta (doğrulama kodu göndereceğiz)',
    'E-posta veya kod',
    'Doğrulama kodu almak için e-posta',
  ],
  uk: ['Код підтвердження з електронної пошти', 'Електронна пошта (надішлемо код)', 'Пошта або код'],
  ur: ['ای میل تصدیقی کوڈ', 'ای میل (ہم تصدیقی کوڈ بھیجیں گے)', 'ای میل یا کوڈ'],
  vi: ['Mã xác nhận email', 'Email (chúng tôi sẽ gửi mã xác nhận)', 'Email hoặc mã', 'Email để nhận mã xác nhận'],
  zh: ['邮箱验证码', '邮箱（我们会发送验证码）', '邮箱或代码', '输入邮箱获取验证码', '验证邮箱'],
  'zh-TW': ['電子郵件驗證碼', '電子郵件（我們會傳送驗證碼）', '輸入電子郵件以取得驗證碼', '驗證電子郵件'],
}

describe('the label of a field with an email', () => {
  test.each(Object.entries(WITH_EMAIL))(
    'in %s says whether it takes the code or the address',
    (_, [code, ...emails]) => {
      expect(subjectOf([code])).toBe('code')
      expect(codeScoreOf(code)).toBe(3)
      expect(emails.filter((label) => subjectOf([label]) !== 'email')).toEqual([])
      expect([code, ...emails].filter((label) => !namesEmail(label))).toEqual([])
    },
  )

  test('is known for every language', () => {
    expect(Object.keys(WITH_EMAIL)).toEqual(Object.keys(LABELS))
  })

  test.each([
    ['Enter the 6-digit code we sent to your email'],
    ['Code from your email or phone', 'code'],
    ['Email code'],
    ['Enter the code that you will receive by email'],
    ['이메일로 받은 코드'],
    ['이메일로 보내드린 코드'],
    ['மின்னஞ்சலில் பெற்ற குறியீடு'],
    ['Code – check your email'],
    ['Confirm your email. Enter the code', 'emailConfirmation'],
    ['Your inbox', 'emailcode'],
    ['emailCode'],
    ['email_otp'],
    ['eMailCode'],
    ['E-Mail-Sicherheitscode'],
    ['Coupon code sent by email'],
  ])('asks for a code: %j', (text, ...names) => {
    expect(subjectOf([text], names)).toBe('code')
  })

  test.each([
    ['Enter your email to get a discount code'],
    ['Email, we’ll send you a code'],
    ['Confirm email', 'verifyEmail'],
    ['Where do we send the verification code by email?', 'email'],
    ['Email', 'usercode'],
    ['eMail'],
  ])('asks for an address: %j', (text, ...names) => {
    expect(subjectOf([text], names)).toBe('email')
  })

  test('may be of a coupon, which is no one-time code', () => {
    expect(codeScoreOf('Coupon code sent by email')).toBe(0)
    expect(codeScoreOf('Email verification code (save your coupon)')).toBe(1)
  })
})

describe('the label of a field', () => {
  test.each(Object.entries(LABELS))('in %s says whether it takes the code of a message', (_, [code, ...others]) => {
    expect(codeScoreOf(code)).toBe(3)
    expect(others.filter((label) => codeScoreOf(label) > 0)).toEqual([])
    expect([code, ...others].filter(namesEmail)).toEqual([])
  })

  test('may say only that it takes some code', () => {
    const labels = ['Code', 'PIN', 'user_code', 'userCode', 'Kod', 'コード', 'Lambar tsaro', 'Lambar shiga']
    expect(labels.filter((label) => codeScoreOf(label) !== 2)).toEqual([])
  })

  test.each([
    [
      'German',
      'Einmalcode|Sicherheitscode|Anmeldecode|Zugangscode|Aktivierungscode|Freischaltcode|Prüfcode',
      'Farbcode|Quellcode',
    ],
    ['Dutch', 'Bevestigingscode|Beveiligingscode|Inlogcode|Toegangscode', 'Landcode|Kortingscode'],
    ['Swedish', 'Verifieringskod|Engångskod|Säkerhetskod', 'Kampanjkod|Rabattkod'],
    ['Danish', 'Bekræftelseskode|Engangskode|Sikkerhedskode', 'Adgangskode|Rabatkode'],
    ['Norwegian', 'Bekreftelseskode|Innloggingskode', 'Rabattkode|Landskode'],
    ['Finnish', 'Vahvistuskoodi|Kertakäyttökoodi', 'Alennuskoodi|Postinumero'],
    ['Hungarian', 'Ellenőrzőkód|Biztonsági kód|Egyszer használatos kód', 'Kuponkód|Irányítószám'],
    ['English', 'authcode|checkcode', 'barcode|Unicode'],
  ])('may be one word in %s', (_, codes, others) => {
    expect(codes.split('|').filter((label) => codeScoreOf(label) < 2)).toEqual([])
    expect(others.split('|').filter((label) => codeScoreOf(label) > 0)).toEqual([])
  })

  test.each([
    ['of a thing', 'QR code', 'Tracking code', 'Dress code', 'Source code', 'Error code', 'Code of conduct'],
    ['of a person', 'Student code', 'Enter employee code', 'Kundencode', 'Código de estudiante', 'Codice cliente'],
    ['to keep', 'Backup code', '备用验证码', 'Резервный код'],
    [
      'in a picture',
      '图形验证码',
      '图片验证码',
      '圖形驗證碼',
      '画像認証',
      'Код с картинки',
      'Code aus dem Bild',
      '보안문자',
    ],
    ['in a picture, in English', 'Security code (from image)', 'Enter the code shown above', 'imgcode', 'imageCode'],
  ])('may ask for a code %s, which is not sent', (_, ...labels) => {
    expect(labels.filter((label) => codeScoreOf(label) > 0)).toEqual([])
  })

  test('may describe a code in many ways', () => {
    const labels = [
      'Your code',
      'Enter code',
      'Le code',
      'Ihr Code',
      'SMS code',
      'Code de connexion',
      'Código de acceso',
    ]
    expect(labels.filter((label) => codeScoreOf(label) < 2)).toEqual([])
  })

  test('has the names of programs', () => {
    const names = [
      'otp_code',
      'otpCode',
      'userOTP',
      'loginotp',
      'otpcode',
      'smsOtp',
      'signinOtpInput',
      'authCode',
      'login_passCode',
    ]
    expect(names.filter((name) => codeScoreOf(name) !== 3)).toEqual([])
    expect(['promoCode', 'postCode', 'countryCode', 'reCaptchaCode', 'laptop'].filter(codeScoreOf)).toEqual([])
  })

  test.each([
    '银行预留手机验证码',
    '商品注文の認証コード',
    'Código de verificación (recomendado)',
    'Código enviado a tu amigo',
    'Code de confirmation d’achat',
    'Bestätigungscode (Rabatt sichern)',
    'Enter the code (invitation sent to your inbox)',
    'product_verification_code',
  ])('may also speak of something else: %s', (label) => {
    expect(codeScoreOf(label)).toBe(1)
  })

  test('with a PIN code may ask for a postal code', () => {
    expect(['PIN code', 'PIN-Code', 'Pinkode', 'pincode', 'userPinCode'].map(codeScoreOf)).toEqual([1, 1, 1, 1, 1])
    expect(codeScoreOf('Verification PIN code')).toBe(3)
  })

  test('of a page is not that of a country', () => {
    expect(['Код на странице', 'Код страны', 'Код вашей страны'].map(codeScoreOf)).toEqual([2, 0, 0])
  })

  test('is read as far as labels go, because a page may hold any text', () => {
    expect([300, 400].map((length) => codeScoreOf(`${' '.repeat(length)}otp`))).toEqual([3, 0])
    expect(namesEmail(`${' '.repeat(400)}email`)).toBe(false)
    // Looking for capital letters in 200 MB takes more than a second.
    const long = 'dolorSit '.repeat(20_000)
    const start = performance.now()
    for (let i = 0; i < 1000; i++) codeScoreOf(long)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  test('of an email address is not that of a postal one', () => {
    const emails = ['Эл. почта', 'Почтовый ящик', 'Електронна пошта', 'Adres poczty elektronicznej', 'البريد الإلكتروني']
    expect(emails.filter((label) => !namesEmail(label))).toEqual([])
  })
})
