import { expect, test } from 'vitest'
import { subjectOf } from '../../packages/extension/src/page/email-or-code.ts'
import { codeScoreOf, namesEmail } from '../../packages/extension/src/page/words.ts'

/** Labels of fields for an address that speak of a code too. */
const ADDRESSES = [
  'Email me a code',
  'Send code to email',
  'Email to send code to',
  'Email for sign-in code',
  'Enter your email to unlock your code',
  'Enter your email to sign in with a one-time code',
  'Email used for booking code',
  'Email and PIN',
  'Saisissez votre e-mail pour obtenir un code',
  'Ingresa tu correo para obtener un código',
  'Inserisci la tua email per ottenere il codice',
  'E-Mail-Adresse für den Bestätigungscode',
  'Code an diese E-Mail senden',
  'E-mailadres waarnaar we de code sturen',
  'Email для отправки кода',
  '请输入接收验证码的邮箱',
  '認証コードを送信するメールアドレス',
  '認証コード送信先メールアドレス',
  '인증번호를 받으실 이메일',
  '인증번호 수신 이메일',
  '인증번호가 발송될 이메일',
  'ईमेल जिस पर कोड भेजा जाएगा',
  'Email nhận mã xác nhận',
  'อีเมลสำหรับรับรหัส OTP',
  'ایمیل برای ارسال کد',
  'Email penerima kode OTP',
  'Recevez un code promo par e-mail',
  'Rabattcode per E-Mail sichern',
  'Send my discount code to this email',
  'Il tuo codice sconto via email',
  'Codice fiscale o email',
  'Correo al que enviar el código',
  'E-mail waarop je de code wilt ontvangen',
  'Indirizzo email per l’invio del codice',
  'E-mail onde você quer receber o código',
  'Adresa de e-mail pe care primești codul',
  'Adresse e-mail associée à votre code client',
  'Ваша почта для входа по коду',
  'Пошта, на яку надіслати код',
  'Введіть email, щоб отримати код',
  'Adres e-mail do wysłania kodu',
  'Kodun gönderileceği e-posta adresi',
  'Kod gönderilecek e-posta',
  'E-posta adresinize kod göndereceğiz',
  'Alamat email untuk pengiriman kode',
  'E-mel untuk menerima kod',
  'E-mel yang akan menerima kod pengesahan',
  'Email để gửi mã xác nhận',
  'อีเมลที่ใช้รับรหัส',
  'البريد الإلكتروني لاستلام الرمز',
  'أدخل بريدك الإلكتروني للحصول على رمز',
  'ایمیلی که کد به آن ارسال می‌شود',
  'ایمیل خود را برای دریافت کد وارد کنید',
  'کوڈ حاصل کرنے کے لیے ای میل',
  'कोड भेजने के लिए ईमेल',
  'যাচাই কোড পেতে ইমেইল লিখুন',
  'કોડ મેળવવા માટે ઇમેઇલ',
  'குறியீடு பெற உங்கள் மின்னஞ்சலை உள்ளிடவும்',
  'కోడ్ పొందడానికి మీ ఇమెయిల్ నమోదు చేయండి',
  'ကုဒ်ရယူရန် အီးမေးလ်',
  'អ៊ីមែលដើម្បីទទួលកូដ',
  'Barua pepe ya kupokea msimbo',
  'Imel don samun lambar tabbatarwa',
  'ማረጋገጫ ኮድ ለማግኘት ኢሜይልዎን ያስገቡ',
  '接收验证码的电子邮箱',
  '收取驗證碼的電子郵件',
  'コードを受信するメールアドレスを入力',
  '코드를 받을 이메일 주소 입력',
  'Deine E-Mail, um den Code anzufordern',
  'Per E-Mail einen Code anfordern',
  'Recevoir un code par e-mail',
  'Recibir código por correo',
  'Ricevi il codice via email',
  'Receber código por e-mail',
  'Ontvang je code per e-mail',
  'Wyślij kod na e-mail',
  'Получить код на почту',
  'E-Mail eingeben und Code erhalten',
  'E-Mail-Adresse eingeben und Code anfordern',
  'Adresse mail pour recevoir le code',
  'Adresse mail sur laquelle recevoir le code',
  'Mail für Code',
  'メールアドレスに認証コードを送ります',
  '이메일을 입력하고 인증번호를 받으세요',
  'Para qual e-mail enviamos o código?',
  'Código o correo',
]

