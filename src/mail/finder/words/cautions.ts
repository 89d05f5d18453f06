import { CAUTIONS_OF_ASIA } from './cautions-asia.ts'
import type { Cautions } from './language.ts'

/** Words beside codes and links, for each language. */
export const CAUTIONS: Record<string, Cautions> = {
  en: {
    secret:
      '(?:don.t|do not|never|not be|please don.t) (?:share|give|disclose|forward|tell|reveal|send|pass|read it)|with anyone|to anyone|anybody|nobody|no one|will (?:never|not) (?:ask|call|phone|ring)|never ask|to yourself|your eyes|keep it (?:secret|private|safe)|not even',
    unasked:
      'ignore this|disregard|(?:didn.t|did not|haven.t|have not|don.t|never) (?:you )?(?:just )?(?:request|ask|make|start|try|initiat|sign up|register|expect|want)|(?:wasn.t|was not|isn.t|not) you|not requested|if it wasn|by mistake|in error|someone else|safely ignore|delete this',
    undo: 'undo|cancel|revok|revert|remov|unlink|invalidat|void(?!\\p{L})|abort|stop(?!\\p{L})|lock(?!e|s)|freez|suspend|end (?:all |the )?session|terminat|kill|sign (?:me |you )?out|log (?:me |you )?out|turn (?:it |this )?off|disabl|deactivat|discard|withdraw|report (?:it|this|un)|block|refus|reject|declin|deny|disavow|dispute|secure (?:my|your|the|this) |protect (?:my|your|the|this) |not me(?!\\p{L})|wasn.t me|review (?:your )?(?:recent |account )?activity|check activity|activity|deletion|delete (?:my |your |the |this )?(?:account|data|profile)|close (?:my |your )?account|erase|wipe(?! out)|closure',
    minutes: 'min',
    payment:
      'payment|transaction|transfer|purchase|(?:credit|debit|your) card|card ending|beneficiary|payee|withdraw|top_?up|pay(?!\\p{L})|spend|merchant|bank account',
    old: 'old(?!\\p{L})|older(?!\\p{L}| than)|earlier(?!\\p{L}| than| today)|previous|former(?:ly)?(?!\\p{L})|prior (?:code|link|pass|pin|one|mess|mail|email|version)|no longer (?:works|working|valid(?! after)|active|usable|accepted)|expired(?!\\p{L})|replaced(?!\\p{L})|superseded|out_of_date|outdated|obsolete|(?:already (?:been )?used|used already|stopped working)',
    account: 'e_?mail|mail address|inbox|mailbox|account|registration|sign_?up(?!\\p{L})|profile|identity|membership',
  },
  de: {
    secret:
      'niemand|niemals weiter|nicht weiter(?:geben|sagen|leiten)|an (?:keine|niemand)|keinem|vertraulich|geheim|fragen (?:dich |sie )?nie|werden (?:sie|dich) nie|nicht mitteilen|für sich',
    unasked:
      'ignorier|nicht angefordert|nicht (?:von (?:dir|ihnen)|selbst)|nicht (?:du|sie)(?!\\p{L})|nichts angefordert|versehentlich|irrtümlich|nicht veranlasst|nicht angemeldet|gegenstandslos|einfach löschen|betrachten sie diese|nicht beantragt|haben sie (?:sich )?(?:nicht|kein)',
    undo: 'abbrech|abbruch|rückgängig|widerruf|zurückzieh|zurücknehm|entfern|sperr(?:en|e)|beend|stornier|ungültig|sichern|absichern|schützen|melden sie (?:es|dies)|ablehn|nicht ich|aktivität|abgemeld|löschung|konto löschen|kündig|löschen',
    minutes: 'min|viertelstunde',
    payment:
      'zahl(?:ung|en)|überweis|transaktion|kreditkarte|debitkarte|karte(?!\\p{L})|auszahl|abbuch|einkauf|kartenz|lastschrift|empfänger|onlinebanking|bank(?:verbindung|konto|daten)|auszahlung',
    old: 'alt(?:en|em|es)(?!\\p{L})|alte[r]? \\p{L}*(?:code|link|schlüssel|pin|tan|wort|mail|nachricht|version|sms)|d(?:as|er|ie) alte(?!\\p{L})|früher|vorherig|vorig|bisherig|vorangegangen|ehemalig|veraltet|abgelaufen|nicht mehr (?:gültig|gilt|gelten|funktion|verwendbar|aktiv|nutzbar)|(?:gilt|gelten|funktioniert|funktionieren) nicht mehr|(?:wurde|wurden|ist) (?:inzwischen |bereits |durch .{0,30})?ersetzt|ersetzt (?:wurde|worden)|(?:bereits|schon) (?:einmal )?(?:verwendet|benutzt|genutzt|eingelöst)',
    account: 'e_?mail|mail_?adress|konto|account|registrier|profil|postfach|identität|mitgliedschaft|anmeldung',
  },
  es: {
    secret:
      'con nadie|a nadie|nadie|no (?:lo |la |los )?(?:compart|reve|divulg|des|dé|digas|diga|facilit|proporcion|reenv)|jamás|nunca (?:te |le )?(?:pedi|solicit|llam)|confidencial|secreto',
    unasked:
      'ignor|omit|haz caso omiso|haga caso omiso|no (?:lo |la )?(?:solicit|pedist|pidi|hiciste|hizo|realiz|has sido|fuiste|fue usted|reconoc|ha solicitado|has solicitado)|si no (?:eres|fuiste|has)|por error|desestim|elimina este|no tienes que hacer',
    undo: 'cancel|revoc|elimin|quitar|bloque|anul|deshac|reporta|denunci|desactiv|cerrar (?:todas )?(?:las |la )?sesi|proteg|asegur|rechaz|no fui|no he sido|invalid|actividad|eliminación|baja de|borrar|borrado|cierre',
    minutes: 'min',
    payment: 'pago|pagar|transferencia|compra|tarjeta|transacci|operaci|retiro|beneficiari|cargo|banc|bancari',
    old: 'antigu[oa]s?(?!\\p{L})|viej[oa]s?(?!\\p{L})|anterior(?!idad)|previ(?:o|os|as)(?!\\p{L})|previamente|ya no (?:es válid|son válid|funcion|sirve|está|vale|tiene valid)|caducad[oa]|caducó|caducaron|vencid[oa]|venció|expirad[oa]|expiró|reemplazad[oa]|sustituid[oa]|obsolet|desactualizad|ya (?:se ha |ha sido |fue |se )?(?:usad|utilizad|usó|utilizó)',
    account: 'correo|e_?mail|cuenta|registro|perfil|identidad|buzón|inscripción',
  },
  fr: {
    secret:
      'à personne|personne ne|ne (?:le |la |les )?(?:partag|communiqu|divulgu|transmet|donn|transfér|dit)|jamais|confidentiel|secret',
    unasked:
      'ignor|pas (?:demandé|à l.origine|initié|effectué|fait cette|sollicité|vous)|pas été demand|ne pas tenir compte|par erreur|supprimer ce|n.est pas vous|ne tenez pas compte',
    undo: 'annul|révoqu|supprim|retir|bloqu|signal|désactiv|mettre fin|mettez fin|déconnect|sécuris|protég|refus|invalid|ce n.est pas moi|pas moi|activité|dénonc|suppression|clôtur|ferm(?:er|eture)|résili',
    minutes: 'min|quart d.heure',
    payment: 'paiement|payer|virement|achat|carte|transaction|opération|bénéficiaire|retrait|débit|bancaire',
    old: 'ancien(?:s|ne|nes)?(?!\\p{L})|précédent|antérieur|(?:n.est|ne sont) plus (?:valable|valide|acti|utilisable|en vigueur)|ne (?:fonctionne|marche)(?:nt)? plus|(?:a|ont|est|sont|a déjà) expiré|expirée|expirés(?!\\p{L})|remplacée?s?(?: par|(?=[.,!;]))|a été remplacé|ont été remplacé|obsolète|périmé|caduc|déjà (?:été )?(?:utilisé|servi)',
    account: 'e_?mail|courriel|compte|inscription|profil|identité',
  },
  it: {
    secret:
      'a nessuno|con nessuno|nessuno|non (?:lo |la )?(?:condivid|comunic|rivel|divulg|inoltr|dare|darlo|fornir)|mai |riservat|segret',
    unasked:
      'ignora|non (?:hai|ha|avete) (?:richiesto|chiesto|effettuato|fatto|tentato)|non sei (?:stat|tu)|non è stat|per errore|cestina|elimina questa|puoi ignorare',
    undo: 'annull|revoc|rimuov|blocc|segnal|disattiv|termina(?:re)? (?:tutte )?l|disconnet|protegg|rifiut|invalid|non sono (?:stato )?io|attività|elimina|cancellazione|eliminazione|elimin|chiud|chiusura',
    minutes: 'min|quarto d.ora',
    payment: 'pagament|pagare|bonifico|acquisto|carta|transazion|operazion|beneficiari|prelievo|addebito|bancari|iban',
    old: 'vecchi[oae]?(?!\\p{L})|precedent|anterior[ei](?!\\p{L})|scadut[oaie](?!\\p{L})|non (?:è|sono) più (?:valid|attiv|utilizz|in uso)|non (?:funziona|vale|valgono)(?:no)? più|non più (?:valid|attiv|utilizz)|sostituit[oaie](?!\\p{L})|obsolet|superat[oaie] da|già (?:stat[oaie] )?(?:usat|utilizzat)',
    account: 'e_?mail|casella|account|registrazione|profilo|identità|iscrizione',
  },
  pt: {
    secret:
      'a ninguém|com ninguém|ninguém|não (?:o |a |os )?(?:compartilh|partilh|divulg|forneç|pass|inform|revel|reencaminh|encaminh|diga|mostr|repass)|nunca|confidencial|segredo|sigil',
    unasked:
      'ignor|desconsider|não (?:foi você|solicit|pediu|pediste|fez|fizeste|reconhece|tentou|tiver|realiz|se cadastr|efetuou)|por engano|por erro|elimine este|apague est',
    undo: 'cancel|revog|remov|bloque|anul|denunci|desativ|encerr|desfa|proteg|recus|termin(?:e|ar) (?:as |a )?sess|invalid|não fui eu|atividade|atividade|apag|exclusão|excluir (?:a |minha )?conta|exclu(?:ir|a)|apagar|exclus[ãa]o',
    minutes: 'min',
    payment:
      'pagament|pagar|transferência|compra|cartão|transaç|operaç|beneficiári|saque|débito|pix(?!\\p{L})|mb_?way|banc|bancári',
    old: 'antig[oa]s?(?!\\p{L})|velh[oa]s?(?!\\p{L})|anterior(?!idade)|expirad[oa]|expirou|expiraram|vencid[oa]|venceu|caducad|caducou|já não (?:é válid|são válid|está|funcion|serve|vale)|não (?:é|são|está|estão) mais (?:válid|ativ)|não funcionam? mais|não vale mais|deixou de (?:ser válid|funcion)|substituíd|desatualizad|obsolet|já (?:foi |foram )?(?:usad|utilizad)',
    account: 'e_?mail|cadastro|registro|registo|perfil|identidade|inscrição|contas?(?!\\p{L})',
  },
  nl: {
    secret:
      'met niemand|aan niemand|niemand|deel (?:deze|dit|hem|nooit|je|uw)|nooit|niet delen|geef (?:deze|dit|hem|nooit)|geheim|vertrouwelijk|niet door',
    unasked:
      'negeer|niet (?:zelf )?(?:aangevraagd|gevraagd|geprobeerd|gedaan)|niet om gevraagd|niet (?:jij|u)(?!\\p{L})|per ongeluk|vergissing|niets te doen|geen (?:actie|account aangemaakt)|verwijder (?:deze|dit)',
    undo: 'annuleer|annuleren|intrek|trek in|verwijder|blokkeer|blokkeren|beëindig|ongedaan|uitschakel|beveilig|weiger|ongeldig|terugdraai|ik was het niet|activiteit|melden|verwijdering|opzeg|sluit (?:mijn|je|uw) account|sluiten(?!\\p{L})|sluiting',
    minutes: 'min|kwartier',
    payment:
      'betaal|betaling|overboek|overschrijv|aankoop|creditcard|pas(?!\\p{L})|betaalpas|transactie|opname|begunstigde|ideal|bankrekening|rekening',
    old: 'oude?(?!\\p{L})|oudere (?:code|link|wacht|mail|e-?mail|bericht)|vorige?(?!\\p{L})|eerdere?(?!\\p{L})|vroeger|voorgaand|voormalig|(?:is|zijn) (?:inmiddels |al |helaas |reeds )?verlopen|verlopen (?:code|link|wacht|sessie)|niet (?:meer|langer) (?:geldig|werk|actief|bruikb)|(?:werkt|werken|geldt|gelden) niet meer|(?:is|zijn) (?:inmiddels )?vervangen|vervangen door|verouderd|achterhaald|(?:al|reeds) (?:een keer |eens )?gebruikt',
    account: 'e_?mail|mailadres|account|registratie|profiel|identiteit|inschrijving|aanmelding',
  },
  sv: {
    secret:
      'dela (?:aldrig|inte|den inte)|med någon|till någon|ingen(?!\\p{L})|aldrig|lämna (?:inte|aldrig)|ge (?:inte|aldrig|den inte)|hemlig|vidarebefordra inte|uppge aldrig',
    unasked:
      'ignorera|bortse|inte (?:begär|bett|försök|du|själv|gjort|känner|registrer)|av misstag|strunta|radera|kasta|inte var du|inget behöver',
    undo: 'ångra|avbryt|återkalla|ta bort|spärra|logga ut|skydda|avvisa|neka|ogiltig|inte jag|aktivitet|avsluta (?:alla )?sess|radering|radera konto|radera|avsluta|uppsäg|borttag|avslut',
    minutes: 'min|kvart',
    payment:
      'betal|överför|köp(?!\\p{L})|köpet|kort(?:et)?(?!\\p{L})|transaktion|uttag|mottagare|swish|bankkonto|utbetalning',
    old: 'gaml[ae](?!\\p{L})|gammalt?(?!\\p{L})|tidigare|föregående|förra (?:kod|länk|lösen|pin|meddel|mejl|mail)|gått ut(?!\\p{L})|inte längre (?:giltig|fungera|gäll|aktiv)|(?:fungerar|gäller) inte (?:längre|mer)|(?:slutat|upphört att) (?:gälla|fungera)|ersatte?s?(?!\\p{L})|föråldra|inaktuell|utgången (?:kod|länk)|redan (?:har )?(?:blivit )?använ[dt]',
    account: 'e_?post|mejl|konto|registrering|profil|identitet',
  },
  da: {
    secret:
      'del (?:aldrig|ikke|den)|med nogen|til nogen|ingen(?!\\p{L})|aldrig|giv (?:aldrig|ikke|den)|hemmelig|videresend ikke|oplys aldrig',
    unasked:
      'ignorer|se bort fra|ikke (?:anmodet|bedt|dig|selv|forsøgt|oprettet|har bestilt|kender)|ved en fejl|slet (?:blot|bare|denne)|du behøver ikke',
    undo: 'fortryd|annuller|tilbagekald|fjern|spær|log (?:alle )?ud|beskyt|afvis|ugyldig|ikke mig|aktivitet|afslut (?:alle )?sess|stop(?!\\p{L})|sletning|slet konto|slet|luk |lukning|nedlæg|opsig',
    minutes: 'min|kvarter',
    payment: 'betal|overfør|køb|kort(?:et)?(?!\\p{L})|transaktion|hævning|modtager|mobilepay|bankkonto|udbetaling',
    old: 'gam(?:mel|le|melt)(?!\\p{L})|tidligere|forrige|foregående|udløbet(?!\\p{L})|udløbne|ikke længere (?:gyld|gæld|virk|fung|aktiv)|(?:virker|gælder|fungerer|dur) ikke (?:længere|mere)|erstattet(?!\\p{L})|afløst|forælde|allerede (?:blevet )?brugt',
    account: 'e_?mail|mailadresse|konto|registrering|profil|identitet|tilmelding',
  },
  no: {
    secret:
      'del (?:aldri|ikke|den)|med noen|til noen|ingen(?!\\p{L})|aldri|gi (?:aldri|ikke|den)|hemmelig|ikke videresend|ikke oppgi',
    unasked:
      'ignorer|se bort fra|overse|ikke (?:ba|bedt|deg|selv|forsøkt|har bestilt|kjenner|prøvde)|ved en feil|slett|trenger du ikke',
    undo: 'angre|avbryt|trekk tilbake|fjern|sperr|logg (?:alle )?ut|beskytt|sikre|avvis|ugyldig|ikke meg|aktivitet|avslutt (?:alle )?(?:økt|sesj)|sletting|slett konto|slett|avslutt',
    minutes: 'min|kvarter',
    payment: 'betal|overfør|kjøp|kort(?:et)?(?!\\p{L})|transaksjon|uttak|mottaker|vipps|bankkonto|utbetaling',
    old: 'gam(?:mel|le|melt)(?!\\p{L})|tidligere|forrige|foregående|utløpt|utgått|gått ut(?!\\p{L})|ikk(?:e|je) lenger (?:gyld|gjeld|virk|fung|aktiv)|(?:virker|gjelder|fungerer) ikke (?:lenger|mer)|erstattet(?!\\p{L})|foreldet|utdatert|allerede (?:blitt )?brukt|brukt allerede',
    account: 'e_?post|konto|registrering|profil|identitet',
  },
  fi: {
    secret:
      'kenellekään|kenenkään|kukaan|älä (?:koskaan )?(?:jaa|kerro|anna|paljasta|luovuta|lähetä)|koskaan|ei koskaan|luottamuksellinen|salassa',
    unasked:
      'jätä (?:tämä|viesti)|ohita|et (?:ole )?(?:pyytänyt|itse|yrittänyt|tehnyt|tilannut)|sinä et|vahingossa|erehdy|poista tämä|et se ollut|voit (?:jättää|poistaa)|ei tarvitse',
    undo: 'peruut|peru (?:pyyntö|muutos)|poista|estä(?!\\p{L})|lukitse|kirjaa? (?:kaikki )?ulos|suojaa|hylkää|mitätöi|en ollut minä|tapahtum|kumoa|poisto|poist|sulje|sulkemi',
    minutes: 'min',
    payment: 'maksu|maksa|tilisiir|osto|kort(?:in|ti|illa|ilta)|tapahtum|nosto|saaja|pankkitili|pankki',
    old: 'vanha(?:a|n|t|sta|an|lla|ssa|ksi|na)?(?!\\p{L})|vanhoj|vanhentun[ue]|aiempi|aiempa|aiemm|aikaisem|edelli(?:nen|sen|stä|set|si)|edeltä[vn]|entinen|entise|entisi|(?:ei|eivät) (?:ole enää voimassa|enää (?:ole voimassa|toimi|kelpaa|päde)|(?:toimi|kelpaa|päde) enää)|umpeutun[ue]|rauennut|korvattu|korvautun[ue]|jo käytet',
    account:
      'sähköposti|tili(?:n|si|ni|ä|t|äsi|äni|nne|änne)?(?!\\p{L})|käyttäjätili|rekisteröity|profiili|henkilöllisyy|jäseny',
  },
  hu: {
    secret: 'senki|ne (?:ossza|oszd|adja|add|árulja|mondja|mondd|küldje|továbbít)|soha|bizalmas|titk|titokban',
    unasked:
      'hagyja figyelmen|hagyd figyelmen|figyelmen kívül|nem (?:ön|te|kért|kezdeményez|igényel|próbál|regisztrál|ismer)|tévedés|törölje ezt|nincs (?:további )?teendő|tekintse tárgytalannak',
    undo: 'visszavon|mégse|mégsem|töröl|törlés|letilt|zárol|kijelentkez|kikapcs|megszakít|érvénytelenít|elutasít|nem én|tevékenység|védje|biztonságba|törlés|törl|megszünt|lezár',
    minutes: 'perc',
    payment: 'fizet|utal|vásárl|kárty|tranzakci|kifizet|kedvezményezett|terhel|bank',
    old: 'régi(?:t|ek|eket|nek|vel|ket)?(?!\\p{L})|régebb|korább|előző|lejárt(?:ak)?(?!\\p{L})|(?:már|többé) nem (?:érvény|működ|használ|él(?!\\p{L})|jó(?!\\p{L}))|nem (?:érvényes|működik|használható) (?:már|többé)|érvényét veszt(?:ett|i)|elévült|elavult|lecserélt|felváltott|helyébe (?:új )?.{0,14}lépett|már (?:fel)?használt(?:ák|a)?(?!\\p{L})',
    account: 'e_?mail|fiók|regisztráci|profil|személyazonoss|címed|címét',
  },
  cs: {
    secret: 'nikomu|nikdo|nikdy|ne(?:sdíl|sděl|předáv|říkej|posíl|prozraz|poskyt)|tajn|důvěrn',
    unasked:
      'ignoruj|nežádal|nepožádal|nevyžádal|nezadal|jste to (?:ne)?byli|nebyl(?:i|a)? jste|omylem|nedopatřen|smažte|nemusíte nic|nereag|neprovedl|nepokouš',
    undo: 'zrušit|zrušte|zruší|odvolat|odvolejte|odebrat|odeberte|zablok|nahlás|odhlás|vypnout|vypněte|zabezpeč|odmítn|zneplatn|nebyl jsem|aktivit|ukonč|smaz|smazání|zrušení účtu|odstran|zruš|výmaz|uzavřen',
    minutes: 'min',
    payment: 'plat(?:b|í[mt]|it)|převod|nákup|kart[ouayě]|transakc|výběr|příjemc|úhrad|bank',
    old: 'star(?:ý|á|ého|ému|ém|ou|ší|ších|šího)(?!\\p{L})|staré \\p{L}*(?:hesl|kód|odkaz|př)|předchoz|předešl|dřívějš|dříve (?:zasla|posla|vydan|odesl)|bývalý|bývalé|prošlý|vyprše?l[aoiy]?(?!\\p{L})|expiroval|(?:již|už) ne(?:plat|funguj|ní platn|jsou platn|ní aktiv)|neplatí již|(?:přestal[aoy]?|pozbyl[aoy]?) (?:plati|platn|fungovat)|nahrazen|zastaral|neaktuáln|(?:již|už) (?:byl[aoy]? )?použit',
    account: 'e_?mail|účet|účt|registrac|profil|totožnost|schránk',
  },
  pl: {
    secret:
      'nikomu|nikt|nigdy|nie (?:udostępn|podawaj|przekazuj|ujawniaj|wysyłaj|dziel|zdradzaj)|poufn|tajn|nie prosim',
    unasked:
      'zignoruj|ignoruj|nie (?:prosi|żąda|zamawia|prób|logow|zleca|wysyła|ty|pan|inicj|rejestr|składa|rozpozna)|przez pomyłkę|omyłk|usuń t[ęe]|nie musisz nic|pomiń',
    undo: 'cofnij|cofnąć|anuluj|unieważn|usuń|zablokuj|zgłoś|wyloguj|wyłącz|zabezpiecz|odrzuć|odwoł|zakończ(?:yć)? (?:wszystkie )?sesj|to nie ja|aktywnoś|zastrze|usunięci|usunię|zamkn|skasow|skasuj|likwidac',
    minutes: 'min|kwadrans',
    payment: 'płat|przelew|zakup|kart[aąęy]|transakc|operacj|wypłat|odbiorc|blik|bank',
    old: 'star(?:y|ego|ej|ym|ą|ych|ymi|emu|szy|sze|szych)(?!\\p{L})|star[ea] (?:has|kod|link|wiad|pin)|poprzedni|wcześniejsz|wcześniej (?:wysłan|otrzyman|wygen)|dawn(?:y|e|a|ego|ych)(?!\\p{L})|wygasł|przeterminowan|nieaktualn|przestarza|już nie (?:jest ważn|jest akt|działa|są ważn|obowią)|nie (?:działa|działają|jest|są|obowiązuje) już|u?tracił[aoy]? ważność|unieważnion|zastąpion|już (?:został\\p{L}* |był[aoy]? )?(?:użyt|wykorzysta)|został\\p{L}* już (?:użyt|wykorzysta)',
    account: 'e_?mail|kont[oa](?!\\p{L})|rejestracj|profil|tożsamoś|poczt|skrzynk',
  },
  ro: {
    secret:
      'nimănui|nimeni|niciodată|nu (?:îl |o |le )?(?:distribui|împărt|comunic|divulg|da|transmit|dezvălui|trimit|spune)|confidențial|secret',
    unasked:
      'ignor|nu (?:ai|ați|tu|dvs|dumneavoastră|recunoa)|din greșeală|șterge|n-ai fost tu|nu ești tu|nu trebuie să faci',
    undo: 'anul|revoc|elimin|bloc|raporta|deconect|protej|securiz|refuz|invalid|nu am fost eu|activitat|dezactiv|încheie (?:toate )?sesiun|ștergere|șterg|ştergere|închide',
    minutes: 'min',
    payment: 'plat[ăai]|transfer|achizi|cumpăr|card|tranzac|opera[țţ]i|retrage|beneficiar|banc|iban',
    old: 'vech(?:i|e|ile|ea|iul|iului|ii|ia)(?!\\p{L})|anterior|precedent|expirat|nu mai (?:este|e|sunt) (?:valabil|valid|activ)|nu mai (?:func[țţt]ionea|merg)|înlocuit|învechit|perimat|deja (?:a fost )?(?:folosit|utilizat)|fost deja (?:folosit|utilizat)',
    account: 'e_?mail|cont(?:ul|ului)?(?!\\p{L})|înregistr|profil|identitat',
  },
  ru: {
    secret:
      'никому|никто|никогда|не (?:сообщ|передав|говор|показыв|отправляй|пересыл|называ|раскрыва|дели|давай)|сотрудник|конфиденциал|секрет|в тайне|nikomu|ne soob',
    unasked:
      'проигнор|игнорир|не (?:запрашив|отправля|дела|вы(?!\\p{L})|регистр|пыта|соверша|инициир|заказыва|просил|обращайте|вход|созда)|по ошибке|случайно|удалите это|ничего делать не|кто-то другой',
    undo: 'отмен|отозв|аннулир|удал|заблок|заверш\\p{L}* (?:все )?(?:сеанс|сесс|сеси|сесі)|выйти|выйд|отключ|защит|отклон|отказ|верн|не я(?!\\p{L})|активност|это не я',
    minutes: 'мин',
    payment:
      'оплат|плат[её]ж|перевод|покупк|карт[ауеыо]|транзакц|операци|списани|получател|снятие|счёт|счет(?!\\p{L})|банк(?!ет)',
    old: 'стар(?:ый|ая|ое|ые|ого|ой|ому|ую|ым|ых|ыми|ом)(?!\\p{L})|предыдущ|прежн(?:ий|яя|ее|ие|его|их|юю|ей|им)(?!\\p{L})|бывш|ранее(?!\\p{L})|более ранн|устаре(?:л|вш)|просрочен|ист[её]к(?:ла|ли|ло|ший|шая|шее|шие|шего|шей|ших)?(?!\\p{L})|(?:больше|уже|более) не ?(?:действ|работ|актив|актуал)|утрати(?:л|в)|перестал[аио]? (?:действ|работ)|замен[её]н[аоы]?(?!\\p{L})|уже (?:был[аои]? )?использ(?:ован|овал)',
    account: 'e_?mail|аккаунт|учетн|учётн|регистрац|профил|личност|почт(?:а|у|ы|ой|е|овый|ового)(?!\\p{L})',
  },
  uk: {
    secret:
      'нікому|ніхто|ніколи|не (?:повідом|переда|каж|говор|показу|надсилай|пересил|назива|розголош|діл|давай)|конфіденц|секрет|таємн',
    unasked:
      'проігнор|ігнор|не (?:запит|надсил|роби|ви(?!\\p{L})|реєстр|намага|здійсн|ініці|замовля|просили|зверта|входили|створю)|помилков|випадково|видаліть цей|нічого робити',
    undo: 'скасу|відклик|анулю|видал|заблок|заверш\\p{L}* (?:все )?(?:сеанс|сесс|сеси|сесі)|вийти|вийд|вимкн|захист|відхил|відмов|поверн|не я(?!\\p{L})|активн(?:ість|ост)|видалення',
    minutes: 'хв',
    payment: 'оплат|плат[іе]ж|переказ|покупк|карт[аукиоц]|транзакц|операці|списання|одержувач|зняття|банк(?!ет)',
    old: 'стар(?:ий|а|е|і|ого|ому|ої|им|их|у|ою|ими)(?!\\p{L})|попередн(?:ій|я|є|і|ього|ьому|ьої|ю)|колишн|раніше|раніш(?:ий|ні|ній)|застаріл|прострочен|протермінован|(?:більше|вже|уже) не (?:дійсн|ді[юєя]|прац|актив|чинн)|більше недійсн|втрати(?:в|ла|ли|ло) чинність|(?:термін|строк) (?:його |її |їх )?дії .{0,30}(?:минув|закінчився|сплив|вичерпано|завершився)|закінчився (?:термін|строк)|замінен(?:о|ий|а|е|і)(?!\\p{L})|(?:вже|уже) (?:було |був |була )?використан',
    account: 'e_?mail|пошт|акаунт|обліков|реєстрац|профіл|особу',
  },
  bg: {
    secret:
      'никого|никой|никога|не (?:го |я )?(?:споделя|казва|дава|предоставя|препраща|разкрива|изпраща|издава)|поверител|тайна',
    unasked:
      'игнорир|пренебрегн|не сте|не (?:го )?(?:поиск|заяв|вие|бяхте|опит|разпозна)|по погрешка|изтрийте|не е нужно',
    undo: 'отмен|оттегл|анулир|премахн|изтри|блокир|прекрат|излез|изключ|защит|отхвърл|отказ|върн|не съм аз|активност',
    minutes: 'мин',
    payment: 'плащан|превод|покупк|карт[аио]|транзакц|операци|теглене|получател|бенефициент|изтегляне|банк(?!ет)',
    old: 'стар(?:ия|ият|ата|ото|ите|и)?(?!\\p{L})|предишн|предходн|по-?(?:стар|ранн|рано изпрат)|бивш|изтек(?:ъл|ла|ло|ли|лия|лата|лият)(?!\\p{L})|вече не (?:е (?:валид|актив)|са (?:валид|актив)|важ|работ|действ)|не (?:важи|работи|е валид\\p{L}+) вече|заменен|подменен|остар(?:ял|ел)|неактуал|вече (?:е |са |беше )?(?:бил[аои]? )?използван',
    account: 'e_?mail|имейл|поща|профил|акаунт|регистрац|самоличност',
  },
  el: {
    secret: 'κανέν|ποτέ|μην? (?:τον |το |την )?(?:μοιρ|κοινοποι|δώσ|δίν|αποκαλύ|προωθ|στείλ|πείτε)|εμπιστευτικ|μυστικ',
    unasked:
      'αγνο[ήε]|δεν (?:το )?(?:ζητήσ|αιτηθ|είστε|ήσασταν|κάνατε|αναγνωρ|ζήτησ|εγγραφ|προσπαθ)|κατά λάθος|διαγράψτε|δεν χρειάζεται να|εκ παραδρομής',
    undo: 'ακύρω|ακυρώ|ανακάλε|ανακαλέ|αφαίρε|αφαιρέ|αποκλει|αποκλεί|αποσύνδε|αποσυνδ|απενεργο|προστατ|απόρρι|απορρί|αναίρε|διαγρά|δραστηριότη|κλείδω|διαγραφή λογαριασμού|διαγραφ|κλείσιμο',
    minutes: 'λεπτ',
    payment: 'πληρωμ|μεταφορ|αγορ|κάρτα|συναλλαγ|ανάληψ|δικαιούχ|έμβασμα|τραπεζ',
    old: 'παλι(?:[άα]|[όο]|[έε]|[ώω]|ο[ύυίι])|παλαι[όοάαέεώω]|προηγο[ύυ]μεν|πρ[ώω]ην|[έε]χ(?:ει|ουν) (?:ήδη )?λ[ήη]ξει|[έε]ληξ[εα]|ληγμ[έε]ν|δεν (?:ισχ[ύυ]|λειτουργ|δουλε)\\p{L}+ (?:πλ[έε]ον|πια)|δεν ε[ίι]ναι (?:πλ[έε]ον|πια) (?:[έε]γκυρ|ενεργ|σε ισχ)|πλ[έε]ον δεν (?:ισχ|λειτουργ|ε[ίι]ναι [έε]γκυρ)|αντικαταστ[άα]θηκ|αντικατασταθε[ίι]|απαρχαιωμ|ξεπερασμ[έε]ν|[ήη]δη χρησιμοποιη',
    account: 'e_?mail|λογαριασμ|εγγραφ|προφίλ|ταυτότητ',
  },
  tr: {
    secret: 'kimse|hiç kimse|asla|paylaşm|paylasm|vermeyin|söylemeyin|iletmeyin|gizli|sormaz|istemez',
    unasked:
      'dikkate alma|göz ardı|siz (?:değil|talep|istem|yapma)|talep etme|yapmadıy|yanlışlıkla|bilginiz dışı|silebilir|sen değil|görmezden|istemediyse|herhangi bir işlem yap',
    undo: 'iptal|geri al|kaldır|engelle|kilitle|sonlandır|oturumu kapat|devre dışı|koru|reddet|geçersiz|ben değil|etkinli|hareket(?:ler|i)|güvence|dondur|silme|hesab(?:ı|ımı) sil|sil(?:me|in|iniz)?(?!\\p{L})|silmeyi|kapat',
    minutes: 'dakika|dk',
    payment: 'ödeme|havale|eft(?!\\p{L})|harcama|alışveriş|kart[ıi]|işlem|para çek|alıcı|banka|iban',
    old: 'eski(?!\\p{L}*[şs]eh)|önceki|evvelki|daha önce (?:gönder|kullan|ilet|al[ıd])|süresi (?:dol(?:du|mu[şs]|an)|geç(?:ti|mi[şs]|en)|bitti|bitmi[şs]|sona er(?:di|mi[şs]))|art[ıi]k (?:geçerli de|geçersiz|geçmiyor|çalışm|kullanılam|kullanılm)|geçerliliğini (?:yitir(?:di|mi)|kaybet(?:ti|mi))|geçerliliği kalma|güncelliğini yitir|yenisiyle değiş|yerini yeni|zaten kullan[ıi]l|kullan[ıi]lm[ıi][şs](?!\\p{L})',
    account: 'e_?posta|hesab|hesap|üyeli|kayıt|profil|kimli|kayd(?:ı|ol)',
  },
  ...CAUTIONS_OF_ASIA,
}
