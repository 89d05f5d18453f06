import { oneForm } from '../digits.ts'
import type { Span } from './meanings.ts'
import { bounded, type Field, once, Pattern, stems, whole } from './stems.ts'

/** Suffixes of code words. "no. 3" alone has no meaning. */
const behind = (words: () => readonly string[]): (() => RegExp) =>
  once(
    () =>
      new RegExp(
        `^[\\s-]{0,2}(?!n(?:r|o|um)\\P{L}|num[me]*r)(?:(?:de|do|da|di|of|du|la|le|el|za|ya|na|kwa)\\s|d['’])?${bounded(words())}`,
        'u',
      ),
  )

// All patterns expect text in lower case (`lower`), which is three times as fast as the flag `i`.
const any = (...fields: Field[]): Pattern =>
  new Pattern(
    () => stems(...fields),
    (word) => word,
  )

/** Words that only contain "code". */
const NOT_CODES = /^(?:uni|de|en|trans|byte|geo|time|vs|op|hex|micro|pseudo)codes?$|^code[bcrx]/
/** The end of a compound: `sicherheitscode`, `engångskod`, `kertakäyttökoodi`. */
const COMPOUND = /(?:codes?|kod(?:e|en|er|et)?|kood(?:i|ia|in|illa)?|kód(?:ot|ja)?)(?!\p{L})/gu
const MAX_COMPOUND = 24
const LETTER = /\p{L}/u
/** Returns where a text in lower case has words for a code, from left to right. `known`: those that are no compounds. */
export function codeWordsIn(text: string, known: readonly Span[]): Span[] {
  const found = [...known]
  for (const { 0: tail, index } of text.matchAll(COMPOUND)) {
    const from = Math.max(0, index - MAX_COMPOUND)
    let start = index
    while (start > from && LETTER.test(text.charAt(start - 1))) start--
    found.push({ start, end: index + tail.length })
  }
  let last = 0
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < last || NOT_CODES.test(text.slice(start, end))) return false
      last = end
      return true
    })
}

/** Unambiguous words that need no stated purpose. */
export const SURE = new RegExp(
  oneForm(
    /otp|one[-\s]?time|single[-\s]?use|\btac\b|\bm?tan\b|einmal|eenmalig|eng[åa]ngs|kertakäyt|jednor[aá]z|однораз|разов|еднократ|egyszer|usage unique|monouso|solo uso|uso único|unică folosință|tek ?(?:kullanım|sefer)|μίας χρήσης|חד[-\s]?פעמי|ერთჯერად|sekali (?:pakai|guna)|một lần|ครั้งเดียว|لمرة واحدة|یک[\s\u200c]?بار|एक बार|एक-बार|এককালীন|一次性|ओटीपी|ওটিপি|ఓటీపీ|ఓటిపి|ஓடிபி|ઓટીપી|او ٹی پی|动态|動態|ワンタイム|일회용/u
      .source,
  ),
  'u',
)
export const VERIFY = any('verify')
export const PASSWORD = any('password')
export const TEMPORARY = any('temporary')
export const ENTER = any('enter')
export const USER = new Pattern(
  () => stems('user'),
  (user) => `${user}[\\p{L}\\p{M}]{0,10}[\\s.:：#()-]{0,4}$`,
)
/** A number that verifies or gives access: "confirmation number", "número de verificación", "सत्यापन संख्या". */
const NUMBERS =
  'numbers?|nummer|n[uú]mero|num[eé]ro|numer|numara(?:sı)?|number|číslo|szám|nomor|nombor|số|номер|число|αριθμός|מספר|ნომერი|رقم|شماره|نمبر|संख्या|नंबर|নম্বর|எண்|నంబర్|సంఖ్య|નંબર|หมายเลข|លេខ|နံပါတ်|nambari|lamba'
