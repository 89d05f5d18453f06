import type { LanguageWords } from './language.ts'

/** The languages of eastern Europe, and Turkish. */
export const EAST: Record<string, LanguageWords> = {
  ro: {
    go: 'continuă|continuați|următorul|deschide|începe|apasă|click aici|aici|mergi la|vezi cererea',
    user: 'nume de utilizator|utilizator',
    promo:
      'reducere|cupon|promo|voucher|cadou|prieten|puncte|recompens|bonus|licenț|număr de serie|ofert|coș(?:ul)?|următoarea (?:comandă|cumpără)|fidelitate',
    meeting: 'întâlnire|ședinț|webinar|videoconferinț|apel video|interviu|zoom',
    place: 'ușă|ușii|poart|wi-?fi|seif|alarm|garaj|parcare|dulap|rețea|camer|interfon',
    pickup: 'ridic|colet|livrare|livrăr|curier|șofer|easybox|urmărir|awb|comanda nr|comenzii|șofer|la ghișeu|ridic',
    visit: String.raw`programare|rezervare|bilet|rând|loc(?!\p{L})|dosar|daună|cazul|număr(?:ul)? de ordine|dosar`,
    done: '(?:a fost|au fost|este) (?:deja |acum )?(?:verificat|confirmat|activat|activ|finalizat|schimbat|modificat|creat|șters|aprobat)|cu succes|mulțumim (?:că ai|pentru) confirm|totul este gata',
    news: 'newsletter|abon|buletin|listă de e-?mail',
    code: 'cod|codul|parola temporară|parolă de unică folosință|pin|codul (?:de|tău|dvs)|parola (?:inițială|provizorie)|cheie de acces|cifre|token|număr de confirmare|număr de verificare|cod de acces|parolă dinamică|cod sms|cheie unică|combinație|cuvinte de|cifre|număr (?:de securitate|de verificare|secret)|parol[aă] (?:temporară|inițială|unică|sms|provizorie)|cheie (?:de acces|unică)|cod sms|combinație|secvență',
    verify:
      'verific|confirm|activ(?!i[td])|valid(?=\\p{L})|autentific|finaliz(?:ează|area) înregistr|aprob|completează|validează|abonare|aprob|asigur|că ești tu|că sunteți|aprob|autoriz|finaliz|complet|definitiv',
    login:
      'conect|autentif|securit|acces|identitat|unică folosință|înregistr|intr[ăa]|intrare|logare|loghează|sesiune|asociaz',
    password: 'parol',
    join: 'acceptă invitația|alătură|acceptați|alătur|vezi invitația|participă',
    temporary: 'temporar|provizori|iniţial|inițial|unică folosință',
    enter:
      'introdu|tasta|folose|utiliz|scrie|tastează|scrieți|copiază|completează|folosește|folosiți|manual|altfel|sau tasteaz|lipe|tasteaz|copiaz|scrie|completeaz|pentru a continua|pentru a semna',
    alert:
      'autentificare nouă|conectare nouă|dispozitiv nou|a fost (?:schimbat|modificat|resetat|actualizat|adăugat)|neobișnuit|suspect',
    yes: 'da,|eu am fost|aprob|da(?:!|$)|confirm|permite|sunt de acord|vreau|da$|corect|sunt eu|adresa mea|e a mea|mă abonez|accept',
    trade:
      'chestionar|premiu(?!m)|puncte|întâlnir|ședinț|reducere|promo|voucher|ofert|cadou|comand|comenz|factur|bon fiscal|rezervare|bilet|tichet|urmărire|awb|colet|livrare|ridicare|curier|programare|reclamați|sesizare|wi_?fi|sondaj|concurs|rambursare|retur|licență|coduri de rezervă|easybox|locker|rețetă|coș|extras|deviz|poliță|abonament|loteri',
    other:
      'echip|culo|vopse|prob[eă]|mostr|participant|curs(?!\\p{L})|cursul|clas|vamal|candidat|interfon|poștal|postal|țar|qr|bare|eroare|client|cont(?:ul)? n|iban|referinț|telefon|tel|sun|fax|card|terminat|cui|versiune|tranzac|plat[ăa]|interior|poliț|dosar|contor|matricol|cnp|j40|terminat în|se termină în|care se termină|suport|asistenţ|asistență',
    notMe:
      'nu (?:ai fost tu|ați fost|tu ai)|nu (?:ai|ați) (?:făcut|efectuat)|securizează|nu am fost eu|nu eu|blochează|refuză|anulează',
    quiet:
      'dezabon|preferințe|confidențial|termen|condiții|ajutor|suport|contact|browser|află mai|citește|descarc|magazin|raporte|setări',
    unit: 'minut|min|or[ăae]|zi|zile|săptăm|lun[ăi]|an|ani|secund|punct|produs|lei|ron|euro|buc|person|la sută|km',
    care: 'nu (?:îl |o )?(?:distribui|împărtăși|comunica|divulga)|nimănui|valabil|expiră|ignor|nu (?:ai|ați) solicitat|introdu',
  },
  pl: {
    go: 'dalej|kontynuuj|przejdź|otwórz|zaczynamy|rozpocznij|kliknij|tutaj|zobacz prośbę|start',
    user: 'nazwa użytkownika|użytkownik|login(?=\\s?[:：])',
    promo: String.raw`rabat|kupon|promo|zniżk|prezent|bon(?!\p{L})|podarunk|znajom|polec|punkt|nagrod|bonus|licencj|numer seryjny|ofert|koszyk|kolejn(?:e|ych) zakup|zrealizuj kod`,
    meeting: 'spotkani|webinar|wideokonferencj|wideorozm|rozmow[aęy] (?:wideo|kwalifikacyjn)|zoom',
    place:
      'drzwi|bram[aęyą](?!\\p{L})|wi-?fi|sejf na klucz|skrytk|alarm|garaż|parking|szafk|sieć|sieci|pok[oó]j|domofon|klatk',
    pickup:
      'odbi[oó]r|odbier|odebra|paczk|przesył|dostaw|kurier|kierowc|paczkomat|śledz|zam[oó]wieni[ae] n|kierowc|przy ladzie|odbioru',
    visit:
      'wizyt|rezerwacj|bilet|kolejk|miejsc|numer spraw|zgłoszeni|szkod|w kolejce|numer w kolejce|sprawa \\d|nr sprawy|numerek',
    done: '(?:został[oay]?|zostały|jest|są) (?:już |właśnie |pomyślnie )?(?:zweryfikowan|potwierdzon|aktywowan|aktywn|zakończon|zmienion|utworzon|usunięt|zatwierdzon|powiązan)|pomyślnie|dziękujemy za (?:potwierdz|weryfik|aktyw)|gotowe',
    news: 'newsletter|subskry|biuletyn|zapisa[łć]|lista mailingow',
    code: 'kod|kodu|kodem|hasło jednorazowe|pin|tan(?!\\p{L})|haseł[ka] jednorazow|hasło tymczasowe|hasło startowe|kody? (?:sms|dostępu|weryfikacyjny|jednorazowy|aktywacyjny|autoryzacyjny)|szyfr|cyfr|token|numer potwierdzenia|numer weryfikacyjny|kod dostępu|kod autoryzacji|hasło sms|smskod|klucz jednorazowy|ciąg cyfr|kod logowania|słowa (?:do )?logowania|fraza|cyfry|ciąg (?:cyfr|znaków)|numer (?:autoryzacyjny|weryfikacyjny|potwierdzenia)|hasło (?:sms|tymczasowe|startowe|pierwsze|dostępu)|smskod|kod sms|klucz (?:jednorazowy|dostępu|aktywacyjny)|jednorazowe hasło|tymczasowe hasło|hasło początkowe',
    verify:
      'weryfik|zweryfik|potwierd|aktyw|uwierzyteln|dokończ rejestr|autoryz|potwierdz|zatwierd|ukończ|zakończ rejestr|sfinalizuj|zapis na|subskrypcj|zatwierd|autoryz|upewn|że to ty|zakończ|dokończ|sfinalizuj|akcept|podpis|uwierzyteln',
    login:
      'logow|zaloguj|logowan|bezpiecz|dostęp|tożsamo|jednoraz|rejestr|urządzen|wejdź|wejści|sesj|sparuj|połącz (?:urządz|telewiz)|konto',
    password: 'hasł',
    join: 'przyjmij zaproszenie|zaakceptuj zaproszenie|dołącz|akceptuję|przyjmuję|zobacz zaproszenie|weź udział|dołączam',
    temporary: 'tymczasow|jednorazow|startow|początkow|pierwsz',
    enter:
      'wpisz|podaj|wprowadź|użyj|przepisz|wklej|wpisać|przepisać|wklep|skopiuj|użyć|podać|wprowadzić|wstaw|ręcznie|inaczej|ewentualnie|wstuk|wklepa|wklej|przepisz|wstukaj|skopiuj|wystuka|aby kontynuować|podpisz',
    alert:
      'nowe logowanie|nowego urządzenia|nowe urządzenie|zosta(?:ło|ł|ła) (?:właśnie )?(?:zmienion|zresetowan|zaktualizowan|dodan|usunięt)|nietypow|podejrzan|zalogowan[oy] się',
    yes: 'tak,|to ja|to byłem ja|zatwierdź|akceptuj|tak(?:!|$)|potwierdzam|zgadzam|zezwól|zapisz mnie|chcę|tak$|zgadza się|wchodzę w to|mój adres|to mój|zapisuję się|chcę|przyjmij|akceptuj|przyjmuję',
    trade:
      'kwestionariusz|znajom|poleceni|nagrod|spotkani|rabat|promocj|zniżk|kupon|bon podar|ofert|prezent|zamów|faktur|paragon|rezerw|bilet|zgłosz|śledz|przesył|paczk|odbior|odbioru|dostaw|kurier|wizyt|termin(?:u|em|y|ie|ów)?(?!\\p{L})|reklamac|zgłoszen|zamówien|wi_?fi|ankiet|konkurs|zwrot|licencj|kody zapasowe|skrytk|recept|koszyk|wyciąg|wycen|polis|awari|karnet|paczkomat|loteri|abonament',
    other:
      'drużyn|zespoł|kolor|farb|prób|uczestni|kurs|klas|celn|cn(?!\\p{L})|kandydat|domofon|bram[aęyą](?!\\p{L})|pocztow|kierunk|qr|kresk|błęd|klient|konta|rachun|referenc|telefon|tel|infolini|fax|kart|kończąc|nip|regon|krs|wersj|transakc|płatnoś|odbior|numer|wewnętrzn|skrytka|polis|student|pracownik|licznik|sprawy|pesel|zakończon|końcówk|o końcówce|pomoc technicz|wsparcia',
    notMe:
      'to nie (?:ty|pan)|nie (?:byłeś|byłaś)|nie dokon|nie rozpozna|zabezpiecz konto|to nie ja|zablokuj|odrzuć|cofnij',
    quiet:
      'wypisz|rezygn|anuluj subskr|preferencj|prywatno|regulamin|warunk|pomoc|wsparc|kontakt|przeglądar|dowiedz się|czytaj|pobierz|sklep|zgłoś|ustawieni|opini',
    unit: 'minut|min|godzin|dni|dzień|tygod|miesi|rok|lat|sekund|punkt|sztuk|szt|zł|pln|euro|osob|procent|km',
    care: 'nie udostępniaj|nie podawaj|nikomu|ważny|wygas|wygaśnie|zignoruj|nie prosi|nie żądał|wpisz|wprowadź|podaj',
  },
  uk: {
    go: 'продовж|далі|відкри|почати|розпочати|натисн|тут|перейти|переглянути запит',
    user: 'ім.я користувача|користувач|логін',
    promo:
      'знижк|промо|купон|подарун|сертифікат|друз|балів|бали|винагород|бонус|ліценз|серійн|кошик|наступн(?:е|у) замовл',
    meeting: 'зустріч|вебінар|відеодзвін|конференц|співбесід|нарад|zoom',
    place:
      'двер|ворот|wi-?fi|ключниц|сейф|сигналізац|гараж|паркінг|комірк|мереж|кімнат|під.їзд|домофон|хвіртк|під.їзд|домофон|двер',
    pickup:
      'отримання|отримати посил|видач|посилк|відправл|доставк|кур.єр|водій|поштомат|відстеж|ттн|замовлення №|воді[йїєю]|на касі|посилк',
    visit: 'запис на|бронюв|квит|черг|місце|звернення|талон|справ[аи] №|у черзі|черг|звернення',
    done: '(?:було|ваш[ау]?|вже|успішно) (?:вже |успішно )?(?:підтверджен|активован|активн|завершен|змінен|створен|видален|схвален)|підтверджено|активовано|успішно|дякуємо за підтвер|готово!',
    news: 'розсилк|підписк|підписа|дайджест|новини',
    code: 'код|одноразовий пароль|пін|одноразов(?:ий|ого) (?:код|пароль)|тимчасовий пароль|перевірочний код|цифри|kod|ключ доступу|номер підтвердження|код доступу|разовий код|разовий пароль|перевірочне число|секретний код|код-пароль|kod pidtver|слова для входу|фраза|цифри|комбінаці|тимчасовий пароль|смс-код|одноразовий ключ|секретний ключ|початковий пароль|пін-код|числ(?:о|а) для|другий фактор|секретне слово|ключ активації|пароль підтвердження|пароль для входу',
    verify:
      'підтвер|верифік|актив|автентиф|завершити реєстр|завершення реєстр|заверш|підписк|схвал|прив.яз|реєстрацію|підтвер|затверд|схвал|переконатися|що це ви|засвідч|завершіть|схвал|авториз|підпис',
    login: 'вход|увій|вхід|логін|безпек|доступ|особ|однораз|реєстр|авториз|пристр|зайти|зайди|сесі|акаунт|обліков',
    password: 'парол',
    join: 'прийняти запрош|приєдн|прийма|вступити|переглянути запрошення|долуч|приєднатися',
    temporary: 'тимчасов|одноразов|початков',
    enter:
      'введіть|введи|вкажіть|використ|впишіть|впиши|набер|скопіюй|вставте|вставити|вкажи|уведіть|зазнач|вручну|інакше|або ж|вставте|скопіюй|впиш|наберіть|щоб продовжити|для продовження',
    alert:
      'новий вхід|нового пристрою|новий пристрій|було (?:змінено|оновлено|скинуто)|змінено|незвичн|підозріл|увійшли',
    yes: 'так,|це був я|це я|підтверд|схвалити|так(?: |!|$)|підтверджую|дозвол|згоден|підписатися|так$|згода|хочу|все вірно|моя адреса|це моя|підписуюся|прийняти',
    trade:
      'анкет|опитуванн|приз|бонус|конференці|нарад|знижк|промо|купон|подарун|акці|замов|рахун|касовий чек|квитан|бронюв|квит|звернен|відстеж|ттн|посилк|відправл|накладн|отримання|видач|кур.єр|доставк|запис|скарг|звернення|заявк|розіграш|wi-fi|домофон|опитув|конкурс|повернен|ліценз|резервні коди|комірк|поштомат|рецепт|кошик|виписк|поліс|абонемент|лотере',
    other:
      'команд|кольор|зразк|учасник|курс|клас|митн|кандидат|домофон|під.їзд|пошт|індекс|країн|qr|штрих|помил|клієнт|карт|телефон|тел|дзвон|факс|єдрпоу|іпн|версі|транзак|оплат|відділен|номер|поліс|договір|лічильник|особов|студент|рнокпп|паспорт|закінчується|останні (?:4|чотири)|підтримк',
    notMe:
      'не ви|це були не ви|не робили|не виконували|захист(?:ити|іть) (?:ваш |свій )?(?:обліковий|акаунт)|це не я|заблок|відхил|скасув',
    quiet:
      'відпис|налаштув|конфіденц|умов|довідк|допомог|підтрим|контакт|браузер|дізна|читати|завантаж|магазин|поскарж|відгук',
    unit: 'хвилин|хв|годин|год|дн|день|тижн|місяц|рок|рік|секунд|бал|штук|шт|грн|гривен|євро|осіб|відсот|км',
    care: 'нікому не|не (?:повідомляйте|передавайте)|нікому|дійсн|діє|закінч|проігнор|ігнор|не запитували|не надсилали|не робили|введіть|вкажіть',
  },
  ru: {
    go: 'продолж|далее|откры|начать|нажми|здесь|тут|перейти|перейд|посмотреть запрос|шлите',
    user: 'имя пользователя|пользовател|логин|ник',
    promo:
      'скидк|промо|купон|подар|сертификат|друз|друг[ау]|балл|кешб[эе]к|кэшб[эе]к|награ[дж]|бонус|лиценз|серийн|корзин|следующ(?:ий|ую|его) заказ|акци[яию]',
    meeting: 'встреч|вебинар|видеозвон|видеовстреч|конференц|собеседован|созвон|совещани|zoom|вкс',
    place: String.raw`двер|ворот|калитк|wi-?fi|вай-?фай|ключниц|сейф|сигнализац|гараж|паркинг|парковк|ячейк|сет[иь](?!\p{L})|подъезд|домофон|калитк|подъезд|домофон|двер`,
    pickup:
      'получени[яе]|получить (?:посылк|заказ)|выдач|посылк|отправлен|доставк|курьер|водител|постамат|отслеж|трек|заказ[а]? №|пвз|водител|на стойке|посылк',
    visit: 'запис[ьи]|бронирован|бронь|билет|очеред|место|обращени|талон|дело №|страхов|в очеред|обращени[ея]',
    done: '(?:был[оа]?|ваш[а]?|уже|успешно) (?:уже |успешно )?(?:подтвержд[её]н|активирован|активн|заверш[её]н|измен[её]н|создан|удал[её]н|одобрен|привязан)|подтверждено|подтверждён|подтвержден(?!и)|активирован|успешно|спасибо за подтвержд|вс[её] готово',
    news: 'рассылк|подписк|подписа|дайджест|новости',
    code: 'код|одноразовый пароль|временный пароль|пин|одноразов(?:ый|ого|ому) (?:код|пароль)|проверочн(?:ый|ые|ое) (?:код|цифры|число)|цифры|парол(?:ь|я) (?:для входа|входа)|пин-код|ключ (?:доступа|входа)|пароль:|kod|кодов(?:ое|ого) слов|номер подтверждения|код доступа|разовый (?:код|пароль)|секретный код|кодов|код-пароль|контрольный код|kod podtver|podtverzhd|parol(?![aăeou])|kod dlya|код авторизации|смс-код|sms-код|kod:|пароль для (?:подтвержд|оплат|операц|перевод|разовог)|разовый|пароль из|слова для входа|фраза для входа|цифры|числ(?:о|а) для|комбинаци|временный пароль|код из смс|смс-код|одноразовый ключ|секретный ключ|начальный пароль|первичный пароль|код-пароль|пин-код|пинкод|второй фактор|контрольное число|секретное слово|ключ активации|пароль подтверждения|пароль на вход',
    verify:
      'подтверд|подтверж|верифи|провер|актив|аутентиф|завершить регистрац|завершения регистрац|заверш|подписк|podtver|verif|одобр|закончить|привязк|привяз|одобр|утверд|убедиться|что это вы|удостовер|завершите|одобр|авториз|подпис',
    login:
      'вход|войти|войд|логин|безопасн|доступ|личност|однораз|регистрац|авториз|устройств|сесси|зайти|зайди|заходи|привяз|vhod|vojti|учётн|учетн|аккаунт',
    password: 'парол',
    join: 'принять приглаш|присоедин|принимаю|вступить|вступи|посмотреть приглашение|участвовать',
    temporary: 'временн|одноразов|первоначальн|начальн|стартов',
    enter:
      'введите|введи|укажите|используйте|впишите|наберите|вводи|введ|впиши|набери|скопируй|вставьте|вставь|сообщите|назови|vved|укажи|введен|вручную|иначе|набрать|вбей|вбить|вставьте|скопируй|впиши|набер|чтобы продолжить|для продолжения|вписать|вбейте',
    alert:
      'новый вход|вход с нового|нового устройства|новое устройство|(?:был|была|было) (?:изменен|изменён|сброшен|обновлен|обновлён|удален|добавлен)|изменен|изменён|необычн|подозрительн|вошли',
    yes: 'да,|это я|это был я|одобрить|разрешить|активн|да(?: |!|$)|подтверждаю|разреш|согласен|подписаться|да$|верно|хочу|всё верно|согласна|шлите|буду|мой адрес|это мой|подписываюсь|принять',
    trade:
      'анкет|вебинар|идентификатор конференции|подарочн|друг[аеу]|друз|балл|приз|бонус|конференци|совещани|скидк|промо|купон|подар|акци|заказ|счёт|счет|кассовый чек|квитанц|брониров|бронь|билет|обращен|заявк|трек|отслеж|посылк|отправлен|накладн|получени[ея] (?:заказа|посылки)|код получения|выдач|курьер|доставк|запис[ьи]|жалоб|обращени|талон|розыгрыш|wi-fi|домофон|опрос|конкурс|возврат|лиценз|резервные коды|ячейк|постамат|рецепт|корзин|выписк|смет|полис|пункт выдачи|абонемент|лотере|пвз',
    other:
      'команд|цвет|краск|образц|участник|курс|класс|тамож|тн вэд|кандидат|соискател|домофон|подъезд|почтов|индекс|стран|qr|штрих|ошибк|клиент|карт|телефон|тел|звон|факс|инн|кпп|огрн|верси|транзакц|оплат|получения|выдач|номер|рейс|доб|а/я|полис|договор|счётчик|лицев|студен|табельн|снилс|паспорт|оканчива|заканчива|последние (?:4|четыре)|поддержк',
    notMe:
      'не вы|это были не вы|не делали|не совершали|не узна[её]те|защитить аккаунт|это не я|заблокир|отклонить|отменить',
    quiet:
      'отпис|настро|конфиденц|услови|соглашен|справк|помощ|поддерж|контакт|браузер|узна|читать|скача|магазин|пожал|отзыв',
    unit: 'минут|мин|час|дн|день|недел|месяц|год|лет|секунд|балл|штук|шт|руб|₽|евро|человек|процент|км',
    care: 'никому не|не (?:сообщайте|передавайте|говорите)|никому|действ|истека|истеч|проигнорир|игнорир|не запрашивали|не отправляли|не делали|введите|укажите|nikomu|ne soobsh|не озвучив|не пересыл|только вам|не отдава|храните в секрете',
  },
  tr: {
    go: 'devam|ileri|aç(?:mak)?|başla|tıkla|buraya|buradan|git|isteği gör',
    user: 'kullanıcı adı|kullanıcı|öğrenci no',
    promo:
      'indirim|kupon|promosyon|hediye|arkadaş|davet kodu|puan|ödül|bonus|lisans|seri numara|kampanya|fırsat|sepet|sonraki (?:sipariş|alışveriş)',
    meeting: 'toplantı|webinar|görüntülü|konferans|mülakat|zoom',
    place: String.raw`kapı|wi-?fi|anahtar kutusu|alarm|garaj|otopark|dolap|ağ(?:ı|ın)?(?!\p{L})|oda(?!\p{L})|bina giriş`,
    pickup: 'teslim al|teslimat|kargo|paket|gönderi|kurye|şoför|sürücü|takip|sipariş n|sürücü|gişe',
    visit: 'randevu|rezervasyon|bilet|sıra (?:no|numara)|koltuk|talep no|hasar|dosya no|başvuru|sıra numara|sıranız',
    done: '(?:doğrulandı|onaylandı|etkinleştirildi|aktif edildi|aktifleştirildi|tamamlandı|değiştirildi|güncellendi|oluşturuldu|silindi)|başarıyla|başarılı|onayladığınız için teşekkür|her şey hazır',
    news: 'bülten|abone|abonelik|e-posta listesi',
    code: 'kod|kodu|kodunuz|şifre|tek kullanımlık (?:şifre|parola|kod)|pin|parola|kodunu|kodun|onay kodu|doğrulama kodu|giriş kodu|tek seferlik (?:şifre|kod|parola)|geçici (?:şifre|parola)|rakam|sms şifresi|aktivasyon kodu|jeton|pin kodu|onay numarası|doğrulama numarası|erişim kodu|güvenlik kodu|şifreniz|parolanız|tek kullanımlik|onay sifresi|sifre|sifreniz|dogrulama|sms kod|güvenlik numarası|giriş (?:kelime|sözcük|ifade)|rakam|geçici (?:şifre|parola|kod)|tek seferlik|ilk şifre|sms (?:şifre|kod)|güvenlik numara|onay numara|doğrulama numara|dinamik şifre|mobil onay kodu|ikinci faktör|gizli kelime',
    verify:
      'doğrula|onay|etkinleştir|aktif|aktivasyon|teyit|kaydı(?:nızı)? tamamla|tamamla|onayla|aktive|kesinleştir|abonelik|emin ol|siz olduğunuz|sen olduğun|yetkilendir|tamamla|imzala|teyit',
    login:
      'giriş|oturum|güvenlik|erişim|kimlik|tek kullanımlık|kayıt|kaydol|üyelik|gir(?:mek|iş)|oturum aç|hesab|eşleştir|cihaz|gir(?!i?ş?\\p{L})|şimdi gir',
    password:
      'yeni (?:bir )?(?:şifre|parola)|şifre(?:ni|nizi)|parola(?:nı|nızı)|şifre sıfırla|parola sıfırla|şifremi|parolamı|şifre yenile|parola yenile|şifre belirle|parola belirle|şifre oluştur|parola oluştur',
    join: 'daveti kabul|katıl|kabul|katılıyorum|daveti (?:gör|aç)|ekibe|davet',
    temporary: 'geçici|tek kullanımlık|ilk|başlangıç',
    enter:
      'girin|gir|giriniz|kullan|yazın|yazınız|gir(?:iniz|ip|erek)?|yaz|tuşla|yapıştır|kopyala|paylaşın|söyle|elle(?!\\p{L})|el ile|yoksa|manuel|gırin|yapıştır|tuşla|kopyala|devam etmek için',
    alert: 'yeni (?:giriş|oturum|cihaz)|değiştirildi|güncellendi|sıfırlandı|değişti|olağandışı|şüpheli',
    yes: 'evet|bendim|onayla|bu bendim|izin ver|onaylıyorum|kabul ediyorum|evet$|doğru|istiyorum|evet!|benim adres|abone ol|kabul et',
    trade:
      'arkadaş|ödül|puan|toplantı|indirim|kampanya|kupon|hediye|fırsat|sipariş|fatura|fiş|rezervasyon|bilet|talep n|takip|kargo|gönderi|paket|teslimat|teslim|kurye|randevu|şikayet|talep|çekiliş|wi-fi|anket|yarışma|iade|lisans|yedek kod|kurtarma kod|dolap|reçete|sepet|ekstre|teklif|poliçe|abone no|sıra',
    other:
      'takım|renk|boya|numune|katılımcı|kurs|sınıf|gümrük|gtip|aday|kapı|posta|alan|ülke|qr|kare|barkod|hata|müşteri|hesap n|iban|referans|telefon|tel|ara|faks|kart|biten|vergi|sürüm|işlem n|ödeme|teslim|numara|no|dahili|posta kutusu|poliçe|öğrenci|sicil|sayaç|dosya|tckn|mersis|ile biten|son 4|destek',
    notMe:
      'siz değil|sen değil|siz yapma|hesab(?:ını|ınızı) koru|hesab(?:ını|ınızı) güvence|ben değildim|bu ben değil|engelle|reddet|iptal et|geri al',
    quiet:
      'abonelikten|listeden çık|tercih|gizlilik|koşul|yardım|destek|iletişim|tarayıcı|daha fazla|devamını|indir(?!i)|mağaza|bildir|ayarlar|yorum',
    unit: 'dakika|dk|saat|gün|hafta|ay|yıl|saniye|puan|adet|ürün|tl|₺|lira|euro|kişi|yüzde|km',
    care: 'paylaşma|kimseyle|kimseye|geçerli|süresi|sona er|dikkate alma|göz ardı|siz (?:talep|istek)|talep etme|girin|giriniz|kullanın|paylasma|kimseyle paylas|gecerli|suresi',
  },
}
