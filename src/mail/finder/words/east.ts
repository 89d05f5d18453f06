import type { LanguageWords } from './language.ts'

/** The languages of eastern Europe, and Turkish. */
export const EAST: Record<string, LanguageWords> = {
  ro: {
    code: 'cod|codul|parola temporară|parolă de unică folosință|pin',
    verify: 'verific|confirm|activ|valid|autentific|finaliz(?:ează|area) înregistr',
    login: 'conect|autentif|securit|acces|identitat|unică folosință|înregistr|intr[ăa]',
    password: 'parol',
    join: 'acceptă invitația|alătură',
    temporary: 'temporar|provizori|iniţial|inițial|unică folosință',
    enter: 'introdu|tasta|folose|utiliz|scrie',
    alert:
      'autentificare nouă|conectare nouă|dispozitiv nou|a fost (?:schimbat|modificat|resetat|actualizat|adăugat)|neobișnuit|suspect',
    yes: 'da,|eu am fost|aprob',
    accept: 'accept',
    trade:
      'premiu|puncte|întâlnir|ședinț|reducere|promo|voucher|ofert|cadou|comand|comenz|factur|bon fiscal|rezervare|bilet|tichet|urmărire|awb|colet|livrare|ridicare|curier|programare|reclamați|sesizare|wi_?fi',
    other:
      'interfon|poștal|postal|țar|qr|bare|eroare|client|cont(?:ul)? n|iban|referinț|telefon|tel|sun|fax|card|termin|cui|versiune|tranzac|plat[ăa]',
    notMe: 'nu (?:ai fost tu|ați fost|tu ai)|nu (?:ai|ați) (?:făcut|efectuat)|securizează',
    quiet:
      'dezabon|preferințe|confidențial|termen|condiții|ajutor|suport|contact|browser|află mai|citește|descarc|magazin|raporte|setări',
    unit: 'minut|min|or[ăae]|zi|zile|săptăm|lun[ăi]|an|ani|secund|punct|produs|lei|ron|euro|buc|person|la sută|km',
    care: 'nu (?:îl |o )?(?:distribui|împărtăși|comunica|divulga)|nimănui|valabil|expiră|ignor|nu (?:ai|ați) solicitat|introdu',
  },
  pl: {
    code: 'kod|kodu|kodem|hasło jednorazowe|pin|tan',
    verify: 'weryfik|zweryfik|potwierd|aktyw|uwierzyteln|dokończ rejestr|autoryz',
    login: 'logow|zaloguj|logowan|bezpiecz|dostęp|tożsamo|jednoraz|rejestr|urządzen',
    password: 'hasł',
    join: 'przyjmij zaproszenie|zaakceptuj zaproszenie|dołącz',
    temporary: 'tymczasow|jednorazow|startow|początkow|pierwsz',
    enter: 'wpisz|podaj|wprowadź|użyj|przepisz|wklej',
    alert:
      'nowe logowanie|nowego urządzenia|nowe urządzenie|zosta(?:ło|ł|ła) (?:właśnie )?(?:zmienion|zresetowan|zaktualizowan|dodan|usunięt)|nietypow|podejrzan|zalogowan[oy] się',
    yes: 'tak,|to ja|to byłem ja|zatwierdź|akceptuj',
    accept: 'przyjmij|akceptuj|przyjmuję',
    trade:
      'znajom|poleceni|nagrod|spotkani|rabat|promocj|zniżk|kupon|bon podar|ofert|prezent|zamów|faktur|paragon|rezerw|bilet|zgłosz|śledz|przesył|paczk|odbior|odbioru|dostaw|kurier|wizyt|termin|reklamac|zgłoszen|zamówien|wi_?fi',
    other:
      'domofon|bram|pocztow|kierunk|qr|kresk|błęd|klient|konta|rachun|referenc|telefon|tel|infolini|fax|kart|kończąc|nip|regon|krs|wersj|transakc|płatnoś|odbior|numer',
    notMe: 'to nie (?:ty|pan)|nie (?:byłeś|byłaś)|nie dokon|nie rozpozna|zabezpiecz konto',
    quiet:
      'wypisz|rezygn|anuluj subskr|preferencj|prywatno|regulamin|warunk|pomoc|wsparc|kontakt|przeglądar|dowiedz się|czytaj|pobierz|sklep|zgłoś|ustawieni|opini',
    unit: 'minut|min|godzin|dni|dzień|tygod|miesi|rok|lat|sekund|punkt|sztuk|szt|zł|pln|euro|osob|procent|km',
    care: 'nie udostępniaj|nie podawaj|nikomu|ważny|wygas|wygaśnie|zignoruj|nie prosi|nie żądał|wpisz|wprowadź|podaj',
  },
  uk: {
    code: 'код|одноразовий пароль|пін',
    verify: 'підтвер|верифік|актив|автентиф|завершити реєстр|завершення реєстр',
    login: 'вход|увій|вхід|логін|безпек|доступ|особ|однораз|реєстр|авториз|пристр',
    password: 'парол',
    join: 'прийняти запрош|приєдн',
    temporary: 'тимчасов|одноразов|початков',
    enter: 'введіть|введи|вкажіть|використ|впишіть',
    alert:
      'новий вхід|нового пристрою|новий пристрій|було (?:змінено|оновлено|скинуто)|змінено|незвичн|підозріл|увійшли',
    yes: 'так,|це був я|це я|підтверд|схвалити',
    accept: 'прийняти',
    trade:
      'приз|бонус|конференці|нарад|знижк|промо|купон|подарун|акці|замов|рахун|касовий чек|квитан|бронюв|квит|звернен|відстеж|ттн|посилк|відправл|накладн|отримання|видач|кур.єр|доставк|запис|скарг|звернення|заявк|розіграш|wi-fi|домофон',
    other:
      'домофон|під.їзд|пошт|індекс|країн|qr|штрих|помил|клієнт|карт|телефон|тел|дзвон|факс|єдрпоу|іпн|версі|транзак|оплат|відділен|номер',
    notMe: 'не ви|це були не ви|не робили|не виконували|захист(?:ити|іть) (?:ваш |свій )?(?:обліковий|акаунт)',
    quiet:
      'відпис|налаштув|конфіденц|умов|довідк|допомог|підтрим|контакт|браузер|дізна|читати|завантаж|магазин|поскарж|відгук',
    unit: 'хвилин|хв|годин|год|дн|день|тижн|місяц|рок|рік|секунд|бал|штук|шт|грн|гривен|євро|осіб|відсот|км',
    care: 'нікому не|не (?:повідомляйте|передавайте)|нікому|дійсн|діє|закінч|проігнор|ігнор|не запитували|не надсилали|не робили|введіть|вкажіть',
  },
  ru: {
    code: 'код|одноразовый пароль|временный пароль|пин',
    verify: 'подтверд|подтверж|верифи|провер|актив|аутентиф|завершить регистрац|завершения регистрац',
    login: 'вход|войти|войд|логин|безопасн|доступ|личност|однораз|регистрац|авториз|устройств',
    password: 'парол',
    join: 'принять приглаш|присоедин',
    temporary: 'временн|одноразов|первоначальн|начальн|стартов',
    enter: 'введите|введи|укажите|используйте|впишите|наберите|вводи',
    alert:
      'новый вход|вход с нового|нового устройства|новое устройство|(?:был|была|было) (?:изменен|изменён|сброшен|обновлен|обновлён|удален|добавлен)|изменен|изменён|необычн|подозрительн|вошли',
    yes: 'да,|это я|это был я|одобрить|разрешить|активн',
    accept: 'принять',
    trade:
      'вебинар|идентификатор конференции|подарочн|друг[аеу]|друз|приглашени|балл|приз|бонус|конференци|совещани|скидк|промо|купон|подар|акци|заказ|счёт|счет|кассовый чек|квитанц|брониров|бронь|билет|обращен|заявк|трек|отслеж|посылк|отправлен|накладн|получени[ея] (?:заказа|посылки)|код получения|выдач|курьер|доставк|запис[ьи]|жалоб|обращени|талон|розыгрыш|wi-fi|домофон',
    other:
      'домофон|подъезд|почтов|индекс|стран|qr|штрих|ошибк|клиент|карт|телефон|тел|звон|факс|инн|кпп|огрн|верси|транзакц|оплат|получения|выдач|номер|рейс',
    notMe: 'не вы|это были не вы|не делали|не совершали|не узна[её]те|защитить аккаунт',
    quiet:
      'отпис|настро|конфиденц|услови|соглашен|справк|помощ|поддерж|контакт|браузер|узна|читать|скача|магазин|пожал|отзыв',
    unit: 'минут|мин|час|дн|день|недел|месяц|год|лет|секунд|балл|штук|шт|руб|₽|евро|человек|процент|км',
    care: 'никому не|не (?:сообщайте|передавайте|говорите)|никому|действ|истека|истеч|проигнорир|игнорир|не запрашивали|не отправляли|не делали|введите|укажите',
  },
  tr: {
    code: 'kod|kodu|kodunuz|şifre|tek kullanımlık (?:şifre|parola|kod)|pin|parola',
    verify: 'doğrula|onay|etkinleştir|aktif|aktivasyon|teyit|kaydı(?:nızı)? tamamla',
    login: 'giriş|oturum|güvenlik|erişim|kimlik|tek kullanımlık|kayıt|kaydol|üyelik',
    password: 'yeni (?:bir )?(?:şifre|parola)|şifre(?:ni|nizi)|parola(?:nı|nızı)|şifre sıfırla|parola sıfırla',
    join: 'daveti kabul|katıl',
    temporary: 'geçici|tek kullanımlık|ilk|başlangıç',
    enter: 'girin|gir|giriniz|kullan|yazın|yazınız',
    alert: 'yeni (?:giriş|oturum|cihaz)|değiştirildi|güncellendi|sıfırlandı|değişti|olağandışı|şüpheli',
    yes: 'evet|bendim|onayla',
    accept: 'kabul et',
    trade:
      'arkadaş|ödül|puan|toplantı|indirim|kampanya|kupon|hediye|fırsat|sipariş|fatura|fiş|rezervasyon|bilet|talep n|takip|kargo|gönderi|paket|teslimat|teslim|kurye|randevu|şikayet|talep|çekiliş|wi-fi',
    other:
      'kapı|posta|alan|ülke|qr|kare|barkod|hata|müşteri|hesap n|iban|referans|telefon|tel|ara|faks|kart|biten|vergi|sürüm|işlem n|ödeme|teslim|numara|no',
    notMe: 'siz değil|sen değil|siz yapma|hesab(?:ını|ınızı) koru|hesab(?:ını|ınızı) güvence',
    quiet:
      'abonelikten|listeden çık|tercih|gizlilik|koşul|yardım|destek|iletişim|tarayıcı|daha fazla|devamını|indir|mağaza|bildir|ayarlar|yorum',
    unit: 'dakika|dk|saat|gün|hafta|ay|yıl|saniye|puan|adet|ürün|tl|₺|lira|euro|kişi|yüzde|km',
    care: 'paylaşma|kimseyle|kimseye|geçerli|süresi|sona er|dikkate alma|göz ardı|siz (?:talep|istek)|talep etme|girin|giriniz|kullanın',
  },
}
