/** What the words around "email" and "code" say about them, in the languages of the extension. */

import { anyOf, END, word } from './patterns.ts'
import { isSent, PASSWORD } from './purpose.ts'

/** Words for "or". A field that is labeled "Email or member code" takes an address. */
export const OR = anyOf(
  // In Portuguese, it is an article, behind a verb or a preposition.
  `(?<!(?:para|com|que|sobre|usando|confirme|verifique|acesse|abra|confira|consulte|veja|[aei]mos|ou|eu) )${word('o')}`,
  word('or', 'oder', 'ou', 'of', 'lub', 'albo', 'или'),
  word('або', 'чи', 'sau', 'veya', 'ya da', 'atau', 'hoặc', 'au', 'ko'),
  word('या', 'অথবা', 'বা', 'یا', 'અથવા', 'அல்லது', 'లేదా', 'أو', 'ወይም'),
  '/|หรือ|သို့မဟုတ်|ឬ|或|または|もしくは|또는|이나',
)

/** Verbs before what a field takes: "Enter the code". */
export const ENTER = anyOf(
  word('enter', 'type', 'paste', 'geben', 'eingeben', 'gib', 'saisir', 'entrer', 'introduce', 'introduzca', 'informe'),
  word('vul', 'voer', 'podaj', 'introdu', 'ingiza', 'weka', 'shigar', 'shigar da', 'taip'),
  'saisissez|entrez|ingres[ae]|escrib[ae]|inseri|digit[ae](?!l)|insira|invoer|wpisz|wprowad|введите|укажите|введіть|вкажіть|introduceți',
  'girin|giriniz|masukkan|masukan|nhập|กรอก|ใส่|ป้อน|输入|輸入|填写|填寫|入力|입력|दर्ज|डालें|লিখুন|দিন|درج کریں|أدخل|ادخل|وارد کنید',
  'દાખલ|உள்ளிட|నమోదు|ఎంటర్|ያስገቡ|ထည့်|បញ្ចូល',
)

/** Verbs for what happens once the address is entered: "Enter your email to get a code", "Send the code to my email". */
const LATER = anyOf(
  word('get', 'receive', 'send', 'deliver', 'unlock', 'claim', 'request', 'we.ll', 'will'),
  word('erhalten', 'bekommen', 'senden', 'schicken', 'zusenden', 'sichern', 'anfordern', 'holen'),
  word('recevoir', 'recevez', 'obtenir', 'obtenez', 'envoyer', 'envoyez'),
  word('recibir', 'recibe', 'obtener', 'obtén', 'enviar'),
  word('receber', 'receba', 'obter', 'ricevere', 'ricevi', 'ottenere', 'ottieni', 'inviare', 'invia'),
  word('ontvangen', 'ontvang', 'we sturen', 'sturen', 'stuur', 'otrzymać', 'odbierz', 'uzyskać', 'wyślij', 'wyślemy'),
  word('получить', 'получите', 'получения', 'отправим', 'вышлем', 'пришлём', 'пришлем', 'отправить', 'прид[её]т'),
  word('отримати', 'отримайте', 'отримання', 'надішлемо', 'надіслати', 'прийде', 'primi', 'primește', 'vei primi'),
  word('menerima', 'dapatkan', 'mendapatkan', 'kirim', 'hantar', 'akan', 'terima'),
  'enverrons|sera envoyé|enviaremos|se enviará|será enviad|invieremo|sarà inviato|trimitem|zostanie|будет|буде',
  'để nhận|để lấy|sẽ|nhận mã|gửi mã|เพื่อรับ|จะส่ง|ส่งรหัส|دریافت|خواهیم|لتلقي|لاستلام|للحصول|سنرسل|سيتم|أرسل',
  '(?:获取|獲取|取得|接收)(?!到|的)|领取|領取|将|會|会|收取|傳送至|取得驗證碼',
  'kupokea|kupata|tutatuma|don samun|za mu aika|ដើម្បីទទួល|នឹងផ្ញើ',
)
/** The same in languages whose verb is behind the code. */
const LATER_BEHIND = anyOf(
  word('almak', 'göndereceğiz', 'gönder', 'gönderelim', 'al', 'பெற'),
  '受け取る|受取|送信します|お送りします|送ります|送付します|届きます|받으세요|받을|받으려면|받기|보내 ?드립|보낼|प्राप्त करने|प्राप्त करें|भेजेंगे|जाएगा|পেতে|পাঠাব',
  'حاصل کرنے|بھیجیں گے|મેળવવા|મોકલીશું|அனுப்புவோம்|பெறுங்கள்|పొందడానికి|పంపుతాము|ለመቀበል|ለማግኘት|እንልካለን',
  'ရယူရန်|ရရှိရန်|ပို့ပါမည်',
)
/** These tell "You have received a code", which was sent, from "to receive a code", which is sent later. */
const PAST = anyOf(
  "['’]ve |n['’]t ",
  word('have', 'has', 'had', 'was', 'were', 'sent', 'received', 'habe'),
  word('haben', 'hat', 'wurde', 'avons', 'avez', 'venez', 'été'),
  word('hemos', 'recibiste', 'abbiamo', 'hai', 'hebben', 'hebt', 'heeft', 'werd', 'recebeu', 'enviamos'),
  word(
    'mandamos|venons|(?:vient|viens|acaba) de|acabamos|llegó|chegou|enviou|wysłaliśmy|przesłaliśmy|отправили|надіслали',
  ),
  '已|寄到|أرسلنا|送信しました|送りました|お送りしました|보냈',
)

