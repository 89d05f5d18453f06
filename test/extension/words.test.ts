import { describe, expect, test } from 'vitest'
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
  })

  test('of an email address is not that of a postal one', () => {
    const emails = ['Эл. почта', 'Почтовый ящик', 'Електронна пошта', 'Adres poczty elektronicznej', 'البريد الإلكتروني']
    expect(emails.filter((label) => !namesEmail(label))).toEqual([])
  })
})
