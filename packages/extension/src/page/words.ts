/** Words in the names and labels of form fields, in the languages of the extension. They match lower case in NFC. */

/** Letters and marks: `\b` knows only ASCII, and takes the `_` of `otp_code` for a letter. */
const START = String.raw`(?<![\p{L}\p{M}])`
const END = String.raw`(?![\p{L}\p{M}])`
/** Stems, at any place in a word. */
export const anyOf = (...stems: string[]): RegExp => new RegExp(stems.join('|').normalize('NFC'), 'u')
export const word = (...words: string[]): string => `${START}(?:${words.join('|')})${END}`
/** Stems that are also the end of other words. */
const starting = (...stems: string[]): string => `${START}(?:${stems.join('|')})`

/** Postal codes and addresses have the same stem in some languages. */
export const EMAIL = anyOf(
  String.raw`e-?mail|courriel|correo|posta elettronica|mailadres|poczt(?!ow)|почт(?!ов)|почтов\p{L}{0,4} ящик|пошт(?!ов)`,
  String.raw`поштов\p{L}{0,4} скриньк|邮箱|邮件|郵箱|郵件|メール|이메일|메일|ईमेल|البريد(?!ي)|بريد(?:ك|كم|ي|نا) الإلكتروني|ایمیل|ای میل|ইমেইল|ইমেল|மின்னஞ்சல்?`,
  'ఇమెయిల్|ઇમેઇલ|ઈમેલ|อีเมล|barua pepe|imel|e-mel|surel|အီးမေးလ်|អ៊ីមែល|ኢሜይል|ኢሜል',
  `${START}e[-‑ ]?posta(?!l)`,
)

/** Names of fields often end with it, such as `smsotp`. */
const OTP = `otp(?:code)?${END}`
/** A postal code in India, elsewhere one that the visitor has or gets. */
const PIN_CODE = String.raw`${START}pin.?[ck]ode`

/** Names of a code. */
const CODES = [
  OTP,
  PIN_CODE,
  word('code', 'codes', 'pin', 'cod', 'codul', 'mã'),
  String.raw`${START}kod\p{L}{0,4}${END}`,
  'one.?time|pass.?code|2fa|mfa|totp|token|bestätigungscode|código|codigo|codice|код|验证码|驗證碼|校验码|确认码|动态码|動態碼|动态密码',
  '確認碼|確認コード|確認番号|認証番号|コード|인증 ?번호|코드|कोड|رمز|كود|کد|کوڈ|কোড|குறியீடு|కోడ్|કોડ|รหัส(?!ผ่าน)|msimbo|ကုဒ်|កូដ|ኮድ',
  'lambar (?:tabbat|sirri|tsaro|shiga)',
]
const CODE = anyOf(...CODES, 'verif|認証|인증')
/** Names of a code in texts that also name an email address. "Verify" alone may speak of the address there. */
export const NOUN = anyOf(
  ...CODES,
  `code${END}`,
  String.raw`\d[ -]?(?:digit|stellig|chiffres|cifr[ea]s?|dígitos|cijfer|cyfr|цифр|haneli|位|桁|자리)`,
  // An example.
  String.raw`^[\d ]{4,9}$`,
)

/** Codes that prove who somebody is. `SENT`: those that were sent. */
export const PROOF = anyOf(
  'verif|vérif|confirm|conferm|one.?time|pass.?code|2fa|mfa|totp|auth|bestätig|einmal|sicherheitscode|usage unique|monouso',
  'bevestig|eenmalig|weryfik|potwierdz|jednorazow|подтвержд|провероч|одноразов|підтвердж|перевір|doğrulama|onay',
  'konfirmasi|sekali pakai|pengesahan|xác nhận|xác minh|xác thực|ยืนยัน|အတည်ပြု|ផ្ទៀងផ្ទាត់|បញ្ជាក់|验证|驗證|校验|确认|確認|認証',
  '인증|확인|सत्यापन|पुष्टि|যাচাই|নিশ্চিত|تصدیق|توثیق|ચકાસણી|પુષ્ટિ|சரிபார்ப்பு|உறுதி|ధృవీకరణ|ధ్రువీకరణ|నిర్ధారణ|تأیید|تایید',
  'تحقق|تأكيد|ማረጋገጫ|thibitish|tabbat',
  OTP,
)
const SENT = anyOf(
  'sent (?:to|you|by)|we sent|gesendet|geschickt|enviad|envoyé|inviato|verzonden|wysłan|отправлен|надіслан|dikirim|đã gửi',
)

