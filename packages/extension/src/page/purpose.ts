/** What one-time codes are for. */

import { anyOf, END, word } from './patterns.ts'

/** Names of fields often end with it, such as `smsotp`. */
export const OTP = `otp(?:code)?${END}|ओटीपी|ওটিপি|ઓટીપી|ஓடிபி|ఓటిపి|ఓటీపీ|او ٹی پی`
/** What is for one use is a code, also if its noun is "password". */
export const ONE_TIME =
  'one.?time|einmal-?(?:code|pass|kenn|pin|tan|zug)|usage unique|monouso|un solo uso|uso único|eenmalig|jednorazow|одноразов|tek kullanım|sekali pakai|一次性|ワンタイム|일회용'

/** Codes that prove who somebody is. `SENT`: those that were sent. */
export const PROOF = anyOf(
  'verif|vérif|confirm|conferm|pass.?code|2fa|mfa|totp|auth|bestätig|sicherheitscode|bekr[æäe]ft|engång|engang|vahvist|varmist|varmenn',
  'bevestig|weryfik|potwierdz|подтвержд|провероч|підтвердж|перевір|doğrulama|onay|kertakäyttö|ellenőrz|megerősít|egyszer(?:i|használ| használ)',
  'konfirmasi|pengesahan|xác nhận|xác minh|xác thực|ยืนยัน|အတည်ပြု|ផ្ទៀងផ្ទាត់|បញ្ជាក់|验证|驗證|校验|确认|確認|認証',
  '인증|확인|सत्यापन|पुष्टि|যাচাই|নিশ্চিত|تصدیق|توثیق|ચકાસણી|પુષ્ટિ|சரிபார்ப்பு|உறுதி|ధృవీకరణ|ధ్రువీకరణ|నిర్ధారణ|تأیید|تایید',
  'تحقق|تأكيد|ማረጋገጫ|thibitish|tabbat',
  OTP,
  ONE_TIME,
)
const SENT = anyOf(
  'sent (?:to|you|by)|we sent|gesendet|(?:ge|zuge|ver)schickt|zugesandt|enviad|enviamos|mandamos|envoyé|inviato|verzonden|gestuurd',
  '(?:wy|prze)słan|(?:wy|prze)słali|отправлен|отправили|надіслан|надіслали|dikirim|đã gửi|gönderilen|gönderdik|寄到|发送(?:至|到)|已發送|送信した|送信しま|أرسلنا|المرسل',
)

export const PASSWORD = [
  'pass ?w|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|hasł|парол|şifre|parola|kata sandi|kata laluan|mật khẩu|รหัสผ่าน|パスワード|密码|密碼',
  '비밀번호|पासवर्ड|পাসওয়ার্ড|كلمة|رمز عبور|lösenord|adgangskode|salasana|jelsz',
]
const SECRET = anyOf(...PASSWORD, `pass|pin(?:.?[ck]ode)?${END}`)
const VERIFICATION = /v[eé]rific/u

/** Whether a text names something that the visitor knows, such as a PIN, and not a code that was sent, or shown by an app. */
export const isSecret = (text: string): boolean =>
  SECRET.test(text) && !isOneTime(text) && !isSent(text) && !VERIFICATION.test(text)

/** Whether a text names a code for one use, or a password that is one. */
export const isOneTime = (text: string): boolean => ONLY_ONCE.test(text)
const ONLY_ONCE = anyOf(ONE_TIME, OTP)
export const isSent = (text: string): boolean => SENT.test(text)
export const isProof = (text: string): boolean => PROOF.test(text) || isSent(text)

/** Codes for any use of an account, some of which a visitor chooses. */
const ACCESS = [
  'security|access|factor|faktor|step|device|session|dynamic|approv|guard|log.?in|sign.?(?:in|up)|activat|registr|recover|reset|magic|secret|unlock|identi[ft]|valid|digit|numeric|character',
  'schritt|gerät|paso|étape|etapa|appareil|dispositivo|sesj|dinámic|dinâmic|dinamic|dynami[ks]|sicherheits|zugang|zugriff|anmeld|aktivier|freischalt|prüf|kontroll|contr[oô]le|stellig|sécurité|accès|connexion|activation|inscription|récup|déverrouill|controll|chiffres',
  'segurid|seguranç|sicurez|acce[sd]|acesso|ingreso|inicio de|sesión|activaci|ativaç|attivaz|cadastro|accesso|recupera|cifr[ea]|dígito',
  'beveilig|veilig|toegang|inlog|aanmeld|activer|cijfer|säkerhet|inlogg|aktiver|åtkomst|sikkerhed|sikkerhets|innlogg|pålogg|godkjenn',
  'turva|kirjau|tunnist|todenn|aktivoi|rekister|biztons|belép|bejelentk|aktivál|hitelesít|azonosít|visszaigazol',
  'bezpiecz|dostęp|logowan|aktywac|uwierzyt|autoryz|autori[sz]|securit|conectare|siguranț|activare|безопас|доступ|вход|актив|авториз|безпек|входу',
  'güvenlik|giriş|erişim|aktivasyon|keamanan|akses|masuk|aktivasi|keselamatan|bảo mật|đăng nhập|kích hoạt',
]
export const PURPOSE = anyOf(PROOF.source, ...ACCESS)

/** Words before and behind "code" that say nothing of its purpose. */
const PLAIN = anyOf(
  word(
    'the|an?|this|that|your|our|my|no|any|and|or|by|with|via|per|of|enter|type|paste|insert|input|use|submit|provide|get|have',
    'resend|send|request|new|correct|full|special|unique|personal|temporary|user|account|number|sent|received|short|text|message',
    'sms|phone|mobile|app|inbox|whatsapp|telegram|pin|otp|tan|le|un|votre|ton|mon|ce|de|du|et|ou|saisir|saisissez|entrez|entrer|reçu',
    'je|uw|een|deze|mijn|geen|en|met|voer|vul|nieuwe|die|den|der|dem|und|oder|mit|ohne|(?:ein|ihr|dein|mein|kein)(?:en?)?',
    '(?:diese|neue)[nr]|erhaltenen|gesendeten|bitte|hier|gib|please|veuillez|tapez|indiquez|collez|typ|geef|plak|celular|teléfono|téléphone',
  ),
  word(
    String.raw`(?:aplica|applica|mensa|messag|mobil|temporär|persönlich|tijdelijk|uniek|temporal|temporaire|temporane|unic|únic)\p{L}*`,
  ),
)
/** Whether a word beside "code" says nothing that makes it another code. */
export const isKnown = (part: string): boolean =>
  PURPOSE.test(part) || isSent(part) || PLAIN.test(part) || !/\p{L}/u.test(part)
