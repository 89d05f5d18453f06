/** Words for codes that nobody sends to prove who somebody is. */

import { anyOf, starting, word } from './patterns.ts'

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
/** Codes that a person or a thing has. */
const OWN = [
  'tracking|sendungs|verfolgung|отслежив|трек.?код|śledzenia|takip|lacak|vận đơn|追踪|追蹤|追跡|快递|快遞|物流|运单|운송장|송장|ट्रैकिंग|تتبع|رهگیری',
  'kunden|klanten|client|cliente|клиент|клієнт|müşteri|pelanggan|khách hàng|ลูกค้า|客户|客戶|顧客|お客様|고객|العميل|مشتری',
  'student|studenc|estudiant|étudiant|schüler|студент|öğrenci|siswa|sinh viên|นักเรียน|学生|學生|학생|الطالب|دانشجو',
  'mitarbeiter|emplead|medewerker|pracowni|сотрудник|співробітник|karyawan|nhân viên|พนักงาน|员工|員工|社員|사원|직원|الموظف',
  'кодов\\p{L}{2,3} слов|код ошибк|код помилк|kod błęd|hata kod|错误|錯誤|エラー|오류|الخطأ|خطا|kampagnen|kampanj|alennus|unicode',
  word('qr', 'klienta'),
]
export const OTHER = anyOf(...[POSTAL, DISCOUNTS, REFERRALS, TAXES, COUNTRIES, BANKS, PRODUCTS, BOOKINGS, OWN].flat())

/** Codes that are never sent: a page shows them in a picture, against programs, or a visitor keeps them. */
export const UNSENT = anyOf(
  'backup|sicherungscode|respaldo|secours|резервн|yedek|cadangan|dự phòng|zapasow|สำรอง|备用|備用|備份|备份|バックアップ|백업|예비|احتياطي|پشتیبان',
  'captcha|imag|img.?code|picture|anti.?(?:ro)?bot|anti.?spam|recopie|immagin|afbeelding|plaatje|grafi[ks]|abgebildet|abbildung',
  '(?:shown|see|displayed|appears?) (?:here|above|below|on the|in the (?:box|picture|field))',
  'obr[aá]z|картин|изображ|рисун|капч|зображ|малюнк|görsel|görüntü|gambar|imej|hình (?:ảnh|vẽ|bên)|trong hình|ภาพ|แคป|ပုံ|រូប',
  '图形|图片|图像|图中|圖形|圖片|圖像|圖中|画像|写真|キャプチャ|보안 ?문자|자동 ?(?:입력|가입|등록)|이미지|그림|캡차',
  'चित्र|छवि|तस्वीर|इमेज|कैप्चा|ছবি|চিত্র|ক্যাপচা|تصویر|کیپچا|કેપ્ચા|છબી|ચિત્ર|பட(?:ம்|த்)|கேப்ட்சா|చిత్ర|క్యాప్చా|کپچا|عکس|صورة|الصور',
  'كابتشا|ምስል|ካፕቻ|billede',
  word('bild(?:e|es|er|en|et)?', 'resim', 'resmin', 'picha', 'hoto', 'kép(?:en|ről|kód)?'),
  starting('bild.?(?:code|kod|verif)', 'resimde', 'kuva'),
)