const numberWord = once(() => {
  const proof = bounded([
    ...stems('verify'),
    'access',
    'log[-\\s]?in',
    'sign[-\\s]?in',
    'security',
    'acceso',
    'accès',
    'accesso',
    'acesso',
    'zugangs',
    'sicherheits',
  ])
  return new RegExp(
    `${proof}[\\p{L}\\p{M}]{0,14}[\\s-]{0,2}(?:${NUMBERS})(?![\\p{L}\\p{M}])|(?<![\\p{L}\\p{M}])(?:${NUMBERS})\\s(?:(?:de|do|da|di|of|pour|za|для|na|ya)\\s|d['’])?${proof}[\\p{L}\\p{M}]{0,14}`,
    'gu',
  )
})
const NUMBER = new RegExp(NUMBERS, 'u')
/** Returns the phrases for a number that verifies in a text in lower case. */
export const numberWordsIn = (text: string): Iterable<RegExpExecArray> =>
  NUMBER.test(text) ? text.matchAll(numberWord()) : []

const tradeWords = once(() => whole(stems('trade')))
export const TRADE = new Pattern(tradeWords, (trade) => trade)

const foreignWords = once(() => whole(stems('trade', 'other')))
/** Directly before a code word: `promo code`, `rabatt-code`, `优惠码`. Not "ID code", which is what some logins say. */
export const FOREIGN_BEFORE = new Pattern(
  () => foreignWords().filter((word) => !word.startsWith('id(?!')),
  (word) => `${word}[\\p{L}\\p{M}]{0,6}[\\s-]?$`,
)
/** A trade word directly before a code word. */
export const TRADE_BEFORE = new Pattern(tradeWords, (trade) => `${trade}[\\p{L}\\p{M}]{0,6}[\\s-]?$`)
const purposeWords = once(() => stems('verify', 'login'))
/** What a code is for, directly after its word: `código de verificación`, `kode masuk`. */
export const codeFor = once(
  () =>
    new RegExp(
      `^(?:[\\s-]{0,2}(?:(?:de|do|da|di|del|della|of|for|du|la|le|el|pentru|para|pour|per|za|do|для|на|ya|na|kwa|untuk|से|की|के)\\s|d['’]|l['’]){0,2}${bounded(purposeWords())}[\\p{L}\\p{M}]{0,14}){1,3}`,
      'u',
    ),
)
/** The same directly before it: `login code`, `인증 번호`. */
export const FOR_CODE = new Pattern(purposeWords, (word) => `${word}[\\p{L}\\p{M}]{0,14}[\\s-]{0,2}$`)
/** Directly after a code word: `código de descuento`, `kode pos`, `رمز الخصم`. */
export const foreignBehind = behind(foreignWords)
/** Trade words directly after a code word. A verification code may be for a payment, but not for a parcel. */
export const tradeBehind = behind(tradeWords)
/** Directly before a number: `order no. `, `tel.: `, `尾号`. */
export const ACCOUNT = /(?<!\p{L})(?:account|konto|cuenta|compte|conta)[\p{L}\p{M}]{0,10}[\s.:：#№º°()-]{0,4}$/u
export const FOREIGN_NUMBER = new Pattern(
  foreignWords,
  (word) =>
    `(?:${word}|(?<![\\p{L}])(?:account|konto|cuenta|compte|conta))[\\p{L}\\p{M}]{0,10}[.]?\\s{0,2}(?:is|no|nr|number|num|n[º°o]|№|号|號|ist|est|es)?[\\s.:：#№º°()-]{0,4}$`,
)
/** Directly after a number: `15 minutes`, `500 points`. */
export const unit = once(
  () =>
    new RegExp(
      `^[\\s-]{0,2}(?:${stems('unit')
        .map((word) => (/^\p{Script=Latin}{1,2}$/u.test(word) ? `${word}s?(?!\\p{L})` : word))
        .join('|')})`,
      'u',
    ),
)

/** `10 minutes`, `dakika 10`. */
export const minutes = once(() => {
  const words = `(?:${stems('minutes').join('|')})`
  return new RegExp(`(?<!\\d)[1-9]\\d?\\s?[-–]?\\s?${words}|(?<!\\p{L})${words}\\p{L}{0,3}\\s[1-9]\\d?(?!\\d)`, 'u')
})

/** Converts to lower case and to one form of each letter, without changing the length. Only the Turkish İ would become two characters. */
export const lower = (text: string): string => oneForm(text.replaceAll('İ', 'i').toLowerCase())