const POSTAL = [
  String.raw`zip|postal|post.?code|postleit|pocztow|poștal|почтов|индекс|поштов|індекс|(?<!e[-‑ ]?)posta.?kodu|kode.?pos|poskod`,
  'bưu|ไปรษณีย์|စာတိုက်|ប្រៃសណីយ|邮政|邮编|郵政|郵遞|郵便|우편|डाक|पोस्टल|ডাক|পোস্ট|ڈاک|پوسٹ|ટપાલ|પોસ્ટ|அஞ்சல்|తపాలా|పోస్టల్|پستی',
  'بريدي|ፖስታ|msimbo.{0,20}posta|gidan waya',
  'पिन.?कोड|পিন.?কোড|પિન.?કોડ|பின்.?கோடு|పిన్.?కోడ్|پن.?کوڈ',
  word('plz', 'cep', 'cap'),
]
const DISCOUNTS = [
  'coupon|promo|voucher|gift|discount|redeem|gutschein|rabatt|aktionscode|geschenk|descuento|cup[oóõã]|regalo|desconto',
  'réduction|reduction|remise|cadeau|achat|sconto|buono|korting|actiecode|waardebon|rabat|zniżk|kupon|podarunk|reducere',
  'cadou|промо|скидк|подар|сертифи|купон|знижк|indirim|hediye|diskon|hadiah|potongan|diskaun|baucar|giảm giá|khuyến m',
  'ưu đãi|quà tặng|phiếu|ส่วนลด|คูปอง|โปรโม|ของขวัญ|กำนัล|လျှော့|ကူပွန်|ပရိုမို|လက်ဆောင်|បញ្ចុះ|គូប៉ុង|ប្រូម៉ូ|អំណោយ|កាដូ',
  '优惠|折扣|促销|礼品|礼券|兑换|優惠|促銷|禮品|禮券|兌換|クーポン|割引|プロモ|ギフト|할인|쿠폰|프로모|기프트|상품권',
  'कूपन|छूट|प्रोमो|डिस्काउंट|उपहार|गिफ्ट|वाउचर|কুপন|ছাড়|প্রোমো|প্রমো|ডিসকাউন্ট|উপহার|ভাউচার|کوپن|رعایت|ڈسکاؤنٹ|پرومو|تحفہ|واؤچر',
  'કૂપન|છૂટ|ડિસ્કાઉન્ટ|પ્રોમો|ભેટ|વાઉચર|கூப்பன்|தள்ளுபடி|விளம்பர|பரிசு|వోచర్|కూపన్|తగ్గింపు|డిస్కౌంట్|ప్రోమో|బహుమతి|تخفیف|هدیه',
  'خصم|قسيمة|كوبون|ترويج|هدية|ቅናሽ|ኩፖን|ስጦታ|ፕሮሞ|punguzo|zawadi|vocha|rangwame|kyauta',
]
const REFERRALS = [
  'referr|referral|invit|friend|empfehl|einladung|freund|referid|amig[oa]|recomend|indica[cç]|convite|parrain|amico|uitnodig|vriend',
  'verwijz|polec|zapros|recomand|реферал|приглаш|запрош|davet|referans|arkadaş|undang|referal|rujukan|jemput|giới thiệu',
  'lời mời|แนะนำ|เชิญ|ဖိတ်|ညွှန်း|អញ្ជើញ|ណែនាំ|邀请|邀請|推荐|推薦|紹介|招待|추천|초대|रेफ़रल|रेफरल|निमंत्रण|आमंत्रण|রেফার|আমন্ত্রণ',
  'ریفرل|دعوت|રેફરલ|આમંત્રણ|பரிந்துரை|அழைப்பு|రిఫరల్|రెఫరల్|ఆహ్వాన|معرف|دعوة|إحالة|ግብዣ|ሪፈራል|mwaliko|rufaa|gayyata',
]
const TAXES = [
  'fiscal|steuer|podatk|налог|податк|vergi|pajak|npwp|cukai|thuế|ภาษี|အခွန်|ពន្ធ|税|稅|세금|사업자|टैक्स|ট্যাক্স|ٹیکس|ટેક્સ|పన్ను',
  'مالیات|ضريب|ታክስ|ግብር|haraji|partita iva',
  word('tax', 'vat', 'nif', 'nip', 'cpf', 'cnpj', 'инн', 'btw', 'ya kodi'),
  starting('வரி'),
]
const COUNTRIES = [
  'country|area.?code|dial.?(?:ing)?.?code|calling.?code|vorwahl|länder|landcode|landnummer|netnummer|kierunkow|prefij|prefisso|prefix',
  'indicatif|стран(?!иц)|країн|ülke|alan kodu|negara|kode area|kawasan|quốc gia|mã vùng|ประเทศ|พื้นที่|နိုင်ငံ|ប្រទេស|国家|國家|国番号|国コード',
  '区号|區號|市外局番|국가|지역|کشور|நாட்டு|الدولة|الدولي|አገር|ሀገር|ƙasa|kasar',
  word('kraju', 'país', 'pais', 'pays', 'paese', 'țării', 'nchi', 'ملک', 'நாடு'),
  starting('देश', 'দেশ', 'દેશ', 'దేశ'),
]
const BANKS = [
  'sort.?code|bank.?code|routing|bankleit|banco|banque|bankow|банк|kode bank|kod bank|ngân hàng|ธนาคาร|ဘဏ်|ធនាគារ|银行|銀行|은행',
  'बैंक|ব্যাংক|ব্যাঙ্ক|بینک|બેંક|வங்கி|బ్యాంక్|بانک|البنك|ባንክ|ya benki|banki',
  word('iban', 'swift', 'bic', 'blz', 'ifsc', 'banca', 'banka', 'bancar', 'cvv', 'cvc'),
]
const PRODUCTS = [
  'product|produit|prodotto|produto|produkt|produs|produk|barcode|serial|artikel|licen[cs]|товар|артикул|штрих|ürün|sản phẩm|สินค้า',
  'ကုန်ပစ္စည်း|ទំនិញ|ផលិតផល|产品|產品|商品|제품|상품|उत्पाद|পণ্য|مصنوع|પ્રોડક્ટ|ઉત્પાદન|தயாரிப்பு|ఉత్పత్తి|محصول|منتج|ምርት|bidhaa',
  word('sku', 'item.?code'),
]
const BOOKINGS = [
  'booking|reserv|buchung|boeking|réserv|prenotazion|rezerw|rezerv|брон|pemesanan|tempahan|đặt chỗ|การจอง|预订|預訂|予約|예약|बुकिंग',
  'বুকিং|بکنگ|બુકિંગ|முன்பதிவு|బుకింగ్|رزرو|الحجز|ቦታ ማስያዝ',
  word('pnr'),
]
export const OTHER = anyOf(...[POSTAL, DISCOUNTS, REFERRALS, TAXES, COUNTRIES, BANKS, PRODUCTS, BOOKINGS].flat())
const ONLY_PIN_CODE = anyOf(PIN_CODE)