/** Labels that say nothing of a code. */
const PLAIN = [
  'Customer no or email',
  'Open your account with your email',
  'Buka akun dengan email',
  'Sign in by email',
  'Anmelden per E-Mail',
  'Connexion par e-mail',
  'Se connecter avec un e-mail',
  'Zaloguj się przez e-mail',
  'Войти по email',
  'Please check your email address',
  'Username (email)',
  '用户名（邮箱）',
  'Get news by email',
  'Stay in touch via email',
  'Dirección de correo',
  'Endereço de e-mail',
  'Your email, so we can contact you',
  'Email. We don’t share your email',
  'Recibe ofertas en tu correo',
  '手机号/邮箱',
  '请输入邮箱/手机号',
  'メールアドレス（確認用）',
  '이메일 주소',
  'E-posta adresiniz',
  'Email *',
  'Email (required)',
  'Phone, email or username',
  'Nhập email của bạn',
  'ईमेल पता',
  'Adresse électronique / courriel',
  'Send me the newsletter to this email',
  'See prices: enter your email',
  'Contact email for the booking',
  'Fill in your email',
  'Votre mail',
  '電子信箱',
  'پست الکترونیک',
  'E-postadress',
  'Sähköpostiosoite',
]

/** Labels of fields for a code that speak of an email. */
const CODES = [
  'Enter the code from the email',
  'Please check your email, then enter the code below',
  'Check your email. Enter the 6-digit code',
  'Didn’t get the email? Enter the code',
  'Vous venez de recevoir un e-mail avec un code',
  'Prüfen Sie Ihre E-Mails. Sie haben einen Code erhalten',
  'E-posta kodu',
  'E-posta kodunu girin',
  '邮箱动态码',
  '请获取邮箱验证码',
  '获取到的邮箱验证码',
  '请输入获取的邮箱验证码',
  '确认邮箱动态码',
  'Introduce el código que te hemos enviado por correo',
  'Revisa tu correo. Introduce el código',
  'Code uit je e-mail',
  'Controleer je e-mail en vul de code in',
  'Inserisci il codice che hai ricevuto nella tua email',
  'Controlla la tua email e inserisci il codice',
  'Digite o código que você recebeu no seu e-mail',
  'Código do e-mail',
  'Introdu codul din e-mail',
  'Verifică e-mailul și introdu codul',
  'Entrez le code contenu dans l’e-mail',
  'Ouvrez l’e-mail et saisissez le code',
  'Введите код из письма, отправленного на почту',
  'Проверьте почту и введите код',
  'Введіть код із електронної пошти',
  'Код, надісланий на email',
  'Sprawdź e-mail i wpisz kod',
  'Przepisz kod otrzymany e-mailem',
  'E-postanıza gelen kodu girin',
  'E-postanızı kontrol edin ve kodu girin',
  'Masukkan kode yang dikirim ke email Anda',
  'Cek email dan masukkan kode',
  'Masukkan kod daripada e-mel anda',
  'Nhập mã trong email',
  'Kiểm tra email và nhập mã',
  'กรอกรหัสจากอีเมล',
  'ตรวจสอบอีเมลแล้วกรอกรหัส',
  'أدخل الرمز من بريدك الإلكتروني',
  'تحقق من بريدك الإلكتروني وأدخل الرمز',
  'کد ارسال‌شده به ایمیل را وارد کنید',
  'کد داخل ایمیل',
  'ای میل پر بھیجا گیا کوڈ',
  'अपने ईमेल पर भेजा गया कोड दर्ज करें',
  'ইমেইলে পাঠানো কোড লিখুন',
  'ઇમેઇલ પર મોકલેલો કોડ દાખલ કરો',
  'உங்கள் மின்னஞ்சலுக்கு அனுப்பிய குறியீடு',
  'మీ ఇమెయిల్‌కు పంపిన కోడ్',
  'အီးမေးလ်သို့ ပို့ထားသော ကုဒ်',
  'បញ្ចូលកូដពីអ៊ីមែល',
  'Weka msimbo kutoka kwenye barua pepe',
  'Shigar da lambar tabbatarwa daga imel',
  'ወደ ኢሜይልዎ የተላከውን ኮድ ያስገቡ',
  '输入邮件中的验证码',
  '請輸入寄到您電子郵件的驗證碼',
  'メールに記載の6桁のコードを入力',
  '메일에 적힌 인증번호를 입력하세요',
  'Code aus unserer E-Mail eingeben',
  'Öffnen Sie die E-Mail und geben Sie den Code ein',
  'Open the email and type in the code',
  'The code is in your email',
  'Paste the code from our email here',
  'Code in email',
  'Insira o código que enviamos para o seu e-mail',
  'Digite o código que mandamos para o seu e-mail',
  'Código que enviamos para o e-mail cadastrado',
  'Enviamos um código para o seu e-mail',
  'Digite o código de 6 dígitos que enviamos para o e-mail j***@x.com',
  'Un e-mail contenant un code vous a été envoyé',
  'E-Mail-TAN',
  'Einmalpasswort (per E-Mail erhalten)',
  'Contraseña de un solo uso enviada a tu correo',
  'Mot de passe à usage unique reçu par e-mail',
  '我們已將驗證碼寄到您的電子郵件',
  'لقد أرسلنا رمزًا إلى بريدك الإلكتروني',
  'Code reçu par mail',
  '信箱驗證碼',
]

