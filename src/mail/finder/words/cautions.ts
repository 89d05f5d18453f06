import { CAUTIONS_OF_ASIA } from './cautions-asia.ts'
import type { Cautions } from './language.ts'

/** What stands beside codes and links, for each language. */
export const CAUTIONS: Record<string, Cautions> = {
  en: {
    secret:
      '(?:don.t|do not|never|not be|please don.t) (?:share|give|disclose|forward|tell|reveal|send|pass|read it)|with anyone|to anyone|anybody|nobody|no one|will (?:never|not) (?:ask|call|phone|ring)|never ask|to yourself|your eyes|keep it (?:secret|private|safe)|not even',
    unasked:
      'ignore this|disregard|(?:didn.t|did not|haven.t|have not|don.t|never) (?:you )?(?:just )?(?:request|ask|make|start|try|initiat|sign up|register|expect|want)|(?:wasn.t|was not|isn.t|not) you|not requested|if it wasn|by mistake|in error|someone else|safely ignore|delete this',
    undo: 'undo|cancel|revok|revert|remov|unlink|invalidat|void(?!\\p{L})|abort|stop(?!\\p{L})|lock(?!e|s)|freez|suspend|end (?:all |the )?session|terminat|kill|sign (?:me |you )?out|log (?:me |you )?out|turn (?:it |this )?off|disabl|deactivat|discard|withdraw|report (?:it|this|un)|block|refus|reject|declin|deny|disavow|dispute|secure (?:my|your|the|this) |protect (?:my|your|the|this) |not me(?!\\p{L})|wasn.t me|review (?:your )?(?:recent |account )?activity|check activity|activity',
    minutes: 'min',
    payment:
      'payment|transaction|transfer|purchase|(?:credit|debit|your) card|card ending|beneficiary|payee|withdraw|top_?up|pay(?!\\p{L})|spend|merchant',
  },
  de: {
    secret:
      'niemand|niemals weiter|nicht weiter(?:geben|sagen|leiten)|an (?:keine|niemand)|keinem|vertraulich|geheim|fragen (?:dich |sie )?nie|werden (?:sie|dich) nie|nicht mitteilen|für sich',
    unasked:
      'ignorier|nicht angefordert|nicht (?:von (?:dir|ihnen)|selbst)|nicht (?:du|sie)(?!\\p{L})|nichts angefordert|versehentlich|irrtümlich|nicht veranlasst|nicht angemeldet|gegenstandslos|einfach löschen|betrachten sie diese|nicht beantragt|haben sie (?:sich )?(?:nicht|kein)',
    undo: 'abbrech|abbruch|rückgängig|widerruf|zurückzieh|zurücknehm|entfern|sperr(?:en|e)|beend|stornier|ungültig|sichern|absichern|schützen|melden sie (?:es|dies)|ablehn|nicht ich|aktivität|abgemeld',
    minutes: 'min|viertelstunde',
    payment:
      'zahl(?:ung|en)|überweis|transaktion|kreditkarte|debitkarte|karte(?!\\p{L})|auszahl|abbuch|einkauf|kartenz|lastschrift|empfänger|onlinebanking',
  },
  es: {
    secret:
      'con nadie|a nadie|nadie|no (?:lo |la |los )?(?:compart|reve|divulg|des|dé|digas|diga|facilit|proporcion|reenv)|jamás|nunca (?:te |le )?(?:pedi|solicit|llam)|confidencial|secreto',
    unasked:
      'ignor|omit|haz caso omiso|haga caso omiso|no (?:lo |la )?(?:solicit|pedist|pidi|hiciste|hizo|realiz|has sido|fuiste|fue usted|reconoc|ha solicitado|has solicitado)|si no (?:eres|fuiste|has)|por error|desestim|elimina este|no tienes que hacer',
    undo: 'cancel|revoc|elimin|quitar|bloque|anul|deshac|reporta|denunci|desactiv|cerrar (?:todas )?(?:las |la )?sesi|proteg|asegur|rechaz|no fui|no he sido|invalid|actividad',
    minutes: 'min',
    payment: 'pago|pagar|transferencia|compra|tarjeta|transacci|operaci|retiro|beneficiari|cargo',
  },
  fr: {
    secret:
      'à personne|personne ne|ne (?:le |la |les )?(?:partag|communiqu|divulgu|transmet|donn|transfér|dit)|jamais|confidentiel|secret',
    unasked:
      'ignor|pas (?:demandé|à l.origine|initié|effectué|fait cette|sollicité|vous)|pas été demand|ne pas tenir compte|par erreur|supprimer ce|n.est pas vous|ne tenez pas compte',
    undo: 'annul|révoqu|supprim|retir|bloqu|signal|désactiv|mettre fin|mettez fin|déconnect|sécuris|protég|refus|invalid|ce n.est pas moi|pas moi|activité|dénonc',
    minutes: 'min|quart d.heure',
    payment: 'paiement|payer|virement|achat|carte|transaction|opération|bénéficiaire|retrait|débit',
  },
  it: {
    secret:
      'a nessuno|con nessuno|nessuno|non (?:lo |la )?(?:condivid|comunic|rivel|divulg|inoltr|dare|darlo|fornir)|mai |riservat|segret',
    unasked:
      'ignora|non (?:hai|ha|avete) (?:richiesto|chiesto|effettuato|fatto|tentato)|non sei (?:stat|tu)|non è stat|per errore|cestina|elimina questa|puoi ignorare',
    undo: 'annull|revoc|rimuov|blocc|segnal|disattiv|termina(?:re)? (?:tutte )?l|disconnet|protegg|rifiut|invalid|non sono (?:stato )?io|attività|elimina',
    minutes: 'min|quarto d.ora',
    payment: 'pagament|pagare|bonifico|acquisto|carta|transazion|operazion|beneficiari|prelievo|addebito',
  },
  pt: {
    secret:
      'a ninguém|com ninguém|ninguém|não (?:o |a |os )?(?:compartilh|partilh|divulg|forneç|pass|inform|revel|reencaminh|encaminh|diga|mostr|repass)|nunca|confidencial|segredo|sigil',
    unasked:
      'ignor|desconsider|não (?:foi você|solicit|pediu|pediste|fez|fizeste|reconhece|tentou|tiver|realiz|se cadastr|efetuou)|por engano|por erro|elimine este|apague est',
    undo: 'cancel|revog|remov|bloque|anul|denunci|desativ|encerr|desfa|proteg|recus|termin(?:e|ar) (?:as |a )?sess|invalid|não fui eu|atividade|atividade|apag',
    minutes: 'min',
    payment: 'pagament|pagar|transferência|compra|cartão|transaç|operaç|beneficiári|saque|débito|pix(?!\\p{L})|mb_?way',
  },
  nl: {
    secret:
      'met niemand|aan niemand|niemand|deel (?:deze|dit|hem|nooit|je|uw)|nooit|niet delen|geef (?:deze|dit|hem|nooit)|geheim|vertrouwelijk|niet door',
    unasked:
      'negeer|niet (?:zelf )?(?:aangevraagd|gevraagd|geprobeerd|gedaan)|niet om gevraagd|niet (?:jij|u)(?!\\p{L})|per ongeluk|vergissing|niets te doen|geen (?:actie|account aangemaakt)|verwijder (?:deze|dit)',
    undo: 'annuleer|annuleren|intrek|trek in|verwijder|blokkeer|blokkeren|beëindig|ongedaan|uitschakel|beveilig|weiger|ongeldig|terugdraai|ik was het niet|activiteit|melden',
    minutes: 'min|kwartier',
    payment:
      'betaal|betaling|overboek|overschrijv|aankoop|creditcard|pas(?!\\p{L})|betaalpas|transactie|opname|begunstigde|ideal',
  },
  sv: {
    secret:
      'dela (?:aldrig|inte|den inte)|med någon|till någon|ingen(?!\\p{L})|aldrig|lämna (?:inte|aldrig)|ge (?:inte|aldrig|den inte)|hemlig|vidarebefordra inte|uppge aldrig',
    unasked:
      'ignorera|bortse|inte (?:begär|bett|försök|du|själv|gjort|känner|registrer)|av misstag|strunta|radera|kasta|inte var du|inget behöver',
    undo: 'ångra|avbryt|återkalla|ta bort|spärra|logga ut|skydda|avvisa|neka|ogiltig|inte jag|aktivitet|avsluta (?:alla )?sess',
    minutes: 'min|kvart',
    payment: 'betal|överför|köp(?!\\p{L})|köpet|kort(?:et)?(?!\\p{L})|transaktion|uttag|mottagare|swish',
  },
  da: {
    secret:
      'del (?:aldrig|ikke|den)|med nogen|til nogen|ingen(?!\\p{L})|aldrig|giv (?:aldrig|ikke|den)|hemmelig|videresend ikke|oplys aldrig',
    unasked:
      'ignorer|se bort fra|ikke (?:anmodet|bedt|dig|selv|forsøgt|oprettet|har bestilt|kender)|ved en fejl|slet (?:blot|bare|denne)|du behøver ikke',
    undo: 'fortryd|annuller|tilbagekald|fjern|spær|log (?:alle )?ud|beskyt|afvis|ugyldig|ikke mig|aktivitet|afslut (?:alle )?sess|stop(?!\\p{L})',
    minutes: 'min|kvarter',
    payment: 'betal|overfør|køb|kort(?:et)?(?!\\p{L})|transaktion|hævning|modtager|mobilepay',
  },
  no: {
    secret:
      'del (?:aldri|ikke|den)|med noen|til noen|ingen(?!\\p{L})|aldri|gi (?:aldri|ikke|den)|hemmelig|ikke videresend|ikke oppgi',
    unasked:
      'ignorer|se bort fra|overse|ikke (?:ba|bedt|deg|selv|forsøkt|har bestilt|kjenner|prøvde)|ved en feil|slett|trenger du ikke',
    undo: 'angre|avbryt|trekk tilbake|fjern|sperr|logg (?:alle )?ut|beskytt|sikre|avvis|ugyldig|ikke meg|aktivitet|avslutt (?:alle )?(?:økt|sesj)',
    minutes: 'min|kvarter',
    payment: 'betal|overfør|kjøp|kort(?:et)?(?!\\p{L})|transaksjon|uttak|mottaker|vipps',
  },
  fi: {
    secret:
      'kenellekään|kenenkään|kukaan|älä (?:koskaan )?(?:jaa|kerro|anna|paljasta|luovuta|lähetä)|koskaan|ei koskaan|luottamuksellinen|salassa',
    unasked:
      'jätä (?:tämä|viesti)|ohita|et (?:ole )?(?:pyytänyt|itse|yrittänyt|tehnyt|tilannut)|sinä et|vahingossa|erehdy|poista tämä|et se ollut|voit (?:jättää|poistaa)|ei tarvitse',
    undo: 'peruut|peru (?:pyyntö|muutos)|poista|estä(?!\\p{L})|lukitse|kirjaa? (?:kaikki )?ulos|suojaa|hylkää|mitätöi|en ollut minä|tapahtum|kumoa',
    minutes: 'min',
    payment: 'maksu|maksa|tilisiir|osto|kort(?:in|ti|illa|ilta)|tapahtum|nosto|saaja',
  },
  hu: {
    secret: 'senki|ne (?:ossza|oszd|adja|add|árulja|mondja|mondd|küldje|továbbít)|soha|bizalmas|titk|titokban',
    unasked:
      'hagyja figyelmen|hagyd figyelmen|figyelmen kívül|nem (?:ön|te|kért|kezdeményez|igényel|próbál|regisztrál|ismer)|tévedés|törölje ezt|nincs (?:további )?teendő|tekintse tárgytalannak',
    undo: 'visszavon|mégse|mégsem|töröl|törlés|letilt|zárol|kijelentkez|kikapcs|megszakít|érvénytelenít|elutasít|nem én|tevékenység|védje|biztonságba',
    minutes: 'perc',
    payment: 'fizet|utal|vásárl|kárty|tranzakci|kifizet|kedvezményezett|terhel',
  },
  cs: {
    secret: 'nikomu|nikdo|nikdy|ne(?:sdíl|sděl|předáv|říkej|posíl|prozraz|poskyt)|tajn|důvěrn',
    unasked:
      'ignoruj|nežádal|nepožádal|nevyžádal|nezadal|jste to (?:ne)?byli|nebyl(?:i|a)? jste|omylem|nedopatřen|smažte|nemusíte nic|nereag|neprovedl|nepokouš',
    undo: 'zrušit|zrušte|zruší|odvolat|odvolejte|odebrat|odeberte|zablok|nahlás|odhlás|vypnout|vypněte|zabezpeč|odmítn|zneplatn|nebyl jsem|aktivit|ukonč|smaz',
    minutes: 'min',
    payment: 'plat(?:b|í[mt]|it)|převod|nákup|kart[ouayě]|transakc|výběr|příjemc|úhrad',
  },
  pl: {
    secret:
      'nikomu|nikt|nigdy|nie (?:udostępn|podawaj|przekazuj|ujawniaj|wysyłaj|dziel|zdradzaj)|poufn|tajn|nie prosim',
    unasked:
      'zignoruj|ignoruj|nie (?:prosi|żąda|zamawia|prób|logow|zleca|wysyła|ty|pan|inicj|rejestr|składa|rozpozna)|przez pomyłkę|omyłk|usuń t[ęe]|nie musisz nic|pomiń',
    undo: 'cofnij|cofnąć|anuluj|unieważn|usuń|zablokuj|zgłoś|wyloguj|wyłącz|zabezpiecz|odrzuć|odwoł|zakończ(?:yć)? (?:wszystkie )?sesj|to nie ja|aktywnoś|zastrze',
    minutes: 'min|kwadrans',
    payment: 'płat|przelew|zakup|kart[aąęy]|transakc|operacj|wypłat|odbiorc|blik',
  },
  ro: {
    secret:
      'nimănui|nimeni|niciodată|nu (?:îl |o |le )?(?:distribui|împărt|comunic|divulg|da|transmit|dezvălui|trimit|spune)|confidențial|secret',
    unasked:
      'ignor|nu (?:ai|ați|tu|dvs|dumneavoastră|recunoa)|din greșeală|șterge|n-ai fost tu|nu ești tu|nu trebuie să faci',
    undo: 'anul|revoc|elimin|bloc|raporta|deconect|protej|securiz|refuz|invalid|nu am fost eu|activitat|dezactiv|încheie (?:toate )?sesiun',
    minutes: 'min',
    payment: 'plat[ăai]|transfer|achizi|cumpăr|card|tranzac|opera[țţ]i|retrage|beneficiar',
  },
  ru: {
    secret:
      'никому|никто|никогда|не (?:сообщ|передав|говор|показыв|отправляй|пересыл|называ|раскрыва|дели|давай)|сотрудник|конфиденциал|секрет|в тайне|nikomu|ne soob',
    unasked:
      'проигнор|игнорир|не (?:запрашив|отправля|дела|вы(?!\\p{L})|регистр|пыта|соверша|инициир|заказыва|просил|обращайте|вход|созда)|по ошибке|случайно|удалите это|ничего делать не|кто-то другой',
    undo: 'отмен|отозв|аннулир|удал|заблок|заверш\\p{L}* (?:все )?(?:сеанс|сесс|сеси|сесі)|выйти|выйд|отключ|защит|отклон|отказ|верн|не я(?!\\p{L})|активност|это не я',
    minutes: 'мин',
    payment: 'оплат|плат[её]ж|перевод|покупк|карт[ауеыо]|транзакц|операци|списани|получател|снятие',
  },
  uk: {
    secret:
      'нікому|ніхто|ніколи|не (?:повідом|переда|каж|говор|показу|надсилай|пересил|назива|розголош|діл|давай)|конфіденц|секрет|таємн',
    unasked:
      'проігнор|ігнор|не (?:запит|надсил|роби|ви(?!\\p{L})|реєстр|намага|здійсн|ініці|замовля|просили|зверта|входили|створю)|помилков|випадково|видаліть цей|нічого робити',
    undo: 'скасу|відклик|анулю|видал|заблок|заверш\\p{L}* (?:все )?(?:сеанс|сесс|сеси|сесі)|вийти|вийд|вимкн|захист|відхил|відмов|поверн|не я(?!\\p{L})|активн(?:ість|ост)',
    minutes: 'хв',
    payment: 'оплат|плат[іе]ж|переказ|покупк|карт[аукиоц]|транзакц|операці|списання|одержувач|зняття',
  },
  bg: {
    secret:
      'никого|никой|никога|не (?:го |я )?(?:споделя|казва|дава|предоставя|препраща|разкрива|изпраща|издава)|поверител|тайна',
    unasked:
      'игнорир|пренебрегн|не сте|не (?:го )?(?:поиск|заяв|вие|бяхте|опит|разпозна)|по погрешка|изтрийте|не е нужно',
    undo: 'отмен|оттегл|анулир|премахн|изтри|блокир|прекрат|излез|изключ|защит|отхвърл|отказ|върн|не съм аз|активност',
    minutes: 'мин',
    payment: 'плащан|превод|покупк|карт[аио]|транзакц|операци|теглене|получател|бенефициент',
  },
  el: {
    secret: 'κανέν|ποτέ|μην? (?:τον |το |την )?(?:μοιρ|κοινοποι|δώσ|δίν|αποκαλύ|προωθ|στείλ|πείτε)|εμπιστευτικ|μυστικ',
    unasked:
      'αγνο[ήε]|δεν (?:το )?(?:ζητήσ|αιτηθ|είστε|ήσασταν|κάνατε|αναγνωρ|ζήτησ|εγγραφ|προσπαθ)|κατά λάθος|διαγράψτε|δεν χρειάζεται να|εκ παραδρομής',
    undo: 'ακύρω|ακυρώ|ανακάλε|ανακαλέ|αφαίρε|αφαιρέ|αποκλει|αποκλεί|αποσύνδε|αποσυνδ|απενεργο|προστατ|απόρρι|απορρί|αναίρε|διαγρά|δραστηριότη|κλείδω',
    minutes: 'λεπτ',
    payment: 'πληρωμ|μεταφορ|αγορ|κάρτα|συναλλαγ|ανάληψ|δικαιούχ|έμβασμα',
  },
  tr: {
    secret: 'kimse|hiç kimse|asla|paylaşm|paylasm|vermeyin|söylemeyin|iletmeyin|gizli|sormaz|istemez',
    unasked:
      'dikkate alma|göz ardı|siz (?:değil|talep|istem|yapma)|talep etme|yapmadıy|yanlışlıkla|bilginiz dışı|silebilir|sen değil|görmezden|istemediyse|herhangi bir işlem yap',
    undo: 'iptal|geri al|kaldır|engelle|kilitle|sonlandır|oturumu kapat|devre dışı|koru|reddet|geçersiz|ben değil|etkinli|hareket(?:ler|i)|güvence|dondur',
    minutes: 'dakika|dk',
    payment: 'ödeme|havale|eft(?!\\p{L})|harcama|alışveriş|kart[ıi]|işlem|para çek|alıcı',
  },
  ...CAUTIONS_OF_ASIA,
}
