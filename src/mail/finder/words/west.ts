import type { LanguageWords } from './language.ts'

/** English and the languages of western Europe. */
export const WEST: Record<string, LanguageWords> = {
  en: {
    go: 'continue|next|proceed|open (?!in)|get started|start|click here|click to|tap|let.s go|go to|take me|this link|here|finish|view request|review request|see request',
    user: 'user ?name|user(?: id)?|login name|login id|login:|user:|account name|handle',
    promo: String.raw`promo|coupon|discount|voucher|gift_?card|gift code|referral|refer a|invite (?:a |your )?friend|cash_?back|rewards?(?!\p{L})|bonus|giveaway|sale(?!\p{L})|% off|loyalty|points|licen[cs]e key|serial|product key|redeem|promotion|friends? (?:get|both|use)|first order|next order|checkout`,
    meeting:
      'meeting|webinar|conference|dial_?in|zoom|video call|join (?:the |by )?(?:call|meeting|phone)|passcode for the call|interview|livestream',
    place:
      '(?:front|main|back|the|your|garage|room) door|door (?:code|key|lock|pin|access|opens?)|gate (?:code|pin)|the gate|wi_?fi|key_?safe|key_?box|lock_?box|alarm|garage|building|parking|entrance|locker|hotspot|ssid|check_?in(?!g)',
    pickup:
      'pick_?up|parcel|package|deliver|courier|driver|rider|shipment|collect(?!ion agency)|locker|track|shipped|order (?:number|no|id)|show (?:this|the|your) .{0,20}counter|at the counter|tell (?:the|your) driver|hand over',
    visit:
      'appointment|booking|reservation|ticket|queue|boarding|seat|table for|case number|claim number|reference|claim no|place in (?:the )?queue|your turn|party of|check-in opens|confirmation number for your (?:stay|trip|visit)',
    done: '(?:is|are|was|were|has been|have been|now|successfully|already) (?:now |been |successfully )?(?:verified|confirmed|activated|active|complete|enabled|approved|turned on|turned off|changed|updated|reset|linked|created|closed|deleted)|you.re (?:in|all set|verified|confirmed)|all set|thanks for (?:confirming|verifying|activating)|welcome aboard|successful',
    news: 'newsletter|subscri|mailing list|bulletin|digest|weekly|daily brief|sign you up',
    code: 'code|passcode|otp|pin(?!\\p{L})|pins(?!\\p{L})|one_time password|one_time passcode|temporary password|verification number|secret number|security number|one_time key|login key|sign_in key|verification key|one_time number|token(?!s)|access number|confirmation number|authori[sz]ation number|authentication number|approval number|security digits|secret code|verification digits|sign_in number|login number|temporary pin|one_off (?:code|password)|single_use (?:code|password)|passkey number|throwaway code|sign_?in (?:words?|phrase)|log_?in (?:words?|phrase)|magic (?:words?|phrase)|one_time pin|entry number|(?:four|five|six|seven|eight|[4-8])[- ](?:digit|character) (?:number|sequence|key)|digits below|numbers? below|characters below|initial pin|start(?:ing|er)? password|dynamic password|unlock (?:number|key)|approval key|release number|access key|second factor',
    verify:
      'verif|confirm|activat|validat|authenticat|complete (?:your )?(?:registration|sign_?up)|finish signing up|finish (?:setting up|creating|your (?:registration|sign_up))|set up (?:your |my )?(?:account|login)|claim (?:your |my )?account|finali[sz]e|complete (?:your )?(?:account|profile|set_?up|subscription)|confirm it|double_check|prove|make sure it.s (?:really )?you|check (?:that )?it.s (?:really )?you|approve|authori[sz]|finish (?:your )?(?:account|registration|sign)|know it.s you|is yours|belongs to you',
    login:
      'log_?in|sign_?in|signing in|security|access|identity|one_time|2_step|two_step|two_factor|2fa|mfa|magic link|sign_?up|regist|new device|unlock|log you in|let you in|get you in|get back in|pair|link (?:your |the )?(?:device|tv)|session|open (?:your |my )?account|get in(?! touch)|let me in',
    password: 'password|passphrase|temp(?:orary)? pwd|pwd|passwd',
    join: 'accept (?:the )?invit|join (?:the )?(?:team|workspace|group|organi[sz]ation)|accept and join|join (?:now|them|us|in|for free)|accept (?:and|&|invite|request|your invit)|(?:view|open|see|review) (?:the |your |my )?invit|join (?:the |our |your |this )?(?:board|space|project|family|class|channel|server|call list|club|community|workspace|crew|plan|household)|see the invit',
    temporary:
      'temporary|initial|provisional|first|one[-\\s]?time|start|temp(?!\\p{L})|starter|default|generated|auto_?generated',
    enter:
      'enter|use|type|key in|input|insert|paste|put|pop|punch|submit|fill in|copy|provide|tap in|supply|punch in|manually|by hand|fallback|fall back|alternatively|instead|to continue|to sign(?! in| up| out)|tell the app',
    alert:
      'new (?:sign|log)[-\\s]?(?:in|on)|(?:signed|logged) in (?:from|on|to)|was (?:just |recently )?(?:changed|reset|updated|added|removed|turned|enabled|disabled)|has been (?:changed|reset|updated|added|removed)|you (?:have )?(?:just )?changed|unusual|suspicious|new device|unrecogni',
    yes: 'yes,|yes please|count me in|keep me|sign me up|opt in|that.s me|it was me|it.s me|approve|this was me|i did|i confirm|yes,? i|let me in|allow|i recogni[sz]e|looks good|confirm it.s me|subscribe|yes$|yes!|it is me|i want|i.m in|sounds good|approve sign_?in|confirm|that.s right|it.s mine|that.s mine|yep|yeah|sure, |this is my|my (?:email|address)|accept(?!abl|anc)',
    trade:
      'questionnaire|referral|refer a|friends?|bonus|reward|hotel(?!s)|check_?in|presale|pre_sale|conference call|meeting|webinar|promo|coupon|discount|voucher|gift|offer|sale|purchase|referral|order(?! to)|invoice|receipt|booking|reservation|ticket|case (?:number|id|no)|track|parcel|package|shipment|pick_?up|collect(?:ion)?|deliver|courier|appointment|complaint|claim|queue|raffle|loyalty|wi_?fi|survey|quiz|contest|prize|sweepstake|refund|rma|licen[cs]e key|product key|activation key|backup codes?|recovery codes?|warranty|boarding|itinerary|prescription|refer|basket|cart|checkout|locker|payout|renewal|statement|balance|quote|estimate|expense|newsletter(?! sub)',
    other:
      'team(?!\\p{L})|colou?r|paint|sample|specimen|participant|customs|tariff|hs(?!\\p{L})|candidate|anti_?phishing|branch|sort|course|class|status|invite|guichet|ape|dial_?in|ride|trip|(?:gate|door|building)(?: access| entry)?|parking|of conduct|conduct|ethics|practice|zip|postal|post_?code|area|country|qr|bar_?code|error|source|dress|tax|customer|member(?:ship)?|account (?:number|no|ending)|reference|ref|phone|tel|call|fax|card|ending in|ending|flight|seat|room|gate|pick_?up|locker|version|model|serial|sku|item|transaction|payment|id|extension|ext|hotline|suite|box|registration n|registered|company n|vat|incident|application|policy|meter|supply|passport|employee|student|apt|batch|lot|support|caller|customer service|helpline|help_?desk',
    notMe:
      '(?:wasn.t|was not|isn.t|not) you|didn.t (?:make|do|change|sign|authori)|did not (?:make|do|change|sign|authori)|don.t recogni|do not recogni|secure (?:your|my) account|review (?:your )?(?:recent )?activity|not me|wasn.t me|i didn.t|lock (?:the |my |your )?account|no, |freeze|undo',
    quiet:
      'unsubscri|preferences|manage|privacy|terms|help|support|faq|contact|browser|learn more|read more|download|app store|google play|shop|store|report|cancel|follow us|about us|careers|settings|feedback|survey|review|how it works|why am i|visit|website|blog|facebook|instagram|linkedin|youtube|android|iphone|ios|view online|view in|guidelines|community|see (?:all|more)|what.s new',
    unit: 'min|hour|hr|day|week|month|year|sec|point|item|piece|people|user|follower|view|mile|step|percent|usd|eur|gbp|dollar|credit',
    care: "(?:don.t|do not|never) (?:share|give|disclose|forward|tell)|expires?|expir|valid (?:for|until)|ignore|disregard|did ?n[o']t request|did not (?:request|ask)|never ask|enter (?:this|it|the)|use (?:this|the following)|type (?:this|it)|requested|one use|only once|keep (?:it|this) (?:to yourself|private|secret|safe)|did not (?:make|start)|didn.t (?:ask|start|make)|good for|works for|lasts|runs out|for your eyes|not be shared|never share|do not reply with|will never ask|works? (?:only )?once|good until|for (?:the next )?\\d+ ?min|within \\d+ min|you didn.t ask|not requested|confidential",
  },
  de: {
    go: 'weiter|fortfahren|öffnen|loslegen|los geht|starten|hier klicken|klick hier|zur app|anfrage (?:prüfen|ansehen)|hier|jetzt',
    user: 'benutzer(?:name|kennung)?|anmeldename|login-name|nutzername|kennung|matrikelnummer',
    promo:
      'rabatt|gutschein|coupon|aktionscode|promo|geschenk|werben|prämie|bonus|punkte|cashback|treue|einlös|lizenz|seriennummer|produktschlüssel|freunde|sale|nächste bestellung|warenkorb|vorteil',
    meeting: 'besprechung|meeting|webinar|konferenz|videoanruf|einwahl|teilnehmen|zoom|vorstellungsgespräch',
    place: String.raw`tür|tor(?!\p{L})|wlan|wi_?fi|schlüssel(?:safe|box|kasten)|alarm|garage|parkplatz|eingang|schließfach|hotspot|hoftor|zimmer|haustür|wohnungstür|eingangstür|hoftür|haustor|türcode|zugangscode zum haus|wohnung`,
    pickup:
      'abhol|paket|sendung|liefer|zustell|kurier|fahrer|packstation|bestellnummer|versand|sendungsverfolgung|fahrgast|beim einsteigen|abholung',
    visit:
      'termin(?:e|s|en)?(?!\\p{L})|terminbest|terminverein|buchung|reservierung|ticket|warteschlange|bordkarte|sitzplatz|vorgangsnummer|aktenzeichen|schadennummer|wartenummer|wartemarke|aufrufnummer|ihr vorgang|vorgang \\d',
    done: '(?:ist|wurde|wurden|sind|jetzt|erfolgreich|bereits) (?:nun |jetzt |bereits |erfolgreich )?(?:bestätigt|verifiziert|aktiviert|aktiv(?!it)|freigeschaltet|abgeschlossen|eingerichtet|geändert|angelegt|verknüpft|gelöscht)|alles erledigt|danke für (?:die|deine|ihre) (?:bestätigung|aktivierung)|geschafft|erfolgreich',
    news: 'newsletter|rundbrief|abonn|verteiler|anmeldung zum|eintragung',
    code: 'code|kennwort für einmal|einmalpasswort|einmalkennwort|einmalcode|m?tan(?!\\p{L})|sms-tan|pushtan|phototan|pin|bestätigungsnummer|zugangsdaten|startpasswort|initialpasswort|einmal-?pin|freischaltschlüssel|aktivierungsschlüssel|sicherheitsschlüssel|bestätigungsziffer|tan-nummer|passwort für den ersten|zugangsnummer|bestätigungszahl|einmal-kennwort|einmalschlüssel|prüfziffern?|ziffernfolge|sicherheitsnummer|freischaltnummer|prüfcode|einmal-code|anmeldewörter|anmeldewort|zugangswort|losung|zahlenfolge|zeichenfolge|ziffern|sms-code|einmalzahl|freigabenummer|freigabezahl|einwahlcode für die app|passwort fürs erste|aktivierungsnummer|bestätigungs-?pin|login-?pin|zugangs-?pin|sicherheits-?pin|geheimzahl|zugangsschlüssel|bestaetigungsnummer|pruefziffer|vorläufiges passwort|temporäres passwort|zweiter? faktor',
    verify:
      'bestätig|verifizier|aktivier|freischalt|registrierung abschlie|authentifizier|abschlie(?:ß|ss)|einrichten|vervollständig|legitimier|identifizier|verifikation|eintrag(?:en|ung)? bestät|wirksam|freigeb|nachweis|prüfen, ob sie es|ob du es|ob sie es|gehört dir|ihnen gehört|genehmig|autorisier|fertigstell',
    login:
      'anmeld|einlogg|login|log_in|sicherheit|zugang|zugriff|identität|einmal|registrier|freigabe|log dich|logge|anzumelden|melde dich|sign in|wieder rein|kopp[e]?l|gerät|sitzung',
    password: 'passwort|kennwort',
    join: 'einladung annehmen|beitreten|einladung akzeptieren|annehmen|einladung (?:ansehen|öffnen)|mitmachen|teil des teams|beitritt|dabei sein|eingeladen',
    temporary: 'vorläufig|temporär|initial|erst|start|einmal|anfangs|übergang',
    enter:
      'gib|geben sie|eingeben|eingabe|nutze|verwende|tippe|trage|tragen|trag|gebe|eintippen|eintragen|einsetzen|nenne|nennen sie|verwenden sie|kopier|tipp|manuell|von hand|alternativ|stattdessen|selbst eingeb|übertrag|einfüg|setze|setzen sie|zum fortfahren|mit .{1,12} geht es weiter',
    alert:
      'neue anmeldung|neues gerät|angemeldet (?:von|auf)|wurde (?:gerade |soeben |erfolgreich )?(?:geändert|zurückgesetzt|aktualisiert|hinzugefügt|entfernt)|ungewöhnlich|verdächtig|unbekannte[sn]? gerät',
    yes: 'ja,|ja, |das war ich|ich war|freigeben|genehmigen|ja klar|ja gern|ja bitte|jetzt bestätigen|ich war es|das bin ich|erlauben|zulassen|dabei|ja$|ja!|passt so|das stimmt|stimmt|ist richtig|das passt|meine adresse|adresse stimmt|annehmen|teilnehmen',
    trade:
      'fragebogen|befragung|freunde|empfehl|bonus|prämie|vorverkauf|eintritt|besprechung|meeting|videokonferenz|rabatt|gutschein|aktion|angebot|bestell|auftrag|rechnung|beleg|buchung|reservierung|ticket|sendung|paket|abhol|liefer|zustell|termin(?:e|s|en)?(?!\\p{L})|terminbest|terminverein|beschwerde|vorgang|treue|gewinn|wlan|umfrage|gewinnspiel|rückgabe|retoure|lizenz|produktschlüssel|wiederherstellungscode|ersatzcode|schließfach|rezept|fahrkarte|bahncard|warenkorb|kasse|mitgliedsbeitrag|kontoauszug|angebotsnummer|störung|zählerstand',
    other:
      'team(?!\\p{L})|farb|proben|teilnehmer|kurs|klassen|zoll|hs(?!\\p{L})|bewerber|kandidat|tür|haustür|postleit|plz|vorwahl|qr|strich|fehler|kunden|mitglied|konto_?(?:nummer|nr)|kontonummer|referenz|telefon|tel|rufnummer|fax|karte|endet auf|vorgang|aktenzeichen|steuer|ust|hrb|version|artikel|vertrag|transaktion|zahlung|nummer|nr|hotline|durchwahl|postfach|registergericht|amtsgericht|iban|aktenz|police|zähler|matrikel|personal(?:nummer|nr)|gültig bis|charge|ident|endet mit|endend auf|endziffern?|endung|support|kundendienst|kundenservice',
    notMe:
      'nicht (?:du|sie)|warst du das nicht|waren sie das nicht|nicht von (?:dir|ihnen)|nicht (?:selbst )?(?:veranlasst|vorgenommen|durchgeführt)|konto (?:ab)?sichern|konto schützen|andernfalls|ich war das nicht|war ich nicht|sperren|nicht ich|rückgängig',
    quiet:
      'abmeld(?!ung bestät)|abbestell|abbestellen|einstellungen|datenschutz|impressum|agb|hilfe|support|kontakt|browser|online ansehen|mehr erfahren|jetzt shoppen|zum shop|store|melden|bewert',
    unit: 'minute|min|stunde|std|tag|woche|monat|jahr|sekunde|punkt|stück|artikel|euro|eur|uhr|nutzer|prozent|km',
    care: 'gib (?:ihn|diesen|es) niemand|niemals|an niemanden|nicht weiter|gültig|läuft ab|läuft in|verfällt|ignorier|nicht angefordert|angefordert|eingeben|gib (?:diesen|den|folgenden)|geben sie',
  },
  es: {
    go: 'continuar|siguiente|abrir|empezar|comenzar|haz clic|haga clic|aquí|ir a|vamos|revisar solicitud|ver solicitud',
    user: 'usuario|nombre de usuario|matrícula|login(?=\\s?[:：])',
    promo: String.raw`descuento|cup[oó]n|promoci|promocional|vale(?!\p{L})|regalo|referid|invita a|amig[oa]s|puntos|recompensa|bono(?!\p{L})|canje|licencia|número de serie|oferta|cashback|carrito|próxima compra`,
    meeting: 'reuni[oó]n|webinar|videoconferencia|videollamada|entrevista|zoom|unirse a la',
    place: String.raw`puerta|port[oó]n|wi_?fi|caja de llaves|alarma|garaje|estacionamiento|taquilla|casillero|red(?!\p{L})|habitación`,
    pickup:
      'recog(?:er|ida|ido|e(?!\\p{L}))|retir|paquete|env[ií]o|entrega|repartidor|mensajer|gu[ií]a|rastre|seguimiento|pedido|conductor|al subir|tu conductor|mostrador',
    visit:
      'citas?(?!\\p{L})|reserva|turno|boleto|billete|entrada|asiento|folio|expediente|localizador|siniestro|su caso|caso (?:n[.°º]|número|\\d|ha sido|fue)|su turno|número de turno',
    done: '(?:ha sido|fue|está|ya está|quedó|se ha|hemos) (?:ya )?(?:verificad|confirmad|activad|activ[oa]|completad|aprobad|cambiad|actualizad|cread|vinculad|eliminad)|correctamente|con éxito|exitosamente|listo|gracias por (?:confirmar|verificar|activar)|todo listo',
    news: 'bolet[ií]n|newsletter|suscri|lista de correo|novedades',
    code: 'código|codigo|clave|pin(?!\\p{L})|contraseña temporal|contraseña de un solo uso|token|clave (?:dinámica|temporal|de acceso|de un solo uso|única)|contraseña (?:provisional|inicial|de acceso)|número (?:secreto|de verificación)|cifras|dígitos|llave de acceso|número de acceso|número de confirmación|número de autorización|número de seguridad|clave sms|código sms|clave secreta|contraseña dinámica|combinación|folio de verificación|palabras de acceso|frase de acceso|número de acceso|clave numérica|nip(?!\\p{L})|clave digital|contraseña sms|clave de confirmación|clave de verificación|clave de seguridad|clave de ingreso|secuencia|segundo factor',
    verify:
      'verific|confirm|activ(?!i[td])|valid(?=\\p{L})|autentic|completa(?:r)? (?:tu|el) registro|finaliza|termina(?:r)? (?:tu|el|mi) registro|comproba|comprueb|aprueb|aprob|acredit|dar de alta|suscripción|apru[eé]b|autoriz|corrobor|demuestra|asegurarnos de que eres|que eres tú|termina de|completar (?:tu|el|su)',
    login:
      'inici(?:ar|o|a) (?:de )?sesión|sesión|acceso|acceder|entrar|seguridad|identidad|un solo uso|ingres(?!so)|registr|dispositivo|iniciar|inicia|entra|accede|ingreso|vincul|emparej|cuenta nueva|alta',
    password: 'contraseña',
    join: 'aceptar (?:la )?invitación|unirme|unirte al|acepta|unirse|únete|ver (?:la )?invitación|participar|incorporarme',
    temporary: 'temporal|provisional|inicial|de un solo uso',
    enter:
      'introduce|introduzca|ingres[ae]|escrib[ae]|teclea|digit[ae](?!l)|usa|utilice|utiliza|pon(?!\\p{L})|ponga|coloca|copia|captura|anota|teclee|escrib|proporcion|dígelo|insert[ae]|manualmente|a mano|si lo prefieres|alternativa|dicta|teclear|meter|mete|pega(?!\\p{L})|pegue|pégalo|pégala|para continuar|para firmar',
    alert:
      'nuevo (?:inicio|acceso|dispositivo)|se (?:ha )?(?:inició|iniciado|cambió|cambiado|modificó|modificado|restableci)|ha(?:s)? (?:sido )?cambiad|fue (?:cambiad|modificad|actualizad)|inusual|sospechos',
    yes: 'sí,|si, quiero|quiero recibir|fui yo|aprobar|autorizar|sí(?: |$)|soy yo|yo fui|he sido yo|confirmar suscripción|me apunto|suscribirme|permitir|sí$|sí!|confirmo|correcto|es mío|es mía|mi correo|es mi|es correct|aceptar',
    trade:
      'cuestionario|referid|amig[oa]|recompensa|premio|entradas|reunión|videoconf|descuento|promoci|cupón|oferta|regalo|vale de|pedido|orden|compra|factura|recibo|reserva|ticket|seguimiento|rastreo|envío|paquete|guía|recogida|recoger|retiro|entrega|cita|turno|reclamo|reclamación|queja|sorteo|wi_?fi|localizador|encuesta|concurso|devolución|reembolso|licencia|códigos? de (?:respaldo|recuperación)|taquilla|casillero|receta|carrito|extracto|presupuesto|estado de cuenta|póliza|rifa|boleto|repartidor|folio',
    other:
      'equipo|color|pintura|muestra|participante|curso(?!r)|clase|aduan|arancel|candidat|portón|edificio|postal|área|país|qr|barras|error|cliente|socio|cuenta (?:n|termin)|n[úu]mero de (?:cuenta|serie)|referencia|tel[eé]fono|tel|llam|fax|tarjeta|termina(?:da)? en|rfc|cif|nif|vuelo|versión|transacción|pago|folio|extensión|apartado|expediente|póliza|matrícula|alumno|contador|c\\.p\\.|cp|ruc|cuit|dni|nss|terminad[ao] en|que termina en|termina en|acaba en|acabad[ao] en|soporte|atención al',
    notMe:
      'no (?:has sido|fuiste|eres|reconoces)|no (?:realizaste|hiciste|solicitaste este cambio)|protege(?:r)? tu cuenta|asegura(?:r)? tu cuenta|no fui yo|no he sido yo|no soy yo|bloquear|rechazar|anular|revertir',
    quiet:
      'darse de baja|darte de baja|cancelar (?:la )?suscripción|preferencias|privacidad|términos|condiciones|ayuda|soporte|contact|navegador|más información|leer más|descarga|tienda|reportar|configuraci|opini',
    unit: 'minuto|min|hora|día|semana|mes|año|segundo|punto|unidad|artículo|euro|peso|usd|eur|persona|por ciento|km',
    care: 'no (?:lo |la )?compart|con nadie|válid|vence|caduca|expira|ignora|omite|no (?:lo )?solicitaste|no (?:lo )?ha solicitado|solicit|introduce|ingresa',
  },
  fr: {
    go: 'continuer|suivant|ouvrir|commencer|démarrer|cliquez|ici|c.est parti|accéder à|allons-y|voir la demande|poursuivre',
    user: 'identifiant|nom d.utilisateur|utilisateur|login(?=\\s?[:：])|pseudo',
    promo:
      'promo|réduction|remise|bon d.achat|bon de|cadeau|parrain|filleul|points|récompense|cagnotte|fidélité|licence|numéro de série|offre|panier|prochaine commande',
    meeting: 'réunion|webinaire|visio|conférence|entretien|zoom|participer à',
    place:
      'porte|portail|wi_?fi|boîte à clés?|alarme|garage|parking|immeuble|digicode|casier|réseau|chambre|interphone|digicode|interphone|immeuble',
    pickup:
      'retrait|colis|livraison|livreur|coursier|chauffeur|point relais|consigne|suivi|expédi|commande n|au comptoir|à votre chauffeur|chauffeur',
    visit: String.raw`rendez-vous|réservation|billet|ticket|dossier|file d.attente|siège|sinistre`,
    done: '(?:est|a été|ont été|a bien été|sont|est désormais|est maintenant|déjà) (?:bien |désormais |maintenant |déjà )?(?:vérifié|confirmé|activé|actif|validé|terminé|modifié|changé|créé|associé|supprimé|mis à jour)|avec succès|merci d.avoir (?:confirmé|vérifié|validé|activé)|c.est (?:fait|bon|confirmé)|tout est prêt',
    news: 'newsletter|infolettre|lettre d.information|abonn|inscription à la|liste de diffusion|bulletin',
    code: 'code|mot de passe (?:à usage unique|temporaire|provisoire)|pin|numéro de vérification|mot de passe à usage|clé (?:de connexion|de sécurité|d.accès|à usage)|jeton|chiffres (?:suivants|ci-dessous)|code secret|mdp|numéro d.accès|numéro de confirmation|numéro d.autorisation|code sms|clé unique|combinaison|mot de passe dynamique|suite de chiffres|mots de connexion|phrase de connexion|numéro de sécurité|clé (?:de sécurité|d.accès|de connexion|temporaire|unique|de validation)|code secret|code confidentiel|combinaison|suite de chiffres|chiffres ci|code pin|mot de passe (?:provisoire|temporaire|à usage unique|unique|initial)|numéro de confirmation|clé d.activation|sésame|second facteur',
    verify:
      'vérifi|confirm|activ(?!i[td])|valid(?=\\p{L})|authentifi|finalis|terminer (?:mon|votre|l.)(?: )?inscription|je valide|je confirme|finir|achever|certifi(?!cat)|ratifi|approuv|compléter (?:mon|votre) (?:inscription|profil)|autoris|prouv|s.assurer que|que c.est (?:bien )?vous|finalis|termin(?:er|ez) (?:votre|l)|approuv|certifi',
    login:
      'connex|connect|sécurit|accès|accéder|identi|usage unique|inscri|appareil|se connecter|me connecter|ouvrir (?:ma|la) session|session|associer|jumel',
    password: 'mot de passe',
    join: 'accepter l.invitation|rejoindre|acceptez?|rejoign|rejoins|je rejoins|répondre à l.invitation|voir l.invitation|participer',
    temporary: 'temporaire|provisoire|initial|à usage unique',
    enter:
      'saisi|entre[rz]|tape[rz]|utilise[rz]|indique[rz]|recopie[rz]|renseigne[rz]|mettez|mets|donnez|copiez|notez|composez|insérez|reportez|pianotez|utilise(?!r)|entre |manuellement|à la main|sinon|autrement|plutôt|tape(?!\\p{L}|r)|pour continuer|pour signer|saisis',
    alert:
      'nouvelle connexion|nouvel appareil|a (?:bien )?été (?:modifié|changé|réinitialisé|ajouté|supprimé)|inhabituel|suspect',
    yes: 'oui,|oui, je|c.était moi|approuver|je confirme|oui (?:je|c)|c.est (?:bien )?moi|c.était bien moi|j.autorise|autoriser|je m.inscris|je m.abonne|oui !|oui$|c.est mon adresse|je suis d.accord|c.est bien|mon adresse|c.est mon|oui$|accepter',
    trade:
      'questionnaire|parrain|filleul|amis?|billet|prévente|récompense|réunion|visioconf|promo|réduction|remise|cadeau|bon de|offre|avantage|parrain|commande|facture|reçu|réservation|ticket|dossier|suivi|colis|livraison|retrait|livreur|rendez-vous|réclamation|fidélité|tirage|wi_?fi|sondage|enquête|concours|remboursement|retour produit|licence|codes? de secours|casier|consigne|ordonnance|panier|relevé|devis|abonnement annuel|contrat|facturation|e-billet|séance|coffre',
    other:
      'équipe|couleur|peinture|échantillon|participant|cours(?!\\p{L})|classe|douan|sh(?!\\p{L})|candidat|bâtiment|immeuble|portail|postal|pays|qr|barres|erreur|client|adhérent|compte n|numéro de compte|référence|réf|téléphone|tél|appel|fax|carte|se terminant|siret|tva|vol|version|transaction|paiement|retrait|poste|cedex|rcs|ics|police|contrat|compteur|matricule|étudiant|assuré|capital|boîte postale|bp|se terminant par|finissant par|terminant par|assistance|support',
    notMe:
      'n.(?:êtes|étiez|es|était) pas (?:vous|à l.origine)|pas (?:vous|toi)|n.avez pas (?:effectué|fait)|sécuris(?:er|ez) (?:mon|votre) compte|ce n.était pas moi|ce n.est pas moi|pas moi|bloquer|refuser|annuler',
    quiet:
      'désabonn|désinscri|préférences|confidentialité|conditions|mentions|aide|assistance|contact|navigateur|version en ligne|en savoir plus|lire la suite|télécharg|boutique|signaler|paramètres|avis(?!o)',
    unit: 'minute|min|heure|jour|semaine|mois|an|année|seconde|point|article|euro|eur|personne|pour cent|km|h',
    care: 'ne (?:le |la )?(?:partagez|communiquez|divulguez|transmettez)|à personne|valable|valide pendant|expire|ignore[rz]|pas demandé|n.êtes pas à l.origine|saisi|entrez',
  },
  it: {
    go: 'continua|avanti|prosegui|apri(?!l)|inizia|comincia|clicca|qui(?!\\p{L})|vai a|andiamo|vedi richiesta',
    user: 'nome utente|utente|username|matricola|login(?=\\s?[:：])',
    promo:
      'sconto|coupon|buono|promo|regalo|gift|invita (?:un|i|gli) |amic[io]|punti|premio|fedeltà|licenza|numero di serie|offerta|cashback|carrello|prossimo (?:acquisto|ordine)|riscatt',
    meeting: 'riunione|webinar|videoconferenza|videochiamata|colloquio|zoom|partecipa alla',
    place: String.raw`porta(?!\p{L})|portone|cancello|wi_?fi|cassetta delle chiavi|allarme|garage|parcheggio|armadietto|rete(?!\p{L})|stanza|citofono`,
    pickup:
      'ritir|pacco|spedizione|consegna|corriere|rider|locker|tracking|tracciamento|ordine n|autista|al banco|alla cassa',
    visit: String.raw`appuntamento|prenotazione|biglietto|coda|posto(?!\p{L})|pratica|sinistro|turno`,
    done: '(?:è stat[oa]|è ora|è già|sono stat[ie]|risulta) (?:ora |già )?(?:verificat|confermat|attivat|attiv[oa]|completat|modificat|aggiornat|creat|collegat|eliminat)|con successo|correttamente|grazie per aver (?:confermato|verificato|attivato)|tutto pronto|fatto!',
    news: 'newsletter|iscri|mailing list|bollettino|notiziario',
    code: 'codice|otp|pin|password (?:temporanea|monouso|usa e getta)|chiave (?:di accesso|temporanea)|password (?:provvisoria|iniziale)|cifre|token|numero (?:segreto|di verifica)|parola chiave temporanea|pwd|numero di accesso|numero di conferma|numero di autorizzazione|codice sms|combinazione|chiave monouso|sequenza|pin dispositivo|parole di accesso|frase di accesso|chiave (?:di sicurezza|numerica|di conferma|di verifica|unica)|codice segreto|pin dispositivo|pin temporaneo|password (?:dinamica|sms|iniziale)|numero di sicurezza|secondo fattore|parola d.ordine',
    verify:
      'verific|conferm|attiv|convalid|autentic|completa(?:re)? la registrazione|completa|ultima|termina la registrazione|approv|autorizz|certific(?!at)|finalizz|iscrizione|assicurarci che|che sei tu|dimostra|termina(?!l)|finisci|ultimare',
    login:
      'acced|accesso|login|sicurezza|identità|monouso|registr|entra|entrare|accedi|collega|abbina|sessione|nuovo account',
    password: 'password',
    join: 'accetta(?:re)? l.invito|unisciti|accetta|partecipa|entra nel|vedi (?:l.)?invito|aderisc',
    temporary: 'temporane|provvisori|inizial|monouso',
    enter:
      'inserisc|inserir|digita(?!l)|digiti|us[ai](?!\\p{L})|utilizz|immett|metti|scriv[ia]|copia|riport|compil|comunica|indica|batti|incoll|manualmente|a mano|in alternativa|oppure|per continuare|per firmare|batti(?!\\p{L})|digita',
    alert:
      'nuovo accesso|nuovo dispositivo|è stat[oa] (?:modificat|cambiat|reimpostat|aggiornat|aggiunt)|insolit|sospett',
    yes: 'sì,|sono stat|approva|autorizza|sì(?: |$)|sono io|ero io|mi iscrivo|iscrivimi|consenti|va bene|confermo|sì$|sì!|è mia|è mio|d.accordo|voglio|il mio indirizzo|è il mio|sono proprio io|accetta',
    trade:
      'questionario|amic[oi]|premio|premi(?!um)|hotel|riunione|videoconf|sconto|promo|coupon|buono|offerta|regalo|ordine|fattura|ricevuta|scontrino|prenotazione|biglietto|pratica|tracciamento|tracking|spedizione|pacco|ritiro|consegna|corriere|appuntamento|reclamo|spedizion|concorso|wi_?fi|prenotazion|sondaggio|rimborso|reso|licenza|codici di (?:backup|recupero)|armadietto|ricetta|carrello|estratto conto|preventivo|polizza|bolletta|estrazione|rata|fidelity|raccolta punti',
    other:
      'squadra|colore|vernice|campione|partecipante|corso|classe|dogan|candidat|portone|cancello|postale|cap|paese|qr|barre|errore|cliente|tessera|conto n|riferimento|rif|telefono|tel|chiam|fax|carta|termina(?:nte)? con|fiscale|p\\. ?iva|partita|volo|versione|transazione|pagamento|ritiro|interno|casella|rea|polizza|matricola|contatore|pratica|codice fiscale|c\\.f\\.|pod|iban|che termina con|terminante|che finisce|finale|assistenza',
    notMe:
      'non (?:sei|eri|è) stat[oa]|non sei tu|non hai (?:effettuato|richiesto questa modifica)|proteggi il tuo account|non ero io|non sono (?:stato |stata )?io|blocca|rifiuta|annulla',
    quiet:
      'disiscri|annulla(?:re)? l.iscrizione|cancella(?:rti)? dalla|preferenze|privacy|termini|condizioni|aiuto|assistenza|contatt|browser|scopri di più|leggi|scarica|negozio|segnala|impostazioni|recension',
    unit: 'minut|min|or[ae]|giorn|settiman|mes[ei]|ann[oi]|second|punt|articol|euro|eur|pezz|person|per cento|km',
    care: 'non (?:condivider|comunicar|rivelar)|nessuno|valido|scade|scadrà|ignora|non hai richiesto|non ha richiesto|inserisci|inserire',
  },
  pt: {
    go: 'continuar|próximo|seguinte|avançar|abrir|começar|iniciar|clique|aqui|vamos|ver solicitação|ver pedido',
    user: 'usuário|utilizador|nome de (?:usuário|utilizador)|matrícula|login(?=\\s?[:：])',
    promo: String.raw`desconto|cupom|cupão|promoç|promocional|vale[- ](?:presente|de|por|compra|desconto)|de presente|indic(?:aç|ue)|amig[oa]|pontos|recompensa|bônus|resgat|licença|número de série|oferta|cashback|carrinho|próxima compra`,
    meeting: 'reunião|webinar|videoconferência|videochamada|entrevista|zoom|participar da',
    place: String.raw`porta(?!\p{L})|portão|wi_?fi|cofre de chaves|alarme|garagem|estacionamento|armário|cacifo|rede(?!\p{L})|quarto|interfone|portaria`,
    pickup: 'retirada|levantamento|encomenda|pacote|entrega|entregador|motoboy|motorista|envio|rastre|pedido',
    visit: 'consulta|agendament|marcaç|reserva|bilhete|ingresso|fila|assento|protocolo|processo|sinistro|chamado',
    done: '(?:foi|está|já está|foram|agora está) (?:já |agora )?(?:verificad|confirmad|ativad|ativ[oa]|concluíd|alterad|atualizad|criad|vinculad|excluíd|aprovad)|com sucesso|obrigad[oa] por (?:confirmar|verificar|ativar)|tudo (?:certo|pronto)',
    news: 'newsletter|boletim|inscri|subscri|assin(?:ar|atura)|lista de e-?mail|novidades',
    code: 'código|codigo|senha (?:temporária|provisória|de uso único)|token|pin|chave (?:de acesso|temporária)|senha (?:inicial|descartável)|palavra-passe (?:temporária|provisória|de utilização única)|dígitos|número (?:secreto|de verificação)|contrassenha|número de acesso|número de confirmação|número de autorização|código sms|chave de segurança|combinação|chave de confirmação|código por sms|palavras de acesso|frase de acesso|chave (?:de segurança|numérica|única|de verificação)|código secreto|sequência|senha (?:sms|dinâmica|eletrônica|de acesso)|palavra-passe (?:inicial|sms)|contra-senha|número de segurança|itoken|segundo fator',
    verify:
      'verific|confirm|ativ|valid(?=\\p{L})|autentic|conclu(?:a|ir) (?:o|seu) cadastro|final(?:ize|izar)|complet|termin(?:e|ar) (?:o )?(?:cadastro|registo)|aprov|autoriz|comprov|subscri|aprove|garantir que|que é você|que és tu|comprove|termine|finaliz|assegurar',
    login:
      'login|entrar|iniciar sessão|acesso|acess|segurança|identidade|uso único|cadastr|regist|dispositivo|entre|aceda|aceder|inicie|vincul|parear|emparelh|sessão|conta nova',
    password: 'senha|palavra-passe',
    join: 'aceitar (?:o )?convite|participar d|aceit[ae]|participe|junte-se|juntar-me|ver (?:o )?convite|entrar no time|ingressar',
    temporary: 'temporári|provisóri|inicial|de uso único',
    enter:
      'insira|inserir|digit[ea](?!l)|introduz|us[ea](?!\\p{L})|utilize|informe|coloque|escreva|copie|preencha|forneça|indique|marque|tecle|ponha|cole|manualmente|na mão|à mão|se preferir|ou digite|para continuar|para assinar',
    alert:
      'novo (?:acesso|login|dispositivo|início)|foi (?:alterad|redefinid|atualizad|adicionad|removid|trocad)|acab(?:ou|a) de ser|incomum|suspeit',
    yes: 'sim,|fui eu|aprovar|autorizar|quero receber|sim(?:!|$)|sou eu|quero (?:receber|assinar)|permitir|concordo|pode confirmar|sim$|sim!|é meu|é minha|confirmo|pode sim|é meu|o e-?mail é meu|meu e-?mail|aceitar',
    trade:
      'pesquisa de|indicaç|indique|amig[oa]|prêmio|recompensa|ingresso|reunião|videoconf|desconto|promo|cupom|cupão|oferta|presentes|vale|pedido|encomenda|compra|fatura|nota fiscal|recibo|reserva|bilhete|protocolo|chamado|rastre|envio|pacote|retirada|levantamento|entrega|consulta|agendament|reclamação|fidelidade|sorteio|wi_?fi|instalação|boleto|pesquisa|questionário|reembolso|devolução|licença|códigos? de (?:backup|recuperação|reserva)|armário|cacifo|receita|carrinho|extrato|orçamento|apólice|rifa|senha n|senha de atendimento|fila|motoboy|entregador',
    other:
      'equipe|equipa|cor(?!\\p{L})|tinta|amostra|participante|curso(?!r)|turma|aduan|ncm|candidat|portão|postal|cep|país|qr|barras|erro|cliente|sócio|conta n|referência|telefone|tel|lig|fax|cartão|final|cpf|cnpj|nif|voo|versão|transação|pagamento|retirada|ramal|apartado|caixa postal|apólice|matrícula|contador|processo|inscrição estadual|iban|nib|instalação|terminad[ao] em|com final|suporte|atendimento',
    notMe:
      'não (?:foi você|foste tu|foi o senhor|reconhece|fez|realizou)|proteja (?:a )?sua conta|proteger (?:a )?(?:minha )?conta|não fui eu|não sou eu|bloquear|recusar|anular|desfazer',
    quiet:
      'cancelar (?:a )?(?:inscrição|assinatura|subscrição)|descadastr|preferências|privacidade|termos|condições|ajuda|suporte|contato|contacto|navegador|saiba mais|leia|baix|loja|denunci|configura|avali',
    unit: 'minuto|min|hora|dia|semana|mês|meses|ano|segundo|ponto|unidade|item|itens|real|reais|euro|pessoa|por cento|km',
    care: 'não (?:o |a )?(?:compartilh|partilh|divulg|forne)|ninguém|válid|expira|vence|ignor|não (?:solicitou|pediu|fez)|insira|digite|introduza',
  },
  nl: {
    go: 'verder|doorgaan|volgende|openen|open de|aan de slag|begin|starten|klik hier|hier|ga naar|verzoek bekijken',
    user: 'gebruikersnaam|gebruiker|inlognaam|studentnummer',
    promo:
      'korting|coupon|actiecode|cadeau|tegoed|vriend|punten|beloning|spaar|bonus|licentie|serienummer|aanbieding|cashback|winkelwagen|volgende bestelling|verzilver|inwissel',
    meeting: 'vergadering|webinar|videogesprek|conferentie|deelnemen aan|zoom|gesprek',
    place:
      'deur|poort|wifi|sleutelkluis|alarm|garage|parkeer|kluisje|netwerk|kamer|ingang|voordeur|huisdeur|achterdeur|toegangsdeur|huissleutel',
    pickup:
      'afhaal|ophaal|afhalen|ophalen|pakket|zending|bezorg|koerier|chauffeur|track|bestelnummer|verzonden|bij het instappen|aan de balie',
    visit:
      'afspraak|boeking|reserver|ticket|wachtrij|stoel|zaaknummer|dossier|schadenummer|kaartje|volgnummer|wachtnummer|uw zaak|zaak \\d',
    done: '(?:is|zijn|werd) (?:nu |al |zojuist |succesvol )?(?:geverifieerd|bevestigd|geactiveerd|actief|voltooid|gewijzigd|aangemaakt|gekoppeld|verwijderd|goedgekeurd)|succesvol|gelukt|bedankt voor het (?:bevestigen|activeren)|helemaal klaar',
    news: 'nieuwsbrief|inschrij|aangemeld voor|abonne|mailinglijst',
    code: 'code|eenmalig wachtwoord|pin|tan(?!\\p{L})|inlogcode|verificatiecode|eenmalige? (?:code|wachtwoord|pincode)|tijdelijk wachtwoord|beveiligingscode|toegangscode|bevestigingscode|activeringscode|tan-code|sms-code|cijfers|startwachtwoord|pincode|toegangsnummer|bevestigingsnummer|verificatienummer|autorisatiecode|eenmalige sleutel|cijfercode|controlecode|inlogwoord|inlogzin|toegangswoord|cijferreeks|getal|cijfers hieronder|wachtzin|eenmalige sleutel|smscode|pincode|beveiligingsnummer|startcode|eerste wachtwoord|controlegetal|tweede factor|toegangssleutel',
    verify:
      'verifi|bevestig|activ(?!i[td])|valid(?=\\p{L})|registratie (?:te )?voltooi|aanmelding afrond|voltooi|rond (?:je|uw|de) (?:registratie|aanmelding)|afronden|goedkeur|inschrijving|valideer|identificeer|keur|controleren of|of jij het|of u het|autoriseer|rond je|maak je (?:account|registratie) af|zeker weten dat',
    login:
      'inlog|aanmeld|login|log in|beveilig|veilig|toegang|identiteit|eenmalig|registr|sessie|koppel|apparaat|binnenkomen',
    password: 'wachtwoord',
    join: 'uitnodiging accepteren|word lid|accepteer|aanvaard|deelnemen|doe mee|uitnodiging (?:bekijken|openen)|sluit je aan',
    temporary: 'tijdelijk|voorlopig|eenmalig|eerste|start',
    enter:
      'voer|vul|typ|gebruik|toets|tik(?!\\p{L})|neem over|noteer|plak|kopieer|geef|zet|handmatig|zelf invullen|anders|of typ|om verder te gaan|ondertekenen',
    alert:
      'nieuwe (?:aanmelding|inlog|login)|nieuw apparaat|ingelogd (?:op|vanaf|met)|is (?:zojuist )?(?:gewijzigd|veranderd|aangepast|gereset)|ongebruikelijk|verdacht',
    yes: 'ja,|dat was ik|ik was het|goedkeuren|toestaan|ja(?:!|$)|ja graag|aanmelden|ja$|ja!|klopt|akkoord|dat klopt|mijn adres|mijn (?:e-?mail)?adres|dit is mijn|accepteren',
    trade:
      'vragenlijst|vriend|beloning|punten|vergadering|korting|actie|cadeau|aanbieding|tegoed|bestel|order|factuur|kassabon|boeking|reserver|ticket|zending|pakket|track|afhaal|ophaal|bezorg|koerier|afspraak|klacht|melding|bestelling|wifi|enquête|prijsvraag|terugbetaling|retour|licentie|back-?upcodes?|herstelcodes?|kluisje|locker|recept|winkelwagen|afschrift|offerte|polis|storing|meterstand|abonnement|kaartjes?',
    other:
      'team(?!\\p{L})|kleur|verf|deelnemer|cursus|klas|douane|hs(?!\\p{L})|kandidaat|sollicit|deur|poort|postcode|land|qr|streep|fout|klant|lid|rekening(?:nummer)|referentie|kenmerk|telefoon|tel|bel|fax|kaart|eindigend|kvk|btw|versie|transactie|betaling|afhaal|toestel|postbus|polis|leerling|personeels|meter|dossier|iban|eindigend op|eindigt op|klantenservice|support',
    notMe:
      'niet (?:jij|u)|was jij dit niet|bent u dit niet|niet zelf|beveilig je account|dat was ik niet|ik was het niet|blokkeer|weiger|terugdraaien',
    quiet:
      'afmeld|uitschrijv|voorkeuren|privacy|voorwaarden|hulp|support|contact|browser|meer (?:info|lezen)|lees meer|download|winkel|meld|instellingen|beoorde',
    unit: 'minu|min|uur|uren|dag|week|weken|maand|jaar|seconde|punt|stuk|artikel|euro|eur|person|procent|km',
    care: 'deel (?:deze|dit|hem)|met niemand|nooit|geldig|verloopt|vervalt|negeer|niet (?:zelf )?aangevraagd|niet om gevraagd|voer (?:deze|dit)|vul (?:deze|dit)',
  },
}
