import { ASIA } from './asia.ts'
import { EAST } from './east.ts'
import type { LanguageWords } from './language.ts'
import { NORTH } from './north.ts'
import { SOUTH } from './south.ts'
import { WEST } from './west.ts'

/** All languages of the site by code. All are searched at once, because messages mix languages. */
export const LANGUAGES: Record<string, LanguageWords> = { ...WEST, ...NORTH, ...EAST, ...ASIA, ...SOUTH }

/** Scripts that separate words. In other scripts words are joined to each other or to prefixes. */
const SPACED = /^(?:\(\?:)?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}]/u

/**
 * Returns the stems of some fields in all languages, sorted so that longer stems come first and common prefixes are
 * shared.
 */
function stems(...fields: (keyof LanguageWords)[]): string[] {
  const words = Object.values(LANGUAGES).flatMap((language) => fields.flatMap((field) => split(language[field] ?? '')))
  const patterns = words.map((word) => word.replaceAll('_', String.raw`[-\s]?`))
  return [...new Set(patterns)].toSorted().toReversed()
}

/** Splits at the bars outside parentheses. */
function split(words: string): string[] {
  return words.match(/(?:\((?:[^()]|\([^()]*\))*\)|[^|(])+/g) ?? []
}

const alternatives = (words: string[], spaced: boolean): string =>
  `(?:${words.filter((word) => SPACED.test(word) === spaced).join('|')})`
/** Matches stems at the start of a word, in scripts that separate words. */
const bounded = (words: string[]): string =>
  `(?:(?<![\\p{L}\\p{N}])${alternatives(words, true)}|${alternatives(words, false)})`
/** Short trade words are the start of many other words (`vé`, `pos`, `bon`), so they must match whole words. */
const whole = (words: string[]): string[] =>
  words.map((word) => (/^\p{L}{1,4}$/u.test(word) && SPACED.test(word) ? `${word}(?!\\p{L})` : word))

/** Suffixes of code words. "no. 3" alone has no meaning. */
const behind = (words: string): RegExp =>
  new RegExp(
    `^[\\s-]{0,2}(?!n(?:r|o|um)\\P{L}|num[me]*r)(?:(?:de|do|da|di|of|du|la|le|el|za|ya|na|kwa)\\s|d['’])?${words}`,
    'u',
  )

// All patterns expect text in lower case (`lower`), which is three times as fast as the flag `i`.
const any = (...fields: (keyof LanguageWords)[]): RegExp => new RegExp(bounded(stems(...fields)), 'u')

const codes = stems('code')
/** Words that only contain "code". */
const NOT_CODES = String.raw`(?:uni|de|en|trans|byte|geo|time|vs|op|hex|micro|pseudo)codes?(?!\p{L})|code[bcrx]`
/** A code word with joined words and suffixes: `sicherheitscode`, `kodunuz`, `인증번호는`. */
export const CODE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?!${NOT_CODES})(?:\\p{L}{0,24}?codes?|${alternatives(codes, true)}\\p{L}{0,6})(?!\\p{L})|${alternatives(codes, false)}`,
  'gu',
)
/** Unambiguous words that need no stated purpose. */
export const SURE =
  /otp|one[-\s]?time|\btac\b|\bm?tan\b|ओटीपी|ওটিপি|ఓటీపీ|ఓటిపి|ஓடிபி|ઓટીપી|او ٹی پی|动态|動態|ワンタイム|일회용/u
export const VERIFY = any('verify')
export const LOGIN = any('login')
export const PASSWORD = any('password')
export const JOIN = any('join')
export const PURPOSE = any('verify', 'login', 'password')
export const CARE = any('care')
export const TEMPORARY = any('temporary')
export const ENTER = any('enter')
export const ALERT = any('alert')
export const YES = any('yes')
export const ACCEPT = any('accept')
export const NOT_ME = any('notMe')
export const QUIET = any('quiet')
export const TRADE = new RegExp(bounded(whole(stems('trade'))), 'u')

const foreignWords = whole(stems('trade', 'other'))
const foreign = bounded(foreignWords)
/** Directly before a code word: `promo code`, `rabatt-code`, `优惠码`. Not "ID code", which is what some logins say. */
export const FOREIGN_BEFORE = new RegExp(
  `${bounded(foreignWords.filter((word) => !word.startsWith('id(?!')))}[\\p{L}\\p{M}]{0,6}[\\s-]?$`,
  'u',
)
/** A trade word directly before a code word. */
export const TRADE_BEFORE = new RegExp(`${bounded(whole(stems('trade')))}[\\p{L}\\p{M}]{0,6}[\\s-]?$`, 'u')
const purpose = bounded(stems('verify', 'login'))
/** What a code is for, directly after its word: `código de verificación`, `kode masuk`. */
export const CODE_FOR = new RegExp(
  `^(?:[\\s-]{0,2}(?:(?:de|do|da|di|del|della|of|for|du|la|le|el|pentru|para|pour|per|za|do|для|на|ya|na|kwa|untuk|से|की|के)\\s|d['’]|l['’]){0,2}${purpose}[\\p{L}\\p{M}]{0,14}){1,3}`,
  'u',
)
/** The same directly before it: `login code`, `인증 번호`. */
export const FOR_CODE = new RegExp(`${purpose}[\\p{L}\\p{M}]{0,14}[\\s-]{0,2}$`, 'u')
/** Directly after a code word: `código de descuento`, `kode pos`, `رمز الخصم`. */
export const FOREIGN_BEHIND = behind(foreign)
/** Trade words directly after a code word. A verification code may be for a payment, but not for a parcel. */
export const TRADE_BEHIND = behind(bounded(whole(stems('trade'))))
/** Directly before a number: `order no. `, `tel.: `, `尾号`. */
export const FOREIGN_NUMBER = new RegExp(
  `(?:${foreign}|(?<![\\p{L}])(?:account|user|konto|cuenta|compte|conta))[\\p{L}\\p{M}]{0,10}[.]?\\s{0,2}(?:is|no|nr|number|num|n[º°o]|№|号|號|ist|est|es)?[\\s.:：#№º°()-]{0,4}$`,
  'u',
)
/** Directly after a number: `15 minutes`, `500 points`. */
export const UNIT = new RegExp(
  `^[\\s-]{0,2}(?:${stems('unit')
    .map((word) => (/^\p{Script=Latin}{1,2}$/u.test(word) ? `${word}s?(?!\\p{L})` : word))
    .join('|')})`,
  'u',
)

/** Converts to lower case without changing the length. Only the Turkish İ would become two characters. */
export const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase()
