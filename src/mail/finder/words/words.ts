import { oneForm } from '../digits.ts'
import { bitsOf, type Hit, type Reading, readWords, type Span, spansOf, stemAt } from './scan.ts'

// All patterns expect text in lower case (`lower`), which is three times as fast as the flag `i`.

/** Words that only contain "code". */
const NOT_CODES = /^(?:uni|de|en|trans|byte|geo|time|vs|op|hex|micro|pseudo)codes?$|^code[bcrx]/
/** The end of a compound: `sicherheitscode`, `engångskod`, `kertakäyttökoodi`. */
const COMPOUND = /(?:codes?|kod(?:e|en|er|et)?|kood(?:i|ia|in|illa)?|kód(?:ot|ja)?)(?!\p{L})/gu
const COMPOUND_END = new RegExp(`${COMPOUND.source}$`, 'u')
const MAX_COMPOUND = 24
const LETTER = /\p{L}/u

const CODE = bitsOf('code')
const VERIFY = bitsOf('verify')
const PURPOSE = bitsOf('verify', 'login')
const TRADE = bitsOf('trade')
const FOREIGN = bitsOf('trade', 'other')

/** Returns where a text has words for a code, from left to right. */
export function codeWordsIn({ text, bits, hits }: Reading): Span[] {
  const found: Span[] = bits & CODE ? hits.filter((hit) => hit.bits & CODE) : []
  for (const tail of spansOf(COMPOUND, text)) {
    const from = Math.max(0, tail.start - MAX_COMPOUND)
    let { start } = tail
    while (start > from && LETTER.test(text.charAt(start - 1))) start--
    found.push({ start, end: tail.end })
  }
  if (found.length === 0) return found
  let last = 0
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < last || NOT_CODES.test(text.slice(start, end))) return false
      last = end
      return true
    })
}

/** Returns what a compound says before its code word: `rabatt` of `rabattcode`. Empty if it is no compound. */
export const modifierOf = (word: string): string => word.slice(0, Math.max(0, word.search(COMPOUND_END)))

/** Unambiguous words that need no stated purpose. */
export const SURE = new RegExp(
  oneForm(
    /otp|one[-\s]?time|single[-\s]?use|\btac\b|\bm?tan\b|einmal|eenmalig|eng[åa]ngs|kertakäyt|jednor[aá]z|однораз|разов|еднократ|egyszer|usage unique|monouso|solo uso|uso único|unică folosință|tek ?(?:kullanım|sefer)|μίας χρήσης|חד[-\s]?פעמי|ერთჯერად|sekali (?:pakai|guna)|một lần|ครั้งเดียว|لمرة واحدة|یک[\s\u200c]?بار|एक बार|एक-बार|এককালীন|一次性|ओटीपी|ওটিপি|ఓటీపీ|ఓటిపి|ஓடிபி|ઓટીપી|او ٹی پی|动态|動態|ワンタイム|일회용/u
      .source,
  ),
  'u',
)

/** Returns whether a stem with one of the meanings stands between two places. */
export const hasBetween = ({ hits, bits: all }: Reading, bits: number, from: number, to: number): boolean =>
  (all & bits) !== 0 && hits.some((hit) => (hit.bits & bits) !== 0 && hit.start >= from && hit.end <= to)

/** Returns the first stem with one of the meanings before a place. */
export const firstBefore = ({ hits, bits: all }: Reading, bits: number, to: number): Hit | undefined =>
  (all & bits) !== 0 ? hits.find((hit) => (hit.bits & bits) !== 0 && hit.end <= to) : undefined

/**
 * Returns the first stem with one of the meanings that stands directly before a place, but not before `from`: only what
 * `gap` matches is between them.
 */
function directlyBefore(
  { text, hits, bits: all }: Reading,
  bits: number,
  { from, at, gap }: { from: number; at: number; gap: RegExp },
): Hit | undefined {
  if ((all & bits) === 0) return undefined
  return hits.find(
    (hit) => (hit.bits & bits) !== 0 && hit.start >= from && hit.end <= at && gap.test(text.slice(hit.end, at)),
  )
}

/** The number of characters before and after a word in which words that belong to it are searched. */
const NEAR = 30

/** Letters that may follow a stem, then a space or hyphen. */
const SHORT_GAP = /^[\p{L}\p{M}]{0,6}[\s-]?$/u
const LONG_GAP = /^[\p{L}\p{M}]{0,14}[\s-]{0,2}$/u
const LETTERS = /[\p{L}\p{M}]{0,14}/uy

/**
 * Returns whether words directly before a place, such as a code word, are about something else: `promo code`,
 * `rabatt-code`, `优惠码`. Not "ID code", which is what some logins say. `sure`: only words of trade are.
 */
export function isForeignBefore(
  reading: Reading,
  at: number,
  { sure, from = at - NEAR }: { sure: boolean; from?: number },
): boolean {
  const hit = directlyBefore(reading, sure ? TRADE : FOREIGN, { from, at, gap: SHORT_GAP })
  return hit !== undefined && (sure || reading.text.slice(hit.start, at).trim() !== 'id')
}