/** "Where should we send the code?" */
const WHERE = anyOf(word('where', 'wohin', 'a?dónde', 'où', 'dove', 'waarheen', 'onde', 'куда', 'куди', 'gdzie'))

export const isLater = (text: string): boolean =>
  WHERE.test(text) || ((LATER.test(text) || LATER_BEHIND.test(text)) && !PAST.test(text))
export const isLaterBehind = (text: string): boolean => LATER_BEHIND.test(text)
const NEXT_IS_LATER = new RegExp(String.raw`^\p{L}*\s*(?:${LATER.source})`, 'u')
/** "The code will be sent", but not "the code that you will receive". */
export const isFollowedByLater = (rest: string): boolean => NEXT_IS_LATER.test(rest)

/** Where the email is only a place: "Check your email", at most two words before the one for email. */
const LOOK_WORDS = [
  word(
    'check',
    'see',
    '(?:open|view) (?:the|your|our)',
    'sent',
    'received',
    'got',
    'won.t',
    'don.t',
    'never',
    'without',
  ),
  String.raw`(?:n.t|not) (?:get|receive|find|see)`,
  word('prüfen', 'überprüfen', 'prüfe', 'siehe', 'gesendet', 'geschickt', 'ohne', 'voir', 'sans', 'venez de recevoir'),
  'consultez|revis[ae]|consult[ae]|recibi[ds]|controll[aio]|confira|veja|recebid|recebeu|controleer|bekijk',
  word('reçu', 'mira', 'vedi', 'zie', 'verzonden', 'inviato', 'envoyé', 'enviado', 'vezi', 'trimis'),
  'sprawdź|zobacz|wysłal|wysłan|проверьте|смотри|отправ(?:или|лен)|дивіться|надісл(?:али|ан)',
  word('см', 'див', 'periksa', 'cek', 'lihat', 'semak', 'angalia', 'duba', 'xem'),
  'kiểm tra|ตรวจสอบ|เช็ค|راجع|انظر|بررسی|ពិនិត្យ|查看|查收|检查|檢查|查閱|打开|打開',
]
const LOOK = anyOf(
  String.raw`(?:${LOOK_WORDS.join('|')})[\p{L}\p{M}]*(?:[\s’'][\p{L}\p{M}]+){0,2}[\s’']?$`,
  '(?<!\\p{L})no $',
)

