import { expect, test } from 'vitest'
import { subjectOf } from '../../packages/extension/src/page/email-or-code.ts'
import { codeScoreOf, namesEmail } from '../../packages/extension/src/page/words.ts'

const labels = (text: string): string[] => text.trim().split(/\s*[|\n]\s*/u)

/** As the fields are read: what they ask for if they name an email, else whether they ask for a code. */
function askedBy(label: string): 'email' | 'code' | undefined {
  const subject = namesEmail(label) ? subjectOf([label]) : undefined
  if (subject === 'email') return 'email'
  return (subject === 'code' || !namesEmail(label)) && codeScoreOf(label) > 0 ? 'code' : undefined
}

const CODES = labels(`
  Confirme o código que acabamos de enviar ao seu e-mail | Digite abaixo o código de acesso que chegou por e-mail
  Cole o código recebido na sua caixa de e-mail | We just emailed you a 6-digit login code
  Enter the PIN we have emailed to you | Zugriffscode aus Ihrer E-Mail
  Sie haben per Mail einen Anmeldecode bekommen | Registrierungscode | Kontrollcode (per E-Mail verschickt)
  Aanmeldcode | Eenmalige code uit je mailbox | Controlecode | Inloggningskod
  Ange koden vi skickade till din e-post | Koden fra e-posten | Indtast koden fra din e-mail | Aktiveringskode
  Sähköpostiin lähetetty vahvistuskoodi | Kirjautumiskoodi | Megerősítő kód | Az e-mailben kapott kód
  Belépési kód | Code de sécurité à 6 chiffres | Nous venons de vous envoyer un code par mail
  Le courriel contient un code, saisissez-le ici | Código de ingreso que te mandamos al correo
  Abbiamo appena spedito un codice alla tua casella email | Kod jednorazowy z wiadomości mailowej
  Одноразовый пароль из письма | Мы выслали код на ваш email | E-posta kutuna gelen tek kullanımlık şifre
  認証番号（メールでお届けした6桁の数字） | 信箱中的驗證碼 | 邮箱中收到的一次性密码 | 이메일로 보내드린 일회용 비밀번호 | Kode sekali pakai yang dikirim ke surel Anda
  رمز لمرة واحدة وصلك عبر البريد الإلكتروني | अपने ईमेल में आया कोड दर्ज करें | हमने आपके ईमेल पर एक कोड भेजा है
  আপনার ইমেইলে আসা কোডটি লিখুন | กรอกรหัส 6 หลักที่ได้รับทางอีเมล | เราส่งรหัสยืนยันไปที่อีเมลของคุณแล้ว
  Nhập mã mà chúng tôi vừa gửi qua email | Mã xác minh vừa được gửi tới hộp thư email
  کدی که به ایمیلتان فرستادیم را وارد کنید | آپ کی ای میل پر بھیجا گیا کوڈ درج کریں
  Weka msimbo tuliokutumia kwa barua pepe | Код, який надійшов на вашу пошту | Введіть одноразовий код з листа
  Am trimis un cod la adresa ta de e-mail | Masukkan kod yang kami hantar ke e-mel anda
  Kami sudah mengirimkan kode ke email kamu | Kod potwierdzający przesłany na e-mail
  Na Twój adres e-mail przesłaliśmy kod | E-postanıza az önce bir kod gönderdik
  Ti abbiamo mandato un codice per email | El código llegó a tu correo
  Te hemos mandado un código por correo electrónico | Votre code vient d’être envoyé par e-mail
  Der an Ihre E-Mail-Adresse gesendete Code | Wir haben dir per Mail einen Code geschickt
  Check your email and paste the code | Your email code | Didn’t get a code by email? Type it here | Login-Code
  Bestätigungs-PIN | Vul hier de code in uit de mail | 确认码已发到你的邮箱 | 请填写邮件里的6位数字 | 메일함에서 인증번호를 확인하세요
  Two-step code | Enter the 2-step code | Device code | Session code | Dynamic code | Approval code | Steam guard code
  Temporärer Code | Persönlicher Code | Tijdelijke code | Unieke code | Código dinámico
  Sähköpostiisi lähetetty koodi | Syötä sähköpostiisi lähetetty koodi | Syötä sähköpostiisi lähettämämme koodi
  Kirjoita sähköpostiosoitteeseesi lähetetty koodi | Anna sähköpostiisi saapunut koodi
  Kode engangs dari email | Acabamos de enviar um código ao seu e-mail. Digite-o aqui
  Informe o código que foi enviado para o e-mail abaixo | Preencha com o código que está no e-mail
  We have just emailed your verification code | Check the email we sent. Your code is inside
  Enter code from Steam Guard email | Mail-TAN | SMS-TAN oder E-Mail-Code | Anmeldungscode | Verifizierungscode
  Authentifizierungscode | Identifikationscode | Autorisatiecode | Verificatiecode (check je mail)
  Bekräftelsekod | Säkerhetskoden som skickades till din e-postadress | Sikkerhetskode sendt til din e-post
  Bekræftelseskoden i e-mailen | Varmennuskoodi | Turvakoodi sähköpostista | Aktiváló kód
  Hitelesítő kód az e-mailből | 邮箱动态验证码 | 请输入邮件验证码 | 電子郵件驗證碼（6 位數） | メールに届いた確認コードを入力してください
  Введите код, который мы прислали на почту | Код из электронного письма | رمز التأكيد الذي وصلك على الإيميل
  کد ۶ رقمی ارسال شده به ایمیل | E-postana gönderilen doğrulama kodunu gir | Cod de confirmare din e-mail
  ईमेल ओटीपी | Mã xác thực email | 코드 입력 (이메일 확인) | We emailed you a code | We’ve emailed you a code
  Code was emailed to you | We have emailed a 6-digit code to you | We just emailed a code to j***@x.com
`)