const LINK_WORD = /(?:(?:de|do|da|di|of|du|la|le|el|za|ya|na|kwa)\s|d['’])/uy
/** Suffixes of code words. "no. 3" alone has no meaning. */
const BEHIND = /[\s-]{0,2}(?!n(?:r|o|um)\P{L}|num[me]*r)/uy

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/**
 * Returns whether words directly behind a code word are about something else: `código de descuento`, `kode pos`,
 * `رمز الخصم`. `sure`: only words of trade are. A verification code may be for a payment, but not for a parcel.
 */
export function isForeignBehind({ text }: Reading, at: number, { sure }: { sure: boolean }): boolean {
  const bits = sure ? TRADE : FOREIGN
  const start = matchAt(BEHIND, text, at)
  if (start < 0) return false
  if (stemAt(text, start, bits) >= 0) return true
  const linked = matchAt(LINK_WORD, text, start)
  return linked >= 0 && stemAt(text, linked, bits) >= 0
}

/** Documents and certificates whose authenticity anyone can check with a code. */
const DOCUMENT = oneForm(
  '(?:document|dokumen|certifi[ck]a(?:t(?!ion)|d)|zertifikat|sertifi[ck]a|attestation|bescheinigung|urkunde|diplom|belge|asiakirj|todistu|tanúsítvány|έγγραφ|εγγράφ|πιστοποιητικ|документ|сертификат|сертифікат|свидетельств|свідоцтв|מסמך|תעודה|وثيقة|مستند|شهادة|گواهی|tài liệu|chứng nhận|văn bản|sijil|เอกสาร|ใบรับรอง|प्रमाणपत्र|दस्तावेज|証明書|文書|書類|证书|證書|文件|증명서|문서|원본)',
)
const DOCUMENT_IN = new RegExp(String.raw`(?<!\p{L})${DOCUMENT}`, 'u')
/** Letters of scripts in which an ending may follow a noun. In other scripts it may be a verb: "document signing code". */
const ENDING = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{M}`
const DOCUMENT_BEFORE = new RegExp(String.raw`(?<![${ENDING}])(?:ה|ال)?${DOCUMENT}[${ENDING}]{0,6}[\s-]{0,2}$`, 'u')
const DOCUMENT_BEHIND = new RegExp(
  String.raw`[\s-]{0,2}(?:(?:de|do|da|di|del|della|des|der|du|of(?: the| this)?|van het|av|af|за|на|من|של)\s|(?:dell|d|l)['’])?(?:ה|ال)?${DOCUMENT}`,
  'uy',
)

/**
 * Returns whether a phrase such as "verification code" is about a document that anyone can check with it: `document
 * verification code`, `code de vérification du certificat`. Not "verification code to sign the document".
 */
export const isForDocument = ({ text }: Reading, from: number, to: number): boolean =>
  DOCUMENT_IN.test(text.slice(from, to)) ||
  DOCUMENT_BEFORE.test(text.slice(Math.max(0, from - NEAR), from)) ||
  matchAt(DOCUMENT_BEHIND, text, to) >= 0

const PURPOSE_LINK =
  /[\s-]{0,2}(?:(?:de|do|da|di|del|della|of|for|du|la|le|el|pentru|para|pour|per|za|do|для|на|ya|na|kwa|untuk|से|की|के)\s|d['’]|l['’]){0,2}/uy

/** Returns where the words end that say what a code is for, directly after its word: `código de verificación`. */
export function endOfPurpose({ text }: Reading, at: number): number {
  let end = at
  for (let i = 0; i < 3; i++) {
    const linked = stemAt(text, matchAt(PURPOSE_LINK, text, end), PURPOSE)
    const next = linked >= 0 ? linked : stemAt(text, end, PURPOSE)
    if (next < 0) break
    end = matchAt(LETTERS, text, next)
  }
  return end
}

/** Returns where the words begin that say what a code is for, directly before its word: `login code`, `인증 번호`. */
export const startOfPurpose = (reading: Reading, at: number): number =>
  directlyBefore(reading, PURPOSE, { from: at - NEAR, at, gap: LONG_GAP })?.start ?? at

/** Returns whether a part of a text mentions to verify something. */
export const verifies = (reading: Reading, from: number, to: number): boolean => hasBetween(reading, VERIFY, from, to)

/** A number that verifies or gives access: "confirmation number", "número de verificación", "सत्यापन संख्या". */
const NUMBERS =
  /(?:numbers?|nummer|n[uú]mero|num[eé]ro|numer|numara(?:sı)?|number|číslo|szám|nomor|nombor|số|номер|число|αριθμός|מספר|ნომერი|رقم|شماره|نمبر|संख्या|नंबर|নম্বর|எண்|నంబర్|సంఖ్య|નંબર|หมายเลข|លេខ|နံပါတ်|nambari|lamba)(?![\p{L}\p{M}])/gu
const ACCESS =
  /(?<![\p{L}\p{N}])(?:access|log[-\s]?in|sign[-\s]?in|security|acceso|accès|accesso|acesso|zugangs|sicherheits)[\p{L}\p{M}]{0,14}[\s-]{0,2}$/u
const ACCESS_BEHIND = /(?:access|log[-\s]?in|sign[-\s]?in|security|acceso|accès|accesso|acesso)[\p{L}\p{M}]{0,14}/uy
const NUMBER_LINK = /\s(?:(?:de|do|da|di|of|pour|za|для|na|ya)\s|d['’])?/uy

/** Returns the phrases for a number that verifies. */
export function numberWordsIn(reading: Reading): Span[] {
  const { text } = reading
  const found: Span[] = []
  // Every word that `ACCESS` matches also has the meaning `purpose`, so this check is enough.
  if ((reading.bits & PURPOSE) === 0) return found
  for (const { start: index, end } of spansOf(NUMBERS, text)) {
    const start =
      directlyBefore(reading, VERIFY, { from: index - NEAR, at: index, gap: LONG_GAP })?.start ??
      ACCESS.exec(text.slice(Math.max(0, index - NEAR), index))?.index
    if (start !== undefined) {
      found.push({ start, end })
      continue
    }
    if (index > 0 && /[\p{L}\p{M}]/u.test(text.charAt(index - 1))) continue
    const linked = matchAt(NUMBER_LINK, text, end)
    const stem = linked < 0 ? -1 : stemAt(text, linked, VERIFY)
    const last = stem >= 0 ? matchAt(LETTERS, text, stem) : linked < 0 ? -1 : matchAt(ACCESS_BEHIND, text, linked)
    if (last >= 0) found.push({ start: index, end: last })
  }
  return found
}

const ACCOUNT_WORD = String.raw`(?<!\p{L})(?:account|konto|cuenta|compte|conta)`
const ACCOUNT = new RegExp(String.raw`${ACCOUNT_WORD}[\p{L}\p{M}]{0,10}[\s.:：#№º°()-]{0,4}$`, 'u')
/** Returns whether the word for an account stands directly before a place. */
export const isAccountBefore = ({ text }: Reading, at: number): boolean =>
  ACCOUNT.test(text.slice(Math.max(0, at - 40), at))

/** What may stand between the word for a number and the number. */
const TO_NUMBER = String.raw`[\p{L}\p{M}]{0,10}[.]?\s{0,2}(?:is|no|nr|number|num|n[º°o]|№|号|號|ist|est|es)?[\s.:：#№º°()-]{0,4}$`
const NUMBER_GAP = new RegExp(`^${TO_NUMBER}`, 'u')
const ACCOUNT_NUMBER = new RegExp(ACCOUNT_WORD + TO_NUMBER, 'u')
/** Returns whether a number of something else is named directly before a place: `order no. `, `tel.: `, `尾号`. */
export const isForeignNumber = (reading: Reading, at: number, from = at - 40): boolean =>
  directlyBefore(reading, FOREIGN, { from, at, gap: NUMBER_GAP }) !== undefined ||
  ACCOUNT_NUMBER.test(reading.text.slice(Math.max(0, from), at))

const USER_GAP = /^[\p{L}\p{M}]{0,10}[\s.:：#()-]{0,4}$/u
const USER = bitsOf('user')
/** Returns whether a name of a user is announced directly before a place. */
export const isUserBefore = (reading: Reading, at: number): boolean =>
  directlyBefore(reading, USER, { from: at - 40, at, gap: USER_GAP }) !== undefined

const UNIT = bitsOf('unit')
const UNIT_GAP = /[\s-]{0,2}/uy
/** Returns whether a unit stands directly behind a number: `15 minutes`, `500 points`. */
export const isUnitBehind = ({ text }: Reading, at: number): boolean =>
  stemAt(text, matchAt(UNIT_GAP, text, at), UNIT) >= 0

const MINUTES = bitsOf('minutes')
const MINUTES_BEFORE = /(?<!\d)[1-9]\d?\s?[-–]?\s?/gu
const NUMBER_BEHIND = /\p{L}{0,3}\s[1-9]\d?(?!\d)/uy
/** Returns whether a text names a number of minutes: `10 minutes`, `dakika 10`. */
export const namesMinutes = ({ text, hits, bits }: Reading): boolean => {
  for (const { end } of spansOf(MINUTES_BEFORE, text)) if (stemAt(text, end, MINUTES) >= 0) return true
  return (bits & MINUTES) !== 0 && hits.some((hit) => hit.bits & MINUTES && matchAt(NUMBER_BEHIND, text, hit.end) >= 0)
}

/** Converts to lower case and one form of each letter. Keeps the length: only Turkish İ would become two letters. */
export const lower = (text: string): string => oneForm(text.replaceAll('İ', 'i').toLowerCase())

/** Like `codeWordsIn`, for a text in any case that was not read before. */
export const codeWordsOf = (text: string): Span[] => codeWordsIn(readWords(lower(text)))