/** A pattern for a preposition and at most two words before the word for email: "from the", "in your". */
const upToEmail = (...prepositions: string[]): string =>
  String.raw`(?:${prepositions.join('|')})[ .’'](?:(?:your|the|our|this|that|an?) )?(?:[\p{L}\p{M}]+[ ’'])?$`
const SOURCE = anyOf(
  upToEmail(
    word(
      'from',
      '(?<!(?:fill|sign|log|opt|type|put|write|enter) )in',
      'inside',
      'aus',
      'in (?:der|ihrer|deiner|einer)',
      'depuis',
      'dans',
      'desde',
    ),
    word(
      'en (?:tu|su|el|los|tus|sus)',
      'dalla',
      'dall',
      'nella',
      'nell',
      'no (?:seu|teu)',
      'uit',
      'in (?:de|je|uw)',
      'z',
      'ze',
    ),
    word('из', 'с', 'з', 'із', 'din', 'dari', 'daripada', 'từ', 'trong', 'kutoka', 'daga', 'از', 'من'),
  ),
  '(?:จาก|ใน|ពី|从|從)$',
)
const MEANS = anyOf(
  upToEmail(
    word('by', 'via', 'per', 'through', 'par', 'por', 'mediante', 'tramite', 'przez', 'на', 'по', 'prin', 'pe'),
    word('melalui', 'lewat', 'qua', 'kwa', 'عبر', 'عن طريق', 'توسط'),
  ),
  '(?:ทาง|ผ่าน|តាម|通过|透過)$',
)
const isAddress = (after: string): boolean => /^[\s-]?(?:address|adress|адрес|地址|アドレス|주소)/u.test(after)

/** Whether the email is only the place of a code, by the text before and after its word: "Check your email". */
export const isPlace = (before: string, after: string): boolean =>
  !isAddress(after) &&
  (LOOK.test(before) || (isSent(before) && !isLater(before)) || (SOURCE.test(before) && !LATER.test(before)))
export const isSource = (before: string): boolean => SOURCE.test(before)
const TO = anyOf(
  String.raw`${word('to', 'at', 'an', 'auf', 'na', 'на', 'naar', 'till', 'til', 'para', 'al?', 'à', 'alla?', 'la', 'pe')}[ ’'](?:[\p{L}\p{M}]+[ ’']){0,2}$`,
)
const WHICH = anyOf('which|what|welch|quel|cuál|qué|qual|jaki|како|як(?:у|ий)|welk')
/** "The code sent to your email", with the verb behind: "Der an Ihre E-Mail gesendete Code". */
export const isSentTo = (before: string, between: string): boolean =>
  TO.test(before) && !WHICH.test(before) && isSent(between)
/** "We will email it". */
export const isVerb = (after: string): boolean => /^ (?:it|them)(?!\p{L})/u.test(after)
/** "By email". Alone it says nothing: "Sign in by email". */
export const isMeans = (before: string): boolean => MEANS.test(before)

