import { describe, expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'

const find = (subject: string, body: string) =>
  findCodeAndLink({
    subject,
    text: body.startsWith('<') ? null : body,
    html: body.startsWith('<') ? body : null,
    fromName: 'Quay',
    fromAddress: 'no-reply@quay.example',
  })

describe('a code', () => {
  test.each([
    ['Security alert', 'A code was requested from IP 203.0.113.77 at 18:22. Ticket 482913.'],
    ['Verify your account', 'Call 1800 482 913 to verify your account.'],
    ['Your security settings', 'Version 4829.13 installed. Build 482913.'],
    ['Sign in', 'Enter the code from your authenticator app. Case ID 482913.'],
    ['New sign-in', 'Your account was accessed from 94107 San Francisco. Device ID 8A7F3C21.'],
    ['Your backup codes', 'Keep these backup codes safe:\n48291377\n10293847\n56473829\n91827364'],
    ['Login attempt blocked', 'Error code 482913 occurred while you signed in.'],
    ['Use code SAVE2026 to sign up', 'Sign up with code SAVE2026 and get 20 % off.'],
    ['Your gift card', 'Gift card code: X7K9-QP42-LM88\nPIN: 4829'],
    ['Verification complete', 'Thank you, your account 482913 has been verified.'],
    ['Your code of conduct', 'Read the code of conduct, 1440 members agreed to verify it.'],
    ['Password changed', 'Your password was changed on 04.11.2026 at 18:22:13. Reference: 482913.'],
    ['Statement', 'Your account ending in 4829 is ready. Never share your security code.'],
    ['Sign-in', 'Your code expires in 1440 minutes, on 20261104.'],
    ['Delivery', 'Your delivery code is 4829. Show it to the courier.'],
    ['Parking', 'Gate access code: 4829'],
    ['Your reservation', 'Door code: 482913. Check-in from 15:00. Wi-Fi password: harbor2026'],
    ['Wi-Fi', 'Network: Guest\nPassword: harbor2026'],
    ['Your ride', 'Your ride PIN is 4829. Verify the licence plate 7ABC123.'],
    ['Webinar', 'Access code 482-913-770 for the webinar.'],
    ['Invoice', 'Payment authorization code 048291 for invoice 482913.'],
    ['Licence key', 'Your activation key: X7K9Q-PLM42-88ABC-DEF01-23456'],
    ['Referral', 'Invite friends with your referral code QUAY4829.'],
    ['Colours', 'Our new colours: #482913, #FFEE00; secure your set.'],
    ['Steuer', 'Ihre Steuernummer 482/913/77012 und Ihr Aktenzeichen 482913 zur Bestätigung.'],
    ['Termin', 'Ihr Termin am 04.11. um 14:30 ist bestätigt. Terminnummer: 482913'],
    ['Réservation confirmée', 'Code d’accès au bâtiment : 4829B'],
    ['Confirmación de pedido', 'Su código de seguimiento es 482913.'],
    ['Confirmação', 'Código do cliente: 482913. Protocolo 20261104482913.'],
    ['Conferma', 'Codice cliente 482913 · Codice fiscale RSSMRA85T10A562S'],
    ['Подтверждение записи', 'Номер записи 482913. Код домофона 4829.'],
    ['Onay', 'Sipariş kodunuz: 482913'],
    ['تأكيد الحجز', 'رمز الحجز: 482913'],
    ['تایید سفارش', 'کد سفارش: 482913\nکد پستی: 1517963111'],
    ['बुकिंग की पुष्टि', 'बुकिंग कोड: 482913'],
    ['预约成功', '就诊序号 482913，取号密码 4829'],
    ['确认收货', '提货码：482913'],
    ['登录成功', '您于2026年登录，工号482913'],
    ['予約確認', '予約確認コード：482913'],
    ['예약 확인', '예약 확인 코드: 482913'],
    ['Xác nhận đặt phòng', 'Mã xác nhận đặt phòng: 482913'],
    ['ยืนยันการจอง', 'รหัสการจอง 482913'],
    ['Potwierdzenie rezerwacji', 'Kod rezerwacji: 482913'],
    ['Bevestiging', 'Uw klantcode is 482913'],
    ['Confirmare', 'Codul comenzii: 482913'],
    ['Konfirmasi', 'Kode pemesanan: 482913, kode unik transfer 482'],
    ['Uthibitisho', 'Msimbo wa ofa: 482913'],
    ['কনফার্মেশন', 'বুকিং কোড: ৪৮২৯১৩'],
  ])('is not in: %s: %s', (subject, body) => expect(find(subject, body)).toEqual({ code: null, link: null }))

  test.each([
    ['Your code', 'Your verification code is: 482913. Ticket 55123 was opened.', '482913'],
    ['Sign in to Quay', '482913\n\nThis is your sign-in code.', '482913'],
    ['[Quay] Please verify your device', 'Verification code: 482913\n\nhttps://quay.example/settings', '482913'],
    ['Quay', 'Use 482913 as your login code for Quay.', '482913'],
    [
      'OTP',
      '482913 is your OTP for INR 4,829.00 at SHOP on card XX4821. Valid till 18:30. Call 18001234 if not you.',
      '482913',
    ],
    ['3-D Secure', 'Amount: EUR 48.29\nMerchant: SHOP\nCard: **** 4821\nOne-time passcode: 482913', '482913'],
    ['Your sign-in code', 'Your code is\r\n\r\nX7K9QP\r\n\r\nIt is valid for 10 minutes.', 'X7K9QP'],
    ['Dein Code', 'Dein Anmeldecode lautet 482 913.', '482913'],
    ['Code', 'Votre code de vérification est le 482913.', '482913'],
    ['Código', '482913 es tu código de verificación.', '482913'],
    ['Код', '482913 — ваш код для входа', '482913'],
    ['Код', 'Код подтверждения: 482913. Никому его не сообщайте!', '482913'],
    ['【Quay】', '【Quay】验证码：482913，5分钟内有效，请勿泄露。', '482913'],
    ['Quay', '【Quay】您正在登录，验证码482913，打死都不要告诉别人哦！', '482913'],
    ['認証', '認証番号は「482913」です。', '482913'],
    ['인증', '[나루] 인증번호[482913]를 입력해주세요.', '482913'],
    ['OTP', 'Mã OTP của quý khách là 482913, có hiệu lực trong 2 phút.', '482913'],
    ['OTP', 'รหัส OTP = 482913 (Ref. code: ABCD)', '482913'],
    ['Kod', 'Doğrulama kodu: 482913 B002', '482913'],
    ['رمز', '482913 هو رمز التحقق الخاص بك', '482913'],
    ['کد', 'کد تایید: 482913\nلغو11', '482913'],
    ['Security', 'Security code: 7 digits 4829137', '4829137'],
    ['Your temporary password', 'Your temporary password is: aB3xK9pQ', 'aB3xK9pQ'],
    ['Confirm', 'Please confirm with PIN 4829.', '4829'],
  ])('is in: %s: %s', (subject, body, code) => expect(find(subject, body).code).toBe(code))
})

describe('a link', () => {
  const T = 'token=9f8a7c6b5d4e3f2a'
  const L = `https://a.example/verify?${T}`

  test.each([
    [
      'Confirm your order',
      '<p>Please confirm that you received order 4829</p><a href="https://a.example/o/received?' +
        T +
        '">Confirm receipt</a>',
    ],
    [
      'Security alert',
      '<p>Did you just sign in? If not,</p><a href="https://a.example/account/lock?' + T + '">Lock my account</a>',
    ],
    [
      'New sign-in',
      '<p>New sign-in from Chrome.</p><a href="https://a.example/activity?' +
        T +
        '">Review activity</a> <a href="https://a.example/pw?' +
        T +
        '">Change password</a>',
    ],
    [
      'Your password was changed',
      '<p>If you did not change your password, </p><a href="https://a.example/reset?' + T + '">reset it here</a>',
    ],
    [
      'Was this you?',
      '<a href="https://a.example/yes?' +
        T +
        '">Yes, it was me</a> <a href="https://a.example/no?' +
        T +
        '">No, secure my account</a>',
    ],
    [
      'Verify now and win',
      '<p>Newsletter</p><a href="https://a.example/blog/how-to-verify-your-identity-online-2026">How to verify your identity online</a>',
    ],
    [
      'Welcome to Quay',
      '<p>Your account is active.</p><a href="https://a.example/login?utm_source=welcome_mail_2026">Log in</a>',
    ],
    ['Booking confirmed', '<a href="https://a.example/booking/9f8a7c6b5d4e3f2a">View confirmation</a>'],
    ['Confirm your email preferences', '<a href="https://a.example/preferences?' + T + '">Confirm preferences</a>'],
    [
      'Are you still interested?',
      '<a href="https://a.example/stay?' +
        T +
        '">Yes, keep me subscribed</a> <a href="https://a.example/unsubscribe?' +
        T +
        '">Unsubscribe</a>',
    ],
    ['Rate your purchase', '<a href="https://a.example/review/9f8a7c6b5d4e3f2a">Confirm rating</a>'],
    [
      'Ihre Bestellung',
      '<a href="https://a.example/bestellung/9f8a7c6b5d4e3f2a">Bestellung bestätigen und bezahlen</a>',
    ],
    [
      'Votre mot de passe a été modifié',
      '<p>Si vous n’êtes pas à l’origine de cette modification,</p><a href="https://a.example/mdp?' +
        T +
        '">réinitialisez votre mot de passe</a>',
    ],
    [
      'Tu contraseña cambió',
      '<p>¿No fuiste tú?</p><a href="https://a.example/restablecer?' + T + '">Restablecer contraseña</a>',
    ],
    [
      'Пароль изменён',
      '<p>Если это были не вы, </p><a href="https://a.example/reset?' + T + '">восстановите доступ</a>',
    ],
    ['密码已修改', '<p>如非本人操作，请立即</p><a href="https://a.example/reset?' + T + '">重置密码</a>'],
    [
      'パスワードが変更されました',
      '<p>お心当たりがない場合は</p><a href="https://a.example/reset?' + T + '">パスワードを再設定</a>',
    ],
    [
      '비밀번호가 변경되었습니다',
      '<p>본인이 아닌 경우</p><a href="https://a.example/reset?' + T + '">비밀번호 재설정</a>',
    ],
    [
      'Şifreniz değiştirildi',
      '<p>Bu işlemi siz yapmadıysanız</p><a href="https://a.example/reset?' + T + '">şifrenizi sıfırlayın</a>',
    ],
    [
      'تم تغيير كلمة المرور',
      '<p>إذا لم تكن أنت من قام بذلك،</p><a href="https://a.example/reset?' + T + '">أعد تعيين كلمة المرور</a>',
    ],
    ['پاسورڈ', '<p>اگر یہ آپ نہیں تھے تو</p><a href="https://a.example/reset?' + T + '">پاس ورڈ ری سیٹ کریں</a>'],
    [
      'पासवर्ड बदल दिया गया',
      '<p>अगर यह आपने नहीं किया है, तो</p><a href="https://a.example/reset?' + T + '">पासवर्ड रीसेट करें</a>',
    ],
    ['পাসওয়ার্ড পরিবর্তন', '<p>আপনি এটি না করে থাকলে</p><a href="https://a.example/reset?' + T + '">পাসওয়ার্ড রিসেট করুন</a>'],
    [
      'Mật khẩu đã thay đổi',
      '<p>Nếu không phải bạn thực hiện,</p><a href="https://a.example/reset?' + T + '">đặt lại mật khẩu</a>',
    ],
    ['เปลี่ยนรหัสผ่านแล้ว', '<p>หากไม่ใช่คุณ</p><a href="https://a.example/reset?' + T + '">รีเซ็ตรหัสผ่าน</a>'],
    [
      'Kata sandi diubah',
      '<p>Jika ini bukan Anda,</p><a href="https://a.example/reset?' + T + '">atur ulang kata sandi</a>',
    ],
    ['Hasło zmienione', '<p>Jeśli to nie Ty,</p><a href="https://a.example/reset?' + T + '">zresetuj hasło</a>'],
    [
      'Password modificata',
      '<p>Se non sei stato tu,</p><a href="https://a.example/reset?' + T + '">reimposta la password</a>',
    ],
    ['Senha alterada', '<p>Se não foi você,</p><a href="https://a.example/reset?' + T + '">redefina sua senha</a>'],
    [
      'Wachtwoord gewijzigd',
      '<p>Heb je dit niet zelf gedaan?</p><a href="https://a.example/reset?' +
        T +
        '">Stel je wachtwoord opnieuw in</a>',
    ],
    [
      'Parola a fost schimbată',
      '<p>Dacă nu ai făcut tu această modificare,</p><a href="https://a.example/reset?' + T + '">resetează parola</a>',
    ],
    [
      'Nenosiri limebadilishwa',
      '<p>Ikiwa si wewe uliyefanya hivi,</p><a href="https://a.example/reset?' + T + '">weka upya nenosiri</a>',
    ],
    [
      'رمز عبور تغییر کرد',
      '<p>اگر شما این کار را نکرده‌اید،</p><a href="https://a.example/reset?' + T + '">بازنشانی رمز عبور</a>',
    ],
    ['Пароль змінено', '<p>Якщо це були не ви,</p><a href="https://a.example/reset?' + T + '">скиньте пароль</a>'],
    [
      'கடவுச்சொல் மாற்றப்பட்டது',
      '<p>இது நீங்கள் இல்லையெனில்</p><a href="https://a.example/reset?' + T + '">கடவுச்சொல்லை மீட்டமைக்கவும்</a>',
    ],
    ['పాస్‌వర్డ్ మార్చబడింది', '<p>ఇది మీరు కాకపోతే</p><a href="https://a.example/reset?' + T + '">పాస్‌వర్డ్ రీసెట్ చేయండి</a>'],
    ['પાસવર્ડ બદલાયો', '<p>જો આ તમે ન હોવ તો</p><a href="https://a.example/reset?' + T + '">પાસવર્ડ રીસેટ કરો</a>'],
    ['စကားဝှက် ပြောင်းပြီး', '<p>သင် မဟုတ်ပါက</p><a href="https://a.example/reset?' + T + '">စကားဝှက် ပြန်သတ်မှတ်ပါ</a>'],
    ['ពាក្យសម្ងាត់ត្រូវបានប្តូរ', '<p>ប្រសិនបើមិនមែនជាអ្នក</p><a href="https://a.example/reset?' + T + '">កំណត់ពាក្យសម្ងាត់ឡើងវិញ</a>'],
    [
      'Kata laluan ditukar',
      '<p>Jika bukan anda,</p><a href="https://a.example/reset?' + T + '">tetapkan semula kata laluan</a>',
    ],
    [
      'An canza kalmar sirri',
      '<p>Idan ba kai ba ne,</p><a href="https://a.example/reset?' + T + '">sake saita kalmar sirri</a>',
    ],
    ['የይለፍ ቃል ተቀይሯል', '<p>እርስዎ ካልሆኑ</p><a href="https://a.example/reset?' + T + '">የይለፍ ቃል ዳግም ያስጀምሩ</a>'],
  ])('is not in: %s', (subject, body) => expect(find(subject, body).link).toBeNull())

  test.each([
    ['Verify', 'Verify your email: ' + L + '\nNot you? https://a.example/report?' + T, L],
    [
      'Welcome',
      '<a href="https://a.example/app">Get the app</a><p>Please <a href="' +
        L +
        '">click here</a> to confirm your email.</p>',
      L,
    ],
    [
      'Sign in to Quay',
      '<a href="https://a.example/magic/9f8a7c6b5d4e3f2a">Sign in to Quay</a>',
      'https://a.example/magic/9f8a7c6b5d4e3f2a',
    ],
    [
      'Ana invited you to Quay',
      '<a href="https://a.example/i/9f8a7c6b5d4e3f2a">Accept invitation</a>',
      'https://a.example/i/9f8a7c6b5d4e3f2a',
    ],
    ['Reset', '[Reset your password](' + L + ')', L],
    ['Reset your password', 'Reset your password <' + L + '>', L],
    ['Confirm', 'Confirm your subscription: ' + L + '.', L],
    ['Verify', '<a href="' + L + '"><img src="x.png" alt="Verify my email"></a>', L],
    ['Verify', '<a href="' + L + '&amp;x=1">Verify</a><p>Or paste: ' + L + '&amp;x=1</p>', L + '&x=1'],
    ['Two ways', '<a href="' + L + '">Verify</a> or code <b>482913</b>', L],
    [
      'Email verification',
      'To verify your email address visit:\n' +
        L +
        '\n\nTo report abuse visit https://a.example/abuse?id=9f8a7c6b5d4e3f2a',
      L,
    ],
  ])('is in: %s: %s', (subject, body, link) => expect(find(subject, body).link).toBe(link))
})
