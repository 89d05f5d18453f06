import type { LanguageWords } from './language.ts'

/** English and the languages of western Europe. */
export const WEST: Record<string, LanguageWords> = {
  en: {
    code: 'code|passcode|otp|pin|one_time password|one_time passcode|temporary password|verification number',
    verify: 'verif|confirm|activat|validat|authenticat|complete (?:your )?(?:registration|sign_?up)|finish signing up',
    login:
      'log_?in|sign_?in|signing in|security|access|identity|one_time|2_step|two_step|two_factor|2fa|mfa|magic link|sign_?up|regist|new device|unlock',
    password: 'password',
    join: 'accept (?:the )?invit|join (?:the )?(?:team|workspace|group|organi[sz]ation)|accept and join',
    trade:
      'bonus|reward|hotel(?!s)|check_?in|presale|pre_sale|conference call|meeting|webinar|promo|coupon|discount|voucher|gift|offer|sale|purchase|referral|order(?! to)|invoice|receipt|booking|reservation|ticket|case (?:number|id|no)|track|parcel|package|shipment',
    other:
      'branch|sort|course|class|status|invite|guichet|ape|dial_?in|ride|trip|(?:gate|door|building)(?: access| entry)?|parking|of conduct|conduct|ethics|practice|zip|postal|post_?code|area|country|qr|bar_?code|error|source|dress|tax|customer|member(?:ship)?|account (?:number|no|ending)|reference|ref|phone|tel|call|fax|card|ending in|ending|flight|seat|room|gate|pick_?up|locker|version|model|serial|sku|item|transaction|payment|id',
    notMe:
      '(?:wasn.t|was not|isn.t|not) you|didn.t (?:make|do|change|sign|authori)|did not (?:make|do|change|sign|authori)|don.t recogni|do not recogni|secure (?:your|my) account|review (?:your )?(?:recent )?activity',
    quiet:
      'unsubscri|preferences|manage|privacy|terms|help|support|faq|contact|browser|learn more|read more|download|app store|google play|shop|store|report|cancel|follow us|about us|careers|settings|feedback|survey|review',
    unit: 'min|hour|hr|day|week|month|year|sec|point|item|piece|people|user|follower|view|mile|step|percent|usd|eur|gbp|dollar|credit',
  },
  de: {
    code: 'code|kennwort für einmal|einmalpasswort|einmalkennwort|einmalcode|m?tan|sms-tan|pushtan|phototan|pin|bestätigungsnummer',
    verify: 'bestätig|verifizier|aktivier|freischalt|registrierung abschlie|authentifizier',
    login: 'anmeld|einlogg|login|log_in|sicherheit|zugang|zugriff|identität|einmal|registrier|freigabe',
    password: 'passwort|kennwort',
    join: 'einladung annehmen|beitreten|einladung akzeptieren',
    trade:
      'bonus|prämie|vorverkauf|eintritt|besprechung|meeting|videokonferenz|rabatt|gutschein|aktion|angebot|bestell|auftrag|rechnung|beleg|buchung|reservierung|ticket|sendung|paket',
    other:
      'tür|haustür|postleit|plz|vorwahl|qr|strich|fehler|kunden|mitglied|konto_?(?:nummer|nr)|kontonummer|referenz|telefon|tel|rufnummer|fax|karte|endet auf|vorgang|aktenzeichen|steuer|ust|hrb|version|artikel|vertrag|transaktion|zahlung|nummer|nr',
    notMe:
      'nicht (?:du|sie)|warst du das nicht|waren sie das nicht|nicht von (?:dir|ihnen)|nicht (?:selbst )?(?:veranlasst|vorgenommen|durchgeführt)|konto (?:ab)?sichern|konto schützen|andernfalls',
    quiet:
      'abmeld(?!ung bestät)|abbestell|abbestellen|einstellungen|datenschutz|impressum|agb|hilfe|support|kontakt|browser|online ansehen|mehr erfahren|jetzt shoppen|zum shop|store|melden|bewert',
    unit: 'minute|min|stunde|std|tag|woche|monat|jahr|sekunde|punkt|stück|artikel|euro|eur|uhr|nutzer|prozent|km',
  },
  es: {
    code: 'código|codigo|clave|pin|contraseña temporal|contraseña de un solo uso|token',
    verify: 'verific|confirm|activ|valid|autentic|completa(?:r)? (?:tu|el) registro',
    login:
      'inici(?:ar|o|a) (?:de )?sesión|sesión|acceso|acceder|entrar|seguridad|identidad|un solo uso|ingres|registr|dispositivo',
    password: 'contraseña',
    join: 'aceptar (?:la )?invitación|unirme|unirte al',
    trade:
      'recompensa|premio|entradas|reunión|videoconf|descuento|promoci|cupón|oferta|regalo|vale de|pedido|orden|compra|factura|recibo|reserva|ticket|seguimiento|rastreo|envío|paquete|guía',
    other:
      'portón|edificio|postal|área|país|qr|barras|error|cliente|socio|cuenta (?:n|termin)|n[úu]mero de (?:cuenta|serie)|referencia|tel[eé]fono|tel|llam|fax|tarjeta|termina(?:da)? en|rfc|cif|nif|vuelo|versión|transacción|pago|folio',
    notMe:
      'no (?:has sido|fuiste|eres|reconoces)|no (?:realizaste|hiciste|solicitaste este cambio)|protege(?:r)? tu cuenta|asegura(?:r)? tu cuenta',
    quiet:
      'darse de baja|darte de baja|cancelar (?:la )?suscripción|preferencias|privacidad|términos|condiciones|ayuda|soporte|contact|navegador|más información|leer más|descarga|tienda|reportar|configuraci|opini',
    unit: 'minuto|min|hora|día|semana|mes|año|segundo|punto|unidad|artículo|euro|peso|usd|eur|persona|por ciento|km',
  },
  fr: {
    code: 'code|mot de passe (?:à usage unique|temporaire|provisoire)|pin|numéro de vérification',
    verify: 'vérifi|confirm|activ|valid|authentifi|finalis|terminer (?:mon|votre|l.)(?: )?inscription',
    login: 'connex|connect|sécurit|accès|accéder|identi|usage unique|inscri|appareil',
    password: 'mot de passe',
    join: 'accepter l.invitation|rejoindre',
    trade:
      'billet|prévente|récompense|réunion|visioconf|promo|réduction|remise|cadeau|bon de|offre|avantage|parrain|commande|facture|reçu|réservation|ticket|dossier|suivi|colis|livraison',
    other:
      'bâtiment|immeuble|portail|postal|pays|qr|barres|erreur|client|adhérent|compte n|numéro de compte|référence|réf|téléphone|tél|appel|fax|carte|se terminant|siret|tva|vol|version|transaction|paiement|retrait',
    notMe:
      'n.(?:êtes|étiez|es|était) pas (?:vous|à l.origine)|pas (?:vous|toi)|n.avez pas (?:effectué|fait)|sécuris(?:er|ez) (?:mon|votre) compte',
    quiet:
      'désabonn|désinscri|préférences|confidentialité|conditions|mentions|aide|assistance|contact|navigateur|version en ligne|en savoir plus|lire la suite|télécharg|boutique|signaler|paramètres|avis',
    unit: 'minute|min|heure|jour|semaine|mois|an|année|seconde|point|article|euro|eur|personne|pour cent|km|h',
  },
  it: {
    code: 'codice|otp|pin|password (?:temporanea|monouso|usa e getta)',
    verify: 'verific|conferm|attiv|convalid|autentic|completa(?:re)? la registrazione',
    login: 'acced|accesso|login|sicurezza|identità|monouso|registr|entra',
    password: 'password',
    join: 'accetta(?:re)? l.invito|unisciti',
    trade:
      'premio|premi|hotel|riunione|videoconf|sconto|promo|coupon|buono|offerta|regalo|ordine|fattura|ricevuta|scontrino|prenotazione|biglietto|pratica|tracciamento|tracking|spedizione|pacco',
    other:
      'portone|cancello|postale|cap|paese|qr|barre|errore|cliente|tessera|conto n|riferimento|rif|telefono|tel|chiam|fax|carta|termina(?:nte)? con|fiscale|p\\. ?iva|partita|volo|versione|transazione|pagamento|ritiro',
    notMe:
      'non (?:sei|eri|è) stat[oa]|non sei tu|non hai (?:effettuato|richiesto questa modifica)|proteggi il tuo account',
    quiet:
      'disiscri|annulla(?:re)? l.iscrizione|cancella(?:rti)? dalla|preferenze|privacy|termini|condizioni|aiuto|assistenza|contatt|browser|scopri di più|leggi|scarica|negozio|segnala|impostazioni|recension',
    unit: 'minut|min|or[ae]|giorn|settiman|mes[ei]|ann[oi]|second|punt|articol|euro|eur|pezz|person|per cento|km',
  },
  pt: {
    code: 'código|codigo|senha (?:temporária|provisória|de uso único)|token|pin',
    verify: 'verific|confirm|ativ|valid|autentic|conclu(?:a|ir) (?:o|seu) cadastro',
    login: 'login|entrar|iniciar sessão|acesso|acess|segurança|identidade|uso único|cadastr|regist|dispositivo',
    password: 'senha|palavra-passe',
    join: 'aceitar (?:o )?convite|participar d',
    trade:
      'prêmio|recompensa|ingresso|reunião|videoconf|desconto|promo|cupom|cupão|oferta|presente|vale|pedido|encomenda|compra|fatura|nota fiscal|recibo|reserva|bilhete|protocolo|chamado|rastre|envio|pacote',
    other:
      'portão|postal|cep|país|qr|barras|erro|cliente|sócio|conta n|referência|telefone|tel|lig|fax|cartão|final|cpf|cnpj|nif|voo|versão|transação|pagamento|retirada',
    notMe:
      'não (?:foi você|foste tu|foi o senhor|reconhece|fez|realizou)|proteja (?:a )?sua conta|proteger (?:a )?(?:minha )?conta',
    quiet:
      'cancelar (?:a )?(?:inscrição|assinatura|subscrição)|descadastr|preferências|privacidade|termos|condições|ajuda|suporte|contato|contacto|navegador|saiba mais|leia|baix|loja|denunci|configura|avali',
    unit: 'minuto|min|hora|dia|semana|mês|meses|ano|segundo|ponto|unidade|item|itens|real|reais|euro|pessoa|por cento|km',
  },
  nl: {
    code: 'code|eenmalig wachtwoord|pin|tan',
    verify: 'verifi|bevestig|activ|valid|registratie (?:te )?voltooi|aanmelding afrond',
    login: 'inlog|aanmeld|login|log in|beveilig|veilig|toegang|identiteit|eenmalig|registr',
    password: 'wachtwoord',
    join: 'uitnodiging accepteren|word lid',
    trade:
      'beloning|punten|vergadering|korting|actie|cadeau|aanbieding|tegoed|bestel|order|factuur|kassabon|boeking|reserver|ticket|zending|pakket|track',
    other:
      'deur|poort|postcode|land|qr|streep|fout|klant|lid|rekening(?:nummer)|referentie|kenmerk|telefoon|tel|bel|fax|kaart|eindigend|kvk|btw|versie|transactie|betaling|afhaal',
    notMe: 'niet (?:jij|u)|was jij dit niet|bent u dit niet|niet zelf|beveilig je account',
    quiet:
      'afmeld|uitschrijv|voorkeuren|privacy|voorwaarden|hulp|support|contact|browser|meer (?:info|lezen)|lees meer|download|winkel|meld|instellingen|beoorde',
    unit: 'minu|min|uur|uren|dag|week|weken|maand|jaar|seconde|punt|stuk|artikel|euro|eur|person|procent|km',
  },
}