/** What belongs to an email, and is no address: "Email subject", "Number of emails". */
const BELONGINGS = anyOf(
  'title|titel|titolo|título|titre|tytuł|judul|başlı|заголов|标题|標題|タイトル|subject|betreff|asunto|objet|oggetto|assunto|onderwerp|temat[uy]?|тем[аую]|konu|subjek|subiect|tiêu đề|หัวข้อ|件名|主题|主題|主旨|제목|विषय|বিষয়|موضوع',
  'template|vorlage|plantilla|modèle|modello|modelo|sjabloon|szablon|шаблон|şablon|templat|mẫu|テンプレート|เทมเพลต|模板|範本|템플릿|قالب|ämne|emne|aihe|tárgy',
  'signature|signatur|assinatura|handtekening|podpis|подпис|підпис|imza|tanda tangan|chữ ký|署名|签名|簽名|서명|توقيع|امضا|semnătur|allekirjoitus',
  ...PASSWORD,
  'number|anzahl|número|nombre|numero|aantal|liczba|количеств|кількіст|sayı|jumlah',
  'số lượng|จำนวน|数量|개수|عدد|antal|määrä|amount|body|content|inhalt|contenido|contenu|contenuto|conteúdo|inhoud|treść|содержан|текст|içeri|nội dung|本文|内容|內容|내용',
)
/** These stand only behind: "Notification email" and "Support email" are addresses. */
const BEHIND = anyOf(
  BELONGINGS.source,
  'server|provider|anbieter|format|frequen|notification|notifica|benachrichtig|preference|header|footer|campaign|kampagne|layout',
  word('hosts?', 'ports?', 'hosting'),
)
const OF = String.raw`(?:\s(?:of|for|in|der|des|von|für|del?|da|do|d|dell?|della|van|voor|di|на|для|в))?(?:\s(?:the|your|all|la|el|los|las|les|l|il|de|wiadomości|письма|листа))?[\s’']?`
const BELONGING_BEFORE = new RegExp(String.raw`(?:${BELONGINGS.source}|firma)\p{L}{0,3}${OF}$`, 'u')
const BELONGING_BEHIND = new RegExp(String.raw`^(?:s${END})?[\s_\-‑の]{0,2}(?:${BEHIND.source})`, 'u')
export const isBelonging = (before: string, after: string): boolean =>
  BELONGING_BEHIND.test(after) || BELONGING_BEFORE.test(before)

/** "An email with a code". */
const WITH = anyOf(
  `^(?:s|en)? (?:will )?${word('with', 'cont(?:ain|en|ient|iene|ém)\\p{L}*', '(?:zawier|содерж)\\p{L}*', 'enthält', 'bevat', 'mit', 'avec', 'con', 'com', 'met', 'z', 'с', 'з', 'cu', 'dengan', 'kèm')}`,
)
export const isWith = (between: string): boolean => WITH.test(between)

/** Languages in which the main noun of a label comes last. */
export const HEAD_LAST = anyOf(
  String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gujarati}]`,
  String.raw`[\p{sc=Tamil}\p{sc=Telugu}\p{sc=Ethiopic}\p{sc=Myanmar}]|e-?posta(?!dr)|ای میل|کوڈ`,
)
/** In these languages, endings and particles behind the word for email that make it a place or means. */
const PLACE_BEHIND = anyOf(
  '^(?:アドレス)?(?:で|に|から|へ|を(?:ご)?確認|宛)|^(?: ?주소)?(?:으?로|에|[을를] 확인)|^[中里裡内內收查]',
  '^(?: पते)? ?(?:पर|से|में|द्वारा|के माध्यम)|^(?:ে(?!র)| ?থেকে|তে)|^(?: સરનામાં)? ?(?:પર|માં|થી|દ્વારા)',
  '^ (?:پر|سے|میں|کے ذریعے)|^(?:ில்|ிலிருந்து|ுக்கு| மூலம்| வழியாக)|^(?:‌?కు|‌?లో| ద్వారా)|^(?:မှ|သို့|တွင်|ဖြင့်)',
  String.raw`^(?:\p{L}{0,4}(?:[yz]a|[ıi]na|[dt]an|[dt]a)(?!\p{L})| adresi\p{L}{0,4}(?:[nz]e|den|de)(?!\p{L})| (?:ile|yoluyla))`,
)
const PLACE_BEFORE = anyOf('(?:到|至|往|给|給|在|从|從|由|通过|透過)[您你我]?(?:们|們)?的?(?:电子|電子)?$|[በከ]$|ወደ ?$')
/** In Finnish and Hungarian. */
const PLACE_ENDING =
  /^(?:in|isi|sta|stasi|lla|llasi|tse|ssa|ssasi|osoitteese(?:en|esi))(?!\p{L})|^-?(?:ben|ből|re|en|címre|címére)(?!\p{L})/u
export const isPlaceByEnding = (after: string): boolean => PLACE_ENDING.test(after)
export const isPlaceInHeadLast = (before: string, after: string): boolean =>
  PLACE_BEHIND.test(after) || PLACE_BEFORE.test(before)
