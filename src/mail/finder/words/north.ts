import type { LanguageWords } from './language.ts'

/** Languages of Northern and Central Europe in which messages arrive, but in which the site has no texts. */
export const NORTH: Record<string, LanguageWords> = {
  sv: {
    go: 'fortsätt|nästa|öppna|kom igång|starta|börja|klicka här|här|gå till|visa förfrågan',
    user: 'användarnamn|användare|användar-id|inloggningsnamn',
    promo: String.raw`rabatt|kupong|kampanj|presentkort|gåva|vän(?:ner)?(?!\p{L})|poäng|belöning|bonus|licens|serienummer|erbjudande|varukorg|nästa (?:köp|beställning)|lös in`,
    meeting: 'möte|webbinarium|webinar|videosamtal|konferens|intervju|zoom',
    place: String.raw`dörr|port(?:kod|en)(?!\p{L})|grind|wifi|nyckelskåp|larm|garage|parkering|skåp|nätverk|rum(?!\p{L})|entré`,
    pickup: String.raw`hämta|avhämt|utlämn|paket|försändelse|leverans|bud(?!\p{L})|chaufför|ombud|spår|ordernummer|beställning|förar|i kassan|ombud`,
    visit: String.raw`bokning|tid hos|biljett|kö(?!\p{L})|plats(?!\p{L})|ärende|besök|skadenummer|könummer|kölapp|ärende|nummerlapp`,
    done: '(?:är|har) (?:nu |redan )?(?:verifierad|bekräftad|bekräftats|verifierats|aktiverad|aktiverats|klar|slutförd|ändrad|ändrats|skapats|raderats|godkänd)|lyckades|tack för att du (?:bekräft|verifier|aktiver)|allt klart',
    news: 'nyhetsbrev|prenumer|utskick|e-postlista',
    code: 'kod|engångskod|engångslösenord|verifieringskod|säkerhetskod|inloggningskod|bekräftelsekod|tillfälligt lösenord|pinkod|pin|koden|engångspin|siffror|tillfällig kod|startlösenord|nyckel|bekräftelsenummer|verifieringsnummer|åtkomstkod|åtkomstnummer|kontrollkod|sifferkod|engångsnyckel|inloggningsord|inloggningsfras|siffrorna|sifferkod|engångskod|säkerhetsnummer|tillfällig(?:t|a)? (?:lösenord|kod)|startlösenord|pinkod|smskod|kodsekvens|aktiveringsnyckel|temporärt lösenord|initialt lösenord|kontrollnummer|åtkomstnyckel',
    verify:
      'verifier|bekräft|aktiver|slutför (?:din )?registrering|autentiser|legitimer|slutför|fullfölj|godkänn|prenumeration|säkerställ|kontrollera att det|att det är du|slutför|auktoriser|legitimer|signera',
    login:
      'logga in|inlogg|säkerhet|åtkomst|identitet|engångs|registrer|enhet|tvåstegs|logga|inloggning|session|para ihop|konto',
    password: 'lösenord',
    join: 'acceptera inbjudan|gå med|acceptera|tacka ja|visa inbjudan|delta|häng med',
    temporary: 'tillfällig|temporär|engångs|första|start',
    enter:
      'ange(?!\\p{L})|anger(?!\\p{L})|skriv|använd|mata|knappa|fyll|slå in|klistra|kopiera|uppge|manuellt|för hand|annars|knappar|klistra|knappa in|för att fortsätta|skriv in',
    alert:
      'ny inloggning|ny enhet|har (?:precis |nyss )?(?:ändrats|återställts|uppdaterats|bytts)|ovanlig|misstänkt|loggade in',
    yes: 'ja,|det var jag|godkänn|ja(?:!|$)|jag bekräftar|tillåt|det är jag|prenumerera|ja$|stämmer|det stämmer|jag vill|min adress|det är min|acceptera|tacka ja',
    trade:
      'undersökning|bonus|belöning|möte|biljett|rabatt|kampanj|kupong|presentkort|erbjudande|beställning|order|köp|faktura|kvitto|bokning|ärende|spår|paket|leverans|försändelse|hämta|avhämt|utlämning|bud|besök|reklamation|wifi|enkät|tävling|återbetalning|retur|licens|reservkoder|skåp|recept|varukorg|kontoutdrag|offert|ombud|lotteri|abonnemang',
    other:
      'färg|prov(?!\\p{L})|deltagar|kurs|klass|tull|port|dörr|postnummer|riktnummer|lands|qr|streck|fel|kund|medlem|kontonummer|referens|ocr|telefon|tel|ring|fax|kort|slutar|org\\.?nr|version|transaktion|betalning|nummer|nr|anknytning|försäkring|ärende|mätare|personnummer|elev|slutar på|som slutar|kundtjänst|support',
    notMe:
      'inte (?:du|var du)|om det inte var du|skydda ditt konto|känner inte igen|det var inte jag|inte jag|spärra|avvisa|ångra',
    quiet:
      'avprenumerera|avregistrera|inställningar|integritet|villkor|hjälp|support|kontakt|webbläsare|läs mer|ladda ner|butik|rapportera|recens',
    unit: 'minut|timm|dag|dygn|veck|månad|år|sekund|poäng|styck|kronor|kr|person|procent|km',
    care: 'dela (?:aldrig|inte)|giltig|går ut|upphör|ignorera|bortse från|begärde|begärt',
  },
  da: {
    go: 'fortsæt|næste|åbn|kom i gang|start|begynd|klik her|her(?!\\p{L})|gå til|se anmodning',
    user: 'brugernavn|bruger|bruger-id|login-navn',
    promo: String.raw`rabat|kupon|kampagne|gavekort|ven(?:ner)?(?!\p{L})|point|belønning|bonus|licens|serienummer|tilbud|kurv|næste (?:køb|ordre)|indløs`,
    meeting: 'møde|webinar|videoopkald|konference|samtale|zoom',
    place: String.raw`dør|porten(?!\p{L})|wi-?fi|nøgleboks|alarm|garage|parkering|skab|netværk|værelse|opgang|hoveddør|gadedør|opgang|dørkode`,
    pickup: String.raw`afhent|pakke|forsendelse|levering|bud(?!\p{L})|chauffør|pakkeshop|sporing|spor din|ordrenummer|bestilling`,
    visit: String.raw`booking|reservation|aftale|billet|kø(?!\p{L})|sæde|sagsnummer|tid hos|skadenummer|kønummer|sagsnummer|sag \d`,
    done: '(?:er|blev) (?:nu |blevet |allerede )?(?:bekræftet|verificeret|aktiveret|aktiv(?!it)|gennemført|ændret|oprettet|slettet|godkendt|tilknyttet)|lykkedes|tak for (?:din bekræftelse|at bekræfte)|alt er klar',
    news: 'nyhedsbrev|tilmeld|abonn|mailliste',
    code: 'kode|engangskode|engangsadgangskode|bekræftelseskode|sikkerhedskode|loginkode|verifikationskode|midlertidig adgangskode|pinkode|pin|nøgle|koden|engangskoden|sms-kode|pinkoden|engangs-?pin|cifre|adgangskoden|aktiveringskode|startkode|bekræftelsesnummer|verifikationsnummer|adgangskode:|kontrolkode|talkode|engangsnøgle|kontrolnummer|login-?ord|adgangsord|tallene|cifrene|talkode|sikkerhedsnummer|midlertidig (?:kode|adgangskode)|startkode|sms-kode|aktiveringsnøgle|éngangs|engangspassword|adgangsnøgle|sikkerhedsnøgle',
    verify:
      'verificer|bekræft|aktiver|fuldfør (?:din )?(?:registrering|oprettelse)|godkend|fuldfør|afslut|abonnement|verifi|sikre os|at det er dig|færdiggør|gennemfør|autoriser|godkend|legitimer|underskriv',
    login:
      'log_?ind|login|logge ind|sikkerhed|adgang|identitet|engangs|tilmeld|oprettelse|enhed|totrins|logge|log på|session|parre|konto',
    password: 'adgangskode|kodeord',
    join: 'accepter invitation|acceptér invitation|deltag i|accept[eé]r|vis invitation|deltag|sig ja',
    temporary: 'midlertidig|engangs|første|start',
    enter:
      'indtast|brug|skriv|angiv|tast|indsæt|kopi[eé]r|oplys|anvend|manuelt|ellers|i stedet|taster|sæt|indsæt|tast|indtast|skriv|kopi|opgiv|for at fortsætte|udfyld',
    alert:
      'nyt? (?:login|log-in|enhed)|ny enhed|er (?:blevet |netop )?(?:ændret|nulstillet|opdateret)|usædvanlig|mistænkelig',
    yes: 'ja,|det var mig|godkend|ja(?:!|$)|jeg bekræfter|tillad|det er mig|abonn|ja$|det stemmer|det passer|jeg vil|min adresse|det er min|ja tak|acceptér|accepter|tag imod',
    trade:
      'spørgeskema|bonus|præmie|møde|billet|rabat|kampagne|kupon|gavekort|tilbud|bestilling|ordre|køb|faktura|kvittering|booking|reservation|sag|sporing|spor din|pakke|levering|forsendelse|afhentning|afhent|bud|aftale|klage|reklamation|wifi|undersøgelse|konkurrence|refusion|retur|licens|backupkoder|skab|recept|kurv|kontoudtog|tilbudsnummer|pakkeshop|lodtrækning|abonnement(?:snummer)?',
    other:
      'farve|prøve|deltager|kursus|klasse|told|dør|port|postnummer|område|lande|qr|streg|fejl|kunde|medlem|kontonummer|reference|telefon|tlf|ring|fax|kort|ender på|cvr|version|transaktion|betaling|nummer|nr|lokal|postboks|police|sag|måler|cpr|elev|der slutter|slutter på|kundeservice|support',
    notMe:
      'ikke (?:dig|var dig)|hvis det ikke var dig|beskyt din konto|genkender ikke|det var ikke mig|ikke mig|spær|afvis|fortryd',
    quiet:
      'afmeld|frameld|indstillinger|privatliv|vilkår|betingelser|hjælp|support|kontakt|browser|læs mere|hent app|butik|rapport|anmeld(?!ung|en)',
    unit: 'minut|time|dag|døgn|uge|måned|år|sekund|point|stk|kroner|kr|person|procent|km',
    care: 'del (?:aldrig|ikke)|gyldig|udløber|ignorer|se bort fra|anmodet|bedt om',
  },
  no: {
    go: 'fortsett|neste|åpne|kom i gang|start|begynn|klikk her|her(?!\\p{L})|gå til|se forespørsel',
    user: 'brukernavn|bruker|bruker-id|påloggingsnavn',
    promo: String.raw`rabatt|kupong|kampanje|gavekort|venn(?:er)?(?!\p{L})|poeng|belønning|bonus|lisens|serienummer|tilbud|handlekurv|neste (?:kjøp|bestilling)|løs inn`,
    meeting: 'møte|webinar|videosamtale|konferanse|intervju|zoom',
    place: String.raw`dør|porten(?!\p{L})|wi-?fi|nøkkelboks|alarm|garasje|parkering|skap|nettverk|rom(?!\p{L})|inngang|inngangsdør|ytterdør|hovedinngang|dørkode`,
    pickup: String.raw`hent|pakke|sendingen|levering|bud(?!\p{L})|sjåfør|postkontor|sporing|spor din|ordrenummer|bestilling`,
    visit: String.raw`booking|reservasjon|bestilling|time hos|billett|kø(?!\p{L})|sete(?!la)|saksnummer|skadenummer|kønummer|kølapp|saksnummer|sak \d`,
    done: '(?:er|ble) (?:nå |blitt |allerede )?(?:bekreftet|verifisert|aktivert|aktiv(?!it)|fullført|endret|opprettet|slettet|godkjent|koblet)|vellykket|takk for at du bekreft|alt klart',
    news: 'nyhetsbrev|abonn|påmelding|e-postliste',
    code: 'kode|engangskode|engangspassord|bekreftelseskode|sikkerhetskode|innloggingskode|verifiseringskode|påloggingskode|midlertidig passord|pinkode|pin|koden|engangskoden|sms-kode|pinkoden|sifre|aktiveringskode|midlertidig kode|bekreftelsesnummer|verifiseringsnummer|kontrollkode|tallkode|engangsnøkkel|tilgangskode|innloggingsord|påloggingsord|sifrene|tallene|tallkode|sikkerhetsnummer|midlertidig (?:kode|passord)|startpassord|sms-kode|aktiveringsnøkkel|kontrollnummer|tilgangsnøkkel|eingongspassord',
    verify:
      'verifiser|bekreft|aktiver|fullfør (?:registrering|påmelding)|godkjenn|autentiser|fullfør|bekreftelse|abonnement|forsikre oss|at det er deg|fullfør|autoriser|godkjenn|legitimer|signer',
    login:
      'logg(?:e)? (?:deg )?(?:inn|på)|innlogging|pålogging|sikkerhet|tilgang|identitet|engangs|registrer|enhet|totrinn|logge|logg inn|sesjon|pare(?!n)|konto',
    password: 'passord',
    join: 'godta invitasjon|aksepter invitasjon|bli med|godta|vis invitasjon|delta|takk ja',
    temporary: 'midlertidig|engangs|første|start',
    enter:
      'tast|bruk|skriv|angi|oppgi|legg inn|tast inn|lim inn|kopier|manuelt|ellers|i stedet|taster|lim inn|tast|skriv|kopi|oppgi|fyll|for å fortsette|les opp',
    alert:
      'ny pålogging|ny innlogging|ny enhet|er (?:nylig |blitt )?(?:endret|tilbakestilt|oppdatert)|uvanlig|mistenkelig',
    yes: 'ja,|det var meg|godkjenn|ja(?:!|$)|jeg bekrefter|tillat|det er meg|abonner|ja$|stemmer|det stemmer|jeg vil|ja takk|meld meg|min adresse|det er min|godta|aksepter',
    trade:
      'spørreskjema|bonus|premie|møte|billett|rabatt|kampanje|kupong|gavekort|tilbud|bestilling|ordre|kjøp|faktura|kvittering|booking|reservasjon|sak|sporing|spor din|pakke|levering|sendingen|hente|hentekode|henting|utlevering|bud|avtale|time hos|klage|wifi|undersøkelse|konkurranse|refusjon|retur|lisens|reservekoder|skap|resept|handlekurv|kontoutskrift|tilbudsnummer|lotteri|abonnement(?:snummer)?',
    other:
      'farge|prøve|deltaker|kurs|klasse|toll|dør|port|postnummer|retnings|lands|qr|strek|feil|kunde|medlem|kontonummer|referanse|kid|telefon|tlf|ring|faks|kort|slutter på|org\\.?nr|versjon|transaksjon|betaling|nummer|nr|linje|postboks|polise|sak|måler|fødselsnummer|elev|som slutter|ender på|kundeservice|kundesenter',
    notMe:
      'ikke (?:deg|var deg)|hvis det ikke var deg|beskytt kontoen|kjenner ikke igjen|det var ikke meg|ikke meg|sperr|avvis|angre',
    quiet:
      'meld(?: deg)? av|avmeld|innstillinger|personvern|vilkår|hjelp|støtte|kontakt|nettleser|les mer|last ned|butikk|rapporter|vurder',
    unit: 'minutt|time|dag|døgn|uke|måned|år|sekund|poeng|stk|kroner|kr|person|prosent|km',
    care: 'del (?:aldri|ikke)|gyldig|utløper|ignorer|se bort fra|ba om|bedt om',
  },
  fi: {
    go: 'jatka|seuraava|avaa|aloita|klikkaa|napsauta|tästä|siirry|katso pyyntö',
    user: 'käyttäjätunnus|käyttäjänimi|käyttäjä',
    promo:
      'alennus|kuponki|kampanja|lahjakort|lahja|ystäv|piste|palkinto|bonus|lisenssi|sarjanumero|tarjous|ostoskori|seuraava(?:n|sta) tilau|lunasta|alennu|ale(?!\\p{L})|etukoodi|tarjou',
    meeting: 'kokous|webinaari|videopuhelu|konferenssi|haastattelu|zoom|puhelinkokous|kokou|palaver',
    place:
      'ovi|oven|ovikoodi|portti|portin|wifi|wlan|avainsäilö|avainlaatikko|hälyti|autotalli|pysäköin|lokero|verkko|huone',
    pickup:
      'nouto|noud|paketti|lähety|toimitu|lähetti|kuljettaja|automaatti|seuranta|tilausnumero|kuljettaj|kassalla|nouto|nouda',
    visit:
      'ajanvarau|varau|lippu|jono|paikka|asianumero|vahinkonumero|tapaaminen|vuoronumero|jonotus|tapau|asiointinumero',
    done: '(?:on|olet) (?:nyt |jo )?(?:vahvistettu|vahvistanut|aktivoitu|varmennettu|käytössä|valmis|muutettu|vaihdettu|luotu|poistettu|hyväksytty)|onnistui|kiitos vahvistuksesta|kaikki valmista',
    news: 'uutiskir|tilaaja|tilaa |postituslista|uutisia',
    code: 'koodi|vahvistuskoodi|kertakäyttökoodi|kertakäyttöinen salasana|kertakäyttösalasana|turvakoodi|kirjautumiskoodi|tunnusluku|väliaikainen salasana|varmenne|pin-koodi|pin|tunnusluvulla|tunnuslukua|kertakäyttötunn|kertakoodi|vahvistustunn|vahvistusnumero|numerosarja|avainluku|pikakoodi|alkusalasana|vahvistusluku|tarkistuskoodi|pääsykoodi|käyttökoodi|todennuskoodi|tunnuskoodi|numerokoodi|kirjautumissana|kirjautumislause|numerosarja|numerot|tunnusluku|avainluku|turvaluku|vahvistusluku|väliaikainen (?:salasana|koodi)|ensisalasana|tekstiviestikoodi|kertatunnus|vahvistustunnus|tunnussana|kertasalasana|turvatunnus|tilapäinen salasana',
    verify:
      'vahvist|varmist|varmenna|aktivoi|todenna|tunnistaut|viimeistele rekisteröity|viimeistele|hyväksy|tilauksen vahvist|varmistaaksemme|varmista|että se olet|hyväksy|viimeistele|tunnistau|täydennä',
    login:
      'kirjaud|kirjautu|sisään|turvallisuu|pääsy|henkilöllisyy|kertakäyttö|rekisteröi|laite|kaksivaihe|kirjaudu|istunto|yhdistä laite|tili',
    password: 'salasana',
    join: 'hyväksy kutsu|liity|hyväksy|näytä kutsu|osallistu|mukaan',
    temporary: 'väliaikai|tilapäi|kertakäyttö|alku|ensimmäi',
    enter:
      'syötä|anna|käytä|kirjoita|näppäile|liitä|kopioi|ilmoita|käsin|manuaalisesti|muuten|naputtele|naputa|liitä|syötä|näppäile|kirjoita|kopioi|anna|jatka syöttämällä|jatkaaksesi|täytä',
    alert:
      'uusi kirjautuminen|uudelta laitteelta|uusi laite|on (?:juuri )?(?:vaihdettu|muutettu|palautettu|nollattu)|vaihdettiin|epätavalli|epäilyttävä',
    yes: 'kyllä|se olin minä|hyväksy|vahvistan|salli|minä se olin|tilaan|kyllä$|pitää paikkansa|haluan|on minun|osoitteeni|hyväksy',
    trade:
      'lomake|bonus|palkinto|kokous|lippu|alennus|kampanja|kuponki|lahjakort|tarjous|tilaus|osto|lasku|kuitti|varaus|seuranta|paketti|toimitus|lähetys|nouto|kuljetus|lähetti|ajanvaraus|valitus|reklamaatio|wifi|kysely|kilpailu|palautus|hyvitys|lisenssi|varakoodit|lokero|resepti|ostoskori|tiliote|automaatti|arvonta|vakuutus',
    other:
      'joukkue|väri|näyt(?:e(?!\\p{L})|teen)|osallistuja|kurssi|luokka|tulli|ovi|postinumero|suunta|maa|qr|viiva|virhe|asiakas|jäsen|tilinumero|viite|puhelin|puh|soita|faksi|kortti|päättyvä|y-tunnus|versio|tapahtuma|maksu|numero|nro|alanumero|postilokero|vakuutus|asianumero|mittari|henkilötunnus|oppilas|päättyy|päättyvällä|asiakaspalvelu|tukipalvelu',
    notMe:
      'et (?:ollut )?sinä|jos se et ollut|suojaa tilisi|et tunnista|en ollut minä|se en ollut minä|estä|hylkää|peruut',
    quiet:
      'peruuta tilaus|lopeta tilaus|asetukset|tietosuoja|ehdot|ohje|tuki|yhteystiedot|ota yhteyttä|selain|lue lisää|lataa|kauppa|ilmoita|arvio',
    unit: 'minuut|tunti|tunnin|päiv|viikko|viikon|kuukau|vuosi|vuoden|sekun|piste|kappale|kpl|euro|henkilö|prosent|km',
    care: 'älä (?:koskaan )?(?:jaa|kerro|anna)|voimassa|vanhenee|ohita|jätä (?:tämä|viesti)|et pyytänyt',
  },
  hu: {
    go: 'tovább|folytat|következő|megnyit|kezdés|indul|kattints|kattintson|ide(?!\\p{L})|ugrás|kérés megtekint',
    user: 'felhasználónév|felhasználó|belépési név',
    promo: String.raw`kedvezmény|kupon|akció|promóció|ajándék|utalvány|barát|pont(?!\p{L})|jutalom|bónusz|licenc|sorozatszám|ajánlat|kosár|következő (?:vásárlás|rendelés)|bevált`,
    meeting: 'értekezlet|megbeszélés|webinár|videohívás|konferencia|interjú|zoom',
    place: 'ajtó|kapu|wi-?fi|kulcs(?:széf|doboz)|riasztó|garázs|parkol|szekrény|hálózat|szoba',
    pickup: 'átvétel|átvehet|csomag|küldemény|szállít|kézbesít|futár|sofőr|automata|nyomkövet|rendelésszám|rendelés',
    visit: 'időpont|foglalás|jegy|sorszám|ülés|ügyszám|kárszám|sorszám|ügysz|ügyét|ügyet|számú ügy',
    done: '(?:megerősítettük|megerősítve|aktiváltuk|aktiválva|aktív|sikeres|megváltozott|módosítottuk|létrejött|töröltük|jóváhagyva)|sikeresen|köszönjük a megerősítést|minden kész',
    news: 'hírlevél|feliratkoz|levelezőlista',
    code: 'kód|egyszer használatos (?:kód|jelszó)|ellenőrző kód|megerősítő kód|biztonsági kód|belépési kód|ideiglenes jelszó|hitelesítő kód|azonosító kód|pin|jelszava|kódot|kódod|kódja|egyszeri (?:kód|jelszó)|számsor|sms-kód|aktiváló kód|induló jelszó|token|megerősítő szám|azonosítószám|egyszer használatos|belépőkód|hozzáférési kód|jóváhagyó kód|számkód|sms kód|belépő ?szav|számsor|számkód|ideiglenes (?:jelszó|kód)|kezdő jelszó|sms-kód|aláírókód|egyszer használatos|biztonsági szám|azonosító szám|aláíró jelszó|átmeneti jelszó|kezdeti jelszó|második tényező',
    verify:
      'ellenőriz|megerősít|erősítse|erősítsd|aktivál|hitelesít|jóváhagy|véglegesít|fejezze be|fejezd be|igazol|feliratkoz|jóváhagy|hagyja jóvá|jóvá|megbizonyosod|hogy ön az|hogy te vagy|jóváhagy|hitelesít|azonosít|fejezze be|fejezd be|véglegesít',
    login:
      'bejelentkez|belép|biztonság|hozzáfér|személyazonos|egyszer használ|regisztrá|eszköz|kétlépcsős|belépés|lépj be|lépjen be|munkamenet|párosít|fiók',
    password: 'jelszó|jelszav|jelszót|új jelszó',
    join: 'meghívás elfogadása|meghívó elfogadása|csatlakoz|elfogadom|meghívó megnyit|részvétel|csatlakozom',
    temporary: 'ideiglenes|átmeneti|kezdő|egyszer',
    enter:
      'add meg|adja meg|írd be|írja be|használ|üsd be|gépeld|adja|másol|illessz|gépelje|pötyög|kézzel|manuálisan|különben|üsse be|illessze|írja|másol|üsse|pötyög|gépel|beír|a folytatáshoz|az aláíráshoz|begépel|jelentkezzen be ezzel',
    alert: 'új bejelentkezés|új eszköz|megváltozott|megváltoztat|módosítottuk|módosult|szokatlan|gyanús',
    yes: 'igen|én voltam|jóváhagy|megerősítem|feliratkozom|engedélyez|én vagyok|igen$|helyes|szeretném|kérem|ez az én|az én címem|kérem|elfogad',
    trade:
      'felmérés|bónusz|jutalom|értekezlet|megbeszélés|jegy|kedvezmény|akció|kupon|ajándék|ajánlat|rendelés|megrendel|vásárlás|számla|nyugta|foglalás|nyomkövet|csomag|szállít|küldemény|átvétel|futár|időpont|panasz|sorsolás|wifi|reklamáció|kérdőív|nyeremény|visszatérít|visszáru|licenc|tartalék kód|szekrény|recept|kosár|kivonat|árajánlat|automata|biztosítás|előfizet',
    other:
      'csapat|szín|minta|résztvevő|kurzus|tanfolyam|osztály|kapu|irányítószám|körzet|ország|qr|vonal|hiba|ügyfél|tag|számlaszám|hivatkozás|telefon|tel|hívj|fax|kártya|végződő|adószám|cégjegyzék|verzió|tranzakció|fizetés|szám|mellék|postafiók|kötvény|ügyirat|mérő|taj|hallgató|végű|végződik|ügyfélszolgálat',
    notMe:
      'nem (?:ön|te) (?:volt|voltál)|nem ön kezdeményezte|nem te kezdeményezted|védje meg a fiók|nem én voltam|nem én|zárol|letilt|elutasít|visszavon',
    quiet:
      'leiratkoz|beállítások|adatvédel|feltétel|súgó|segítség|ügyfélszolgálat|kapcsolat|böngésző|tovább olvas|letölt|áruház|bolt|jelent|értékel',
    unit: 'perc|óra|órá|nap|hét|hónap|év|másodperc|pont|darab|db|forint|ft|fő|százalék|km',
    care: 'ne ossza meg|ne oszd meg|ne adja|érvényes|lejár|hagyja figyelmen kívül|hagyd figyelmen kívül|nem ön kért|nem te kért',
  },
  cs: {
    go: 'pokračovat|další|otevřít|otevři|začít|spustit|klikněte|klikni|zde|přejít|zobrazit žádost',
    user: 'uživatelské jméno|uživatel|přihlašovací jméno|login(?=\\s?[:：])',
    promo:
      'slev|kup[oó]n|promo|dárk|poukaz|kamarád|přátel|bod[yů]|odměn|bonus|licenc|sériové|nabídk|košík|příští (?:nákup|objednáv)|uplatn',
    meeting: 'schůzk|webinář|videohovor|konferenc|pohovor|zoom',
    place: 'dveř|brán|wi-?fi|schránk[ay] na klíč|alarm|garáž|parkov|skříňk|síť|pokoj|vchod',
    pickup:
      'vyzvedn|výdej|balík|zásilk|doruč|kurýr|řidič|z-box|sledov|objednávk[ay]? č|expedov|řidič|na přepážce|výdej',
    visit:
      'termín|rezervac|vstupenk|jízdenk|pořadov|sedadl|spis|pojistn|návštěv|pořadové číslo|případ|čj\\.|č\\. ?j\\.',
    done: '(?:byl[oaiy]?|je) (?:nyní |již |úspěšně )?(?:ověřen|potvrzen|aktivován|aktivn|dokončen|změněn|vytvořen|smazán|schválen|propojen)|úspěšně|děkujeme za (?:potvrzení|ověření|aktivaci)|hotovo',
    news: 'newsletter|odběr|zpravodaj|novink',
    code: 'kód|kod|jednorázový kód|jednorázové heslo|ověřovací kód|potvrzovací kód|bezpečnostní kód|přihlašovací kód|dočasné heslo|sms klíč|pin|kódem|kódu|heslo (?:pro první|k přihlášení)|jednorázové|číslic|pin kód|klíč|ověřovací číslo|potvrzovací číslo|přístupový kód|autorizační kód|jednorázový klíč|kontrolní kód|číselný kód|přihlašovací (?:slov|fráz)|číslice|číselný|dočasn[éý]|pin(?!\\p{L})|sms kód|heslo na jedno|autorizační (?:číslo|sms)|bezpečnostní číslo|kontrolní čísl|potvrzovací čísl|druhý faktor',
    verify:
      'ověř|potvr[dz]|aktiv(?!it)|dokonč(?:it|ete|i) registraci|autoriz|autentiz|dokončit|dokončete|schval|odběr|ujist|že jste to vy|že jsi to ty|schvál|schval|dokonč|autoriz|podeps|totožnost',
    login:
      'přihl[aá][sš]|bezpečnost|přístup|totožnost|identit|jednoráz|registr|zařízení|dvoufázov|přihlas|přihláš|relac|spárov|účet|vstup',
    password: 'hesl[oaeu]',
    join: 'přijmout pozvánku|připojit se|přijímám|zobrazit pozvánku|zapojit|připojit',
    temporary: 'dočasn|jednorázov|počáteční|prvotní',
    enter:
      'zadej|opiš|použij|vlož|napiš|zapiš|zadat|opište|vyťukej|zkopíruj|uveď|vepiš|ručně|jinak|případně|naťukej|vyťuk|opište|opiš|vložte|vlož|zadej|napiš|přepiš|zkopír|pro pokračování|vyplňte|naťukejte',
    alert:
      'nové přihlášení|nového zařízení|nové zařízení|byl[oa]? (?:právě |úspěšně )?(?:změněn|obnoven|upraven)|neobvykl|podezřel',
    yes: 'ano(?!\\p{L})|byl jsem to já|schválit|ano(?: |!|,|$)|potvrzuji|povolit|jsem to já|odebírat|ano$|souhlasím|sedí|chci|moje adresa|je to moje|chci odebírat|přeji si|přijmout|přijměte',
    trade:
      'průzkum|bonus|odměn|schůzk|vstupen|jízdenk|slev|akce|akční|kupón|kupon|dárk|nabídk|objednáv|nákup|faktur|účtenk|rezervac|sledov|zásilk|balík|doruč|výdej|vyzvednut|kurýr|termín|návštěv|stížnost|reklamac|wifi|dotazník|soutěž|vrácení|licenc|záložní kódy|skříňk|recept|košík|výpis|nabídk[ay] č|losování|předplatn|pojist',
    other:
      'tým|barv|vzork|účastn|kurzu|tříd|celn|uchazeč|dveř|vrat|psč|předvolb|země|qr|čárov|chyb|zákazn|člen|číslo účtu|účet číslo|referen|variabilní|telefon|tel|volejte|fax|kart[ay]|končící|ičo|dič|verz|transakc|platb|čísl[oa]|č\\.|linka|p\\.? ?o\\.? box|pojistk|spis|elektroměr|rodné|student|zakončen|končí|podpory|zákaznick',
    notMe:
      'nejste to vy|to nebyl[ia]? (?:vy|ty)|nebyli jste to vy|zabezpečte|zabezpečit účet|nepoznáváte|nebyl[ao]? jsem to já|to nejsem já|zablok|odmítn|zrušit změnu',
    quiet:
      'odhlásit odběr|odhlásit se z|nastavení|soukrom|podmínk|nápověd|podpor|kontakt|prohlížeč|více informací|číst dále|stáhn|obchod|nahlás|hodnocen',
    unit: 'minut|hodin|den|dní|dny|týden|týdn|měsíc|rok|let|sekund|bod|kus|ks|korun|kč|osob|procent|km',
    care: 'nesdílejte|nesdělujte|nikomu|platn|platí|vyprší|ignorujte|nežádali|nepožádali|nevyžádali',
  },
}