test('a label with an email and a code may ask for the address', () => {
  expect([...ADDRESSES, ...PLAIN].filter((label) => !namesEmail(label) || subjectOf([label]) !== 'email')).toEqual([])
})

test('a label with an email and a code may ask for the code', () => {
  expect(CODES.filter((label) => !namesEmail(label) || subjectOf([label]) !== 'code')).toEqual([])
  expect(CODES.filter((label) => codeScoreOf(label) === 0)).toEqual([])
})

test.each([
  ['Phone (we won’t email)'],
  ['Order number (see confirmation email)'],
  ['Booking confirmation number (see your confirmation email)'],
  ['License key from your email'],
  ['Didn’t get the email?'],
])('a label may speak of an email and ask for something else: %s', (label) => {
  expect(subjectOf([label])).toBe(undefined)
})

test.each([
  ['Please check your email', 'otp'],
  ['Email', 'verification_code'],
  ['Confirm your email', 'code'],
  ['Your inbox', 'emailCaptcha'],
])('a name decides where a label does not: %s, %s', (label, name) => {
  expect(subjectOf([label], [name])).toBe('code')
})

test.each([
  ['Enter the code from the email', 'email-input'],
  ['Email verification code', 'emailInput'],
])('a label decides more than a name: %s, %s', (label, name) => {
  expect(subjectOf([label], [name])).toBe('code')
})

test.each([
  ['Email', 'code_email'],
  ['Email', 'verification-code-email'],
  ['Email', 'token_email'],
  ['Enter your email to get a code', 'otp'],
])('an address goes into a field that is also named after a code: %s, %s', (label, name) => {
  expect(subjectOf([label], [name])).toBe('email')
})

test('a code in a placeholder is what a field with the title "Email" asks for', () => {
  expect(subjectOf(['Email', 'Verification code'], ['x'])).toBe('code')
  expect(subjectOf(['Email', 'Enter your email to get a code'], ['x'])).toBe('email')
  expect(subjectOf(['10% discount code', 'Your email address'], ['x'])).toBe('email')
})

test('a code of a booking is no one-time code, wherever it is', () => {
  expect(subjectOf(['Booking code (in your email)'])).toBe('code')
  expect(codeScoreOf('Booking code (in your email)')).toBe(0)
})