const ADDRESSES = labels(`
  Gib deine Mail ein und erhalte einen Code | Deine Mailadresse, an die wir den Zugangscode schicken
  Correo donde te mandaremos el código | E-mail que vai receber o código | Sähköposti, johon koodi lähetetään
  Din e-post | E-post eller mobilnummer | 信箱地址（將寄送驗證碼） | Mail professionnel | Mail o teléfono
  Skriv inn e-postadressen din | E-mail-cím | अपना ईमेल डालें, हम कोड भेजेंगे | কোড পাঠানোর জন্য আপনার ইমেইল
  อีเมลของคุณ เราจะส่งรหัสไปให้ | Nhập email, chúng tôi sẽ gửi mã xác minh | ایمیلت را بنویس تا کد بفرستیم
  Barua pepe yako (tutakutumia msimbo) | Пошта, куди прийде код | Adresa de e-mail la care trimitem codul
  E-mel anda | Email kamu (kode akan dikirim ke sini) | E-mail, na który wyślemy kod
  Kodun gönderilmesini istediğiniz e-posta | Email a cui mandare il codice | Correo al que te llegará el código
  Adresse e-mail à laquelle envoyer le code | An welche Mailadresse soll der Code gehen?
  Your email (no spam, just a code) | Email of the account holder | Naar welk e-mailadres mogen we de code sturen?
  请输入邮箱，稍后会收到验证码 | コードをお送りするメールアドレス | 코드를 보내드릴 이메일을 입력하세요
  Deine E-Mail (Code kommt sofort) | E-Mail für den Einmalcode | E-mailadres om de inlogcode te ontvangen
  E-post för att få en kod | Sähköpostiosoite koodia varten | E-mail cím, ahová a kódot küldjük
  Para onde enviamos o código? E-mail | Seu melhor e-mail | Work email or mobile number
  Email (we emailed you before) | 您的电子信箱 | メール（PC） | Добавьте email для кода | Email de contact
  Correo electrónico o teléfono | Support email | Notification email | Client email | E-mail client
  Phone number or email | Stay informed! Get news by email | Firmen-E-Mail
`)

const NEITHER = labels(`
  Kundennummer aus der E-Mail | Betreff der E-Mail | Nom affiché dans les e-mails | Wyszukaj wiadomości e-mail
  Nombre de la plantilla de correo | Signature de l’e-mail | メール本文 | 이메일 비밀번호 | Employee code | Farbcode
  Código de rastreo | Referral code | Введите символы с изображения | 請輸入圖中的驗證碼 | 그림에 보이는 코드 | Kód z obrázku
  Resimdeki kod | Adgangskode | Presentkortskod | Rabattkode | Filter by email | Search in emails
  E-Mails durchsuchen | Rechercher un e-mail | Email body | Tiêu đề email | Chữ ký email | เทมเพลตอีเมล
  कैप्चा कोड | نص الصورة | Bildcode eingeben | Código de la imagen | Codice prodotto | Class code | Kod studenta
  Кодовое слово | Vouchercode | Kod z obrazka | Mã vận đơn | Lösenord | Kode karyawan | Betreff | Email title
  E-mailonderwerp | Asunto del e-mail | E-posta şablonu | Temat wiadomości e-mail | Hasło do e-maila
  Jumlah email | Zoek in e-mails | Søg i e-mails | Поиск по email | 按邮箱搜索 | メールアドレスで検索 | 이메일로 검색
  ابحث بالبريد الإلكتروني | HTML code | Morse code | Promo code | Fehlercode | Trackingcode | Sendungsnummer
  Code de suivi | Código de barras | Kampanjekode | Produktkode | Tuotekoodi | Postnummer | 验证图片 | 圖片驗證
  Wpisz kod z obrazka | Introduzca el código de la imagen | ป้อนรหัสในภาพ | Masukkan kode pada gambar | Captcha
  Security image code | Reserve-code | Código de respaldo | Codes de secours | Notfallcode | Email subject
  Email template name | Email signature | Email password | Subject of the email | Number of emails
  Name (shown in emails) | Password (we’ll email it to you) | Passwort (per E-Mail zugesandt)
  Contraseña enviada a tu correo | E-Mail-Betreff | Asunto del correo | Objet de l’e-mail | Тема email | メールの件名
  邮件主题 | Search emails | Search by email | Search code, repositories
`)

test('labels ask for a code, in many languages', () => {
  expect(CODES.filter((label) => askedBy(label) !== 'code')).toEqual([])
})

test('labels ask for an address, in many languages', () => {
  expect(ADDRESSES.filter((label) => askedBy(label) !== 'email')).toEqual([])
})

test('labels ask for neither, in many languages', () => {
  expect(NEITHER.filter((label) => askedBy(label) !== undefined)).toEqual([])
})

test('a name does not make an address of what belongs to an email', () => {
  expect(subjectOf(['Email subject'], ['email'])).toBe(undefined)
  expect(subjectOf(['Subject'], ['email_subject'])).toBe(undefined)
})