/** Characters of a field's words that are read. Longer labels are whole paragraphs. */
const READ = 400
export const cut = (words: string): string => words.slice(0, READ)

/** In lower case, the Turkish `İ` is two characters. */
const lower = (words: string): string => cut(words).toLowerCase().normalize('NFC').replaceAll('i\u0307', 'i')

/** In lower case, with `userCode` as `user code`. */
export const plain = (words: string): string => lower(cut(words).replaceAll(/(?<=\p{Ll})(?=\p{Lu})(?!Mail)/gu, ' '))

/** Whether a field with these words asks for an email address. */
export const namesEmail = (words: string): boolean => EMAIL.test(lower(words))

export const namesCode = (text: string): boolean => NOUN.test(text)

export const isSent = (text: string): boolean => SENT.test(text)

export const isProof = (text: string): boolean => PROOF.test(text) || isSent(text)

/**
 * How sure it is that a field with these words asks for a one-time code: 0 if it does not, 1 if they also speak of
 * something else, 2 if they name some code, 3 if they say what it is for.
 */
export function codeScoreOf(words: string): number {
  const text = plain(words)
  const isOfEmail = EMAIL.test(text)
  if (!(isOfEmail ? NOUN : CODE).test(text)) return 0
  // In Chinese forms, it is also the name of codes that are sent.
  if (text.includes('captcha') && !isOfEmail) return 0
  // Coupons are sent by email too.
  if (OTHER.test(text)) return (isOfEmail ? PROOF.test(text) : isProof(text)) ? 1 : 0
  if (isProof(text)) return 3
  return ONLY_PIN_CODE.test(text) ? 1 : 2
}
