import { describe, expect, test } from 'vitest'
import { find } from './testing.ts'

describe('a link', () => {
  const T = 'token=9f8a7c6b5d4e3f2a'
  const U = (path: string) => `https://a.example/${path}`
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
    [
      'Welcome! Your account is ready',
      '<p>You can sign in any time.</p><a href="' + U('login?mc_eid=9f8a7c6b5d4e3f2a') + '">Log in</a>',
    ],
    [
      'New sign-in to your account',
      '<p>We noticed a new sign-in.</p><a href="' + U('login?ref=9f8a7c6b5d4e3f2a') + '">Sign in</a>',
    ],
    ['Your security settings', '<a href="' + U('signin/9f8a7c6b5d4e') + '">Sign in to see the message</a>'],
    ['Sign in to see who viewed you', '<a href="' + U('e/v2?e=9f8a7c6b5d4e-ab12') + '">Sign in</a>'],
    [
      'Verification successful',
      '<p>Your email is now verified.</p><a href="' + U('go/9f8a7c6b5d4e') + '">Open dashboard</a>',
    ],
    [
      'Your account has been verified',
      '<p>Thank you for confirming your email.</p><a href="' + U('start?u=9f8a7c6b5d4e3f2a') + '">Get started</a>',
    ],
    [
      'Your password has been reset',
      '<p>Your password was reset successfully.</p><a href="' + U('login?s=9f8a7c6b5d4e3f2a') + '">Log in</a>',
    ],
    [
      'Password changed',
      '<p>You changed your password on 4 Nov.</p><a href="' +
        U('help/password/9f8a7c6b5d4e') +
        '">Learn about passwords</a>',
    ],
    [
      'Two-step verification is on',
      '<p>You turned on two-step verification.</p><a href="' +
        U('account/2sv?id=9f8a7c6b5d4e') +
        '">Manage two-step verification</a>',
    ],
    ['Willkommen', '<p>Ihr Konto ist aktiviert.</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">Jetzt einloggen</a>'],
    [
      'Verifizierung erfolgreich',
      '<p>Ihre E-Mail-Adresse wurde bestätigt.</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">Zum Konto</a>',
    ],
    ['Bienvenue', '<p>Votre compte est activé.</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">Me connecter</a>'],
    [
      'Cuenta activada',
      '<p>Tu correo ha sido confirmado.</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">Iniciar sesión</a>',
    ],
    ['账号激活成功', '<p>您的邮箱已验证。</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">立即登录</a>'],
    ['本登録完了のお知らせ', '<p>本登録が完了しました。</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">ログイン</a>'],
    ['Аккаунт подтверждён', '<p>Ваш адрес подтверждён.</p><a href="' + U('l/9f8a7c6b5d4e3f2a') + '">Войти</a>'],
    ['Your weekly digest', '<p>Ana commented</p><a href="' + U('n/9f8a7c6b5d4e3f2a') + '">Sign in to reply</a>'],
    [
      'Verify your identity: why it matters',
      '<p>Read our guide.</p><a href="' + U('r/9f8a7c6b5d4e3f2a') + '">Find out</a>',
    ],
  ])('is not found in: %s', (subject, body) => expect(find(subject, body).link).toBeNull())

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
  ])('is found in: %s: %s', (subject, body, link) => expect(find(subject, body).link).toBe(link))
})
