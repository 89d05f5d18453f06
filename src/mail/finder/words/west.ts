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
    temporary: 'temporary|initial|provisional|first|one[-\\s]?time|start',
    enter: 'enter|use|type|key in|input|quote|insert|paste',
    alert:
      'new (?:sign|log)[-\\s]?(?:in|on)|(?:signed|logged) in (?:from|on|to)|was (?:just |recently )?(?:changed|reset|updated|added|removed|turned|enabled|disabled)|has been (?:changed|reset|updated|added|removed)|you (?:have )?(?:just )?changed|unusual|suspicious|new device|unrecogni',
    yes: 'yes,|yes please|count me in|keep me|sign me up|opt in|that.s me|it was me|it.s me|approve',
    accept: 'accept',
    trade:
      'referral|refer a|friends?|bonus|reward|hotel(?!s)|check_?in|presale|pre_sale|conference call|meeting|webinar|promo|coupon|discount|voucher|gift|offer|sale|purchase|referral|order(?! to)|invoice|receipt|booking|reservation|ticket|case (?:number|id|no)|track|parcel|package|shipment|pick_?up|collect(?:ion)?|deliver|courier|appointment|complaint|claim|queue|raffle|loyalty|wi_?fi',
    other:
      'anti_?phishing|branch|sort|course|class|status|invite|guichet|ape|dial_?in|ride|trip|(?:gate|door|building)(?: access| entry)?|parking|of conduct|conduct|ethics|practice|zip|postal|post_?code|area|country|qr|bar_?code|error|source|dress|tax|customer|member(?:ship)?|account (?:number|no|ending)|reference|ref|phone|tel|call|fax|card|ending in|ending|flight|seat|room|gate|pick_?up|locker|version|model|serial|sku|item|transaction|payment|id',
    notMe:
      '(?:wasn.t|was not|isn.t|not) you|didn.t (?:make|do|change|sign|authori)|did not (?:make|do|change|sign|authori)|don.t recogni|do not recogni|secure (?:your|my) account|review (?:your )?(?:recent )?activity',
    quiet:
      'unsubscri|preferences|manage|privacy|terms|help|support|faq|contact|browser|learn more|read more|download|app store|google play|shop|store|report|cancel|follow us|about us|careers|settings|feedback|survey|review',
    unit: 'min|hour|hr|day|week|month|year|sec|point|item|piece|people|user|follower|view|mile|step|percent|usd|eur|gbp|dollar|credit',
    care: "(?:don.t|do not|never) (?:share|give|disclose|forward|tell)|expires?|expir|valid (?:for|until)|ignore|disregard|did ?n[o']t request|did not (?:request|ask)|never ask|enter (?:this|it|the)|use (?:this|the following)|type (?:this|it)|requested",
  },
  de: {
    code: 'code|kennwort für einmal|einmalpasswort|einmalkennwort|einmalcode|m?tan|sms-tan|pushtan|phototan|pin|bestätigungsnummer',
    verify: 'bestätig|verifizier|aktivier|freischalt|registrierung abschlie|authentifizier',
    login: 'anmeld|einlogg|login|log_in|sicherheit|zugang|zugriff|identität|einmal|registrier|freigabe',
    password: 'passwort|kennwort',
    join: 'einladung annehmen|beitreten|einladung akzeptieren',
    temporary: 'vorläufig|temporär|initial|erst|start|einmal|anfangs|übergang',
    enter: 'gib|geben sie|eingeben|eingabe|nutze|verwende|tippe|trage',
    alert:
      'neue anmeldung|neues gerät|angemeldet (?:von|auf)|wurde (?:gerade |soeben |erfolgreich )?(?:geändert|zurückgesetzt|aktualisiert|hinzugefügt|entfernt)|ungewöhnlich|verdächtig|unbekannte[sn]? gerät',
    yes: 'ja,|ja, |das war ich|ich war|freigeben|genehmigen',
    accept: 'annehmen|teilnehmen',
    trade:
      'freunde|empfehl|bonus|prämie|vorverkauf|eintritt|besprechung|meeting|videokonferenz|rabatt|gutschein|aktion|angebot|bestell|auftrag|rechnung|beleg|buchung|reservierung|ticket|sendung|paket|abhol|liefer|zustell|termin|beschwerde|vorgang|treue|gewinn|wlan',
    other:
      'tür|haustür|postleit|plz|vorwahl|qr|strich|fehler|kunden|mitglied|konto_?(?:nummer|nr)|kontonummer|referenz|telefon|tel|rufnummer|fax|karte|endet auf|vorgang|aktenzeichen|steuer|ust|hrb|version|artikel|vertrag|transaktion|zahlung|nummer|nr',
    notMe:
      'nicht (?:du|sie)|warst du das nicht|waren sie das nicht|nicht von (?:dir|ihnen)|nicht (?:selbst )?(?:veranlasst|vorgenommen|durchgeführt)|konto (?:ab)?sichern|konto schützen|andernfalls',
    quiet:
      'abmeld(?!ung bestät)|abbestell|abbestellen|einstellungen|datenschutz|impressum|agb|hilfe|support|kontakt|browser|online ansehen|mehr erfahren|jetzt shoppen|zum shop|store|melden|bewert',
    unit: 'minute|min|stunde|std|tag|woche|monat|jahr|sekunde|punkt|stück|artikel|euro|eur|uhr|nutzer|prozent|km',
    care: 'gib (?:ihn|diesen|es) niemand|niemals|an niemanden|nicht weiter|gültig|läuft ab|läuft in|verfällt|ignorier|nicht angefordert|angefordert|eingeben|gib (?:diesen|den|folgenden)|geben sie',
  },
  es: {
    code: 'código|codigo|clave|pin|contraseña temporal|contraseña de un solo uso|token',
    verify: 'verific|confirm|activ|valid|autentic|completa(?:r)? (?:tu|el) registro',
    login:
      'inici(?:ar|o|a) (?:de )?sesión|sesión|acceso|acceder|entrar|seguridad|identidad|un solo uso|ingres|registr|dispositivo',
    password: 'contraseña',
    join: 'aceptar (?:la )?invitación|unirme|unirte al',
    temporary: 'temporal|provisional|inicial|de un solo uso',
    enter: 'introduce|introduzca|ingres[ae]|escrib[ae]|teclea|digit[ae]|usa|utilice|utiliza',
    alert:
      'nuevo (?:inicio|acceso|dispositivo)|se (?:ha )?(?:inició|iniciado|cambió|cambiado|modificó|modificado|restableci)|ha(?:s)? (?:sido )?cambiad|fue (?:cambiad|modificad|actualizad)|inusual|sospechos',
    yes: 'sí,|si, quiero|quiero recibir|fui yo|aprobar|autorizar',
    accept: 'aceptar',
    trade:
      'referid|amig[oa]|recompensa|premio|entradas|reunión|videoconf|descuento|promoci|cupón|oferta|regalo|vale de|pedido|orden|compra|factura|recibo|reserva|ticket|seguimiento|rastreo|envío|paquete|guía|recogida|recoger|retiro|entrega|cita|turno|reclamo|reclamación|queja|sorteo|wi_?fi|localizador',
    other:
      'portón|edificio|postal|área|país|qr|barras|error|cliente|socio|cuenta (?:n|termin)|n[úu]mero de (?:cuenta|serie)|referencia|tel[eé]fono|tel|llam|fax|tarjeta|termina(?:da)? en|rfc|cif|nif|vuelo|versión|transacción|pago|folio',
    notMe:
      'no (?:has sido|fuiste|eres|reconoces)|no (?:realizaste|hiciste|solicitaste este cambio)|protege(?:r)? tu cuenta|asegura(?:r)? tu cuenta',
    quiet:
      'darse de baja|darte de baja|cancelar (?:la )?suscripción|preferencias|privacidad|términos|condiciones|ayuda|soporte|contact|navegador|más información|leer más|descarga|tienda|reportar|configuraci|opini',
    unit: 'minuto|min|hora|día|semana|mes|año|segundo|punto|unidad|artículo|euro|peso|usd|eur|persona|por ciento|km',
    care: 'no (?:lo |la )?compart|con nadie|válid|vence|caduca|expira|ignora|omite|no (?:lo )?solicitaste|no (?:lo )?ha solicitado|solicit|introduce|ingresa',
  },
  fr: {
    code: 'code|mot de passe (?:à usage unique|temporaire|provisoire)|pin|numéro de vérification',
    verify: 'vérifi|confirm|activ|valid|authentifi|finalis|terminer (?:mon|votre|l.)(?: )?inscription',
    login: 'connex|connect|sécurit|accès|accéder|identi|usage unique|inscri|appareil',
    password: 'mot de passe',
    join: 'accepter l.invitation|rejoindre',
    temporary: 'temporaire|provisoire|initial|à usage unique',
    enter: 'saisi|entre[rz]|tape[rz]|utilise[rz]|indique[rz]|recopie[rz]|renseigne[rz]',
    alert:
      'nouvelle connexion|nouvel appareil|a (?:bien )?été (?:modifié|changé|réinitialisé|ajouté|supprimé)|inhabituel|suspect',
    yes: 'oui,|oui, je|c.était moi|approuver|je confirme',
    accept: 'accepter',
    trade:
      'parrain|filleul|amis?|billet|prévente|récompense|réunion|visioconf|promo|réduction|remise|cadeau|bon de|offre|avantage|parrain|commande|facture|reçu|réservation|ticket|dossier|suivi|colis|livraison|retrait|livreur|rendez-vous|réclamation|fidélité|tirage|wi_?fi',
    other:
      'bâtiment|immeuble|portail|postal|pays|qr|barres|erreur|client|adhérent|compte n|numéro de compte|référence|réf|téléphone|tél|appel|fax|carte|se terminant|siret|tva|vol|version|transaction|paiement|retrait',
    notMe:
      'n.(?:êtes|étiez|es|était) pas (?:vous|à l.origine)|pas (?:vous|toi)|n.avez pas (?:effectué|fait)|sécuris(?:er|ez) (?:mon|votre) compte',
    quiet:
      'désabonn|désinscri|préférences|confidentialité|conditions|mentions|aide|assistance|contact|navigateur|version en ligne|en savoir plus|lire la suite|télécharg|boutique|signaler|paramètres|avis',
    unit: 'minute|min|heure|jour|semaine|mois|an|année|seconde|point|article|euro|eur|personne|pour cent|km|h',
    care: 'ne (?:le |la )?(?:partagez|communiquez|divulguez|transmettez)|à personne|valable|valide pendant|expire|ignore[rz]|pas demandé|n.êtes pas à l.origine|saisi|entrez',
  },
  it: {
    code: 'codice|otp|pin|password (?:temporanea|monouso|usa e getta)',
    verify: 'verific|conferm|attiv|convalid|autentic|completa(?:re)? la registrazione',
    login: 'acced|accesso|login|sicurezza|identità|monouso|registr|entra',
    password: 'password',
    join: 'accetta(?:re)? l.invito|unisciti',
    temporary: 'temporane|provvisori|inizial|monouso',
    enter: 'inserisc|inserir|digit|us[ai]|utilizz|immett',
    alert:
      'nuovo accesso|nuovo dispositivo|è stat[oa] (?:modificat|cambiat|reimpostat|aggiornat|aggiunt)|insolit|sospett',
    yes: 'sì,|sono stat|approva|autorizza',
    accept: 'accetta',
    trade:
      'amic[oi]|premio|premi|hotel|riunione|videoconf|sconto|promo|coupon|buono|offerta|regalo|ordine|fattura|ricevuta|scontrino|prenotazione|biglietto|pratica|tracciamento|tracking|spedizione|pacco|ritiro|consegna|corriere|appuntamento|reclamo|spedizion|concorso|wi_?fi|prenotazion',
    other:
      'portone|cancello|postale|cap|paese|qr|barre|errore|cliente|tessera|conto n|riferimento|rif|telefono|tel|chiam|fax|carta|termina(?:nte)? con|fiscale|p\\. ?iva|partita|volo|versione|transazione|pagamento|ritiro',
    notMe:
      'non (?:sei|eri|è) stat[oa]|non sei tu|non hai (?:effettuato|richiesto questa modifica)|proteggi il tuo account',
    quiet:
      'disiscri|annulla(?:re)? l.iscrizione|cancella(?:rti)? dalla|preferenze|privacy|termini|condizioni|aiuto|assistenza|contatt|browser|scopri di più|leggi|scarica|negozio|segnala|impostazioni|recension',
    unit: 'minut|min|or[ae]|giorn|settiman|mes[ei]|ann[oi]|second|punt|articol|euro|eur|pezz|person|per cento|km',
    care: 'non (?:condivider|comunicar|rivelar)|nessuno|valido|scade|scadrà|ignora|non hai richiesto|non ha richiesto|inserisci|inserire',
  },
  pt: {
    code: 'código|codigo|senha (?:temporária|provisória|de uso único)|token|pin',
    verify: 'verific|confirm|ativ|valid|autentic|conclu(?:a|ir) (?:o|seu) cadastro',
    login: 'login|entrar|iniciar sessão|acesso|acess|segurança|identidade|uso único|cadastr|regist|dispositivo',
    password: 'senha|palavra-passe',
    join: 'aceitar (?:o )?convite|participar d',
    temporary: 'temporári|provisóri|inicial|de uso único',
    enter: 'insira|inserir|digit[ea]|introduz|us[ea]|utilize|informe',
    alert:
      'novo (?:acesso|login|dispositivo|início)|foi (?:alterad|redefinid|atualizad|adicionad|removid|trocad)|acab(?:ou|a) de ser|incomum|suspeit',
    yes: 'sim,|fui eu|aprovar|autorizar|quero receber',
    accept: 'aceitar',
    trade:
      'indicaç|indique|amig[oa]|prêmio|recompensa|ingresso|reunião|videoconf|desconto|promo|cupom|cupão|oferta|presente|vale|pedido|encomenda|compra|fatura|nota fiscal|recibo|reserva|bilhete|protocolo|chamado|rastre|envio|pacote|retirada|levantamento|entrega|consulta|agendament|reclamação|fidelidade|sorteio|wi_?fi|instalação|boleto',
    other:
      'portão|postal|cep|país|qr|barras|erro|cliente|sócio|conta n|referência|telefone|tel|lig|fax|cartão|final|cpf|cnpj|nif|voo|versão|transação|pagamento|retirada',
    notMe:
      'não (?:foi você|foste tu|foi o senhor|reconhece|fez|realizou)|proteja (?:a )?sua conta|proteger (?:a )?(?:minha )?conta',
    quiet:
      'cancelar (?:a )?(?:inscrição|assinatura|subscrição)|descadastr|preferências|privacidade|termos|condições|ajuda|suporte|contato|contacto|navegador|saiba mais|leia|baix|loja|denunci|configura|avali',
    unit: 'minuto|min|hora|dia|semana|mês|meses|ano|segundo|ponto|unidade|item|itens|real|reais|euro|pessoa|por cento|km',
    care: 'não (?:o |a )?(?:compartilh|partilh|divulg|forne)|ninguém|válid|expira|vence|ignor|não (?:solicitou|pediu|fez)|insira|digite|introduza',
  },
  nl: {
    code: 'code|eenmalig wachtwoord|pin|tan',
    verify: 'verifi|bevestig|activ|valid|registratie (?:te )?voltooi|aanmelding afrond',
    login: 'inlog|aanmeld|login|log in|beveilig|veilig|toegang|identiteit|eenmalig|registr',
    password: 'wachtwoord',
    join: 'uitnodiging accepteren|word lid',
    temporary: 'tijdelijk|voorlopig|eenmalig|eerste|start',
    enter: 'voer|vul|typ|gebruik|toets',
    alert:
      'nieuwe (?:aanmelding|inlog|login)|nieuw apparaat|ingelogd (?:op|vanaf|met)|is (?:zojuist )?(?:gewijzigd|veranderd|aangepast|gereset)|ongebruikelijk|verdacht',
    yes: 'ja,|dat was ik|ik was het|goedkeuren|toestaan',
    accept: 'accepteren',
    trade:
      'vriend|beloning|punten|vergadering|korting|actie|cadeau|aanbieding|tegoed|bestel|order|factuur|kassabon|boeking|reserver|ticket|zending|pakket|track|afhaal|ophaal|bezorg|koerier|afspraak|klacht|melding|bestelling|wifi',
    other:
      'deur|poort|postcode|land|qr|streep|fout|klant|lid|rekening(?:nummer)|referentie|kenmerk|telefoon|tel|bel|fax|kaart|eindigend|kvk|btw|versie|transactie|betaling|afhaal',
    notMe: 'niet (?:jij|u)|was jij dit niet|bent u dit niet|niet zelf|beveilig je account',
    quiet:
      'afmeld|uitschrijv|voorkeuren|privacy|voorwaarden|hulp|support|contact|browser|meer (?:info|lezen)|lees meer|download|winkel|meld|instellingen|beoorde',
    unit: 'minu|min|uur|uren|dag|week|weken|maand|jaar|seconde|punt|stuk|artikel|euro|eur|person|procent|km',
    care: 'deel (?:deze|dit|hem)|met niemand|nooit|geldig|verloopt|vervalt|negeer|niet (?:zelf )?aangevraagd|niet om gevraagd|voer (?:deze|dit)|vul (?:deze|dit)',
  },
}
