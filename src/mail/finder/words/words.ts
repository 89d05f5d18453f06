import { ASIA } from './asia.ts'
import { EAST } from './east.ts'
import type { LanguageWords } from './language.ts'
import { SOUTH } from './south.ts'
import { WEST } from './west.ts'

/** All 33 languages, by the code of the page's language. Mails mix languages, so all are looked for at once. */
export const LANGUAGES: Record<string, LanguageWords> = { ...WEST, ...EAST, ...ASIA, ...SOUTH }

/** In these scripts words stand apart; in the others they are glued to each other or to prefixes. */
const SPACED = /^(?:\(\?:)?[\p{Script=Latin}\p{Script=Cyrillic}]/u

/**
 * The stems of some fields in all languages, sorted so that the longer of two comes first and beginnings are shared.
 */
function stems(...fields: (keyof LanguageWords)[]): string[] {
  const words = Object.values(LANGUAGES).flatMap((language) => fields.flatMap((field) => split(language[field] ?? '')))
  const patterns = words.map((word) => word.replaceAll('_', String.raw`[-\s]?`))
  return [...new Set(patterns)].toSorted().toReversed()
}

/** Splits at the bars outside of parentheses. */
function split(words: string): string[] {
  return words.match(/(?:\((?:[^()]|\([^()]*\))*\)|[^|(])+/g) ?? []
}

const alternatives = (words: string[], spaced: boolean): string =>
  `(?:${words.filter((word) => SPACED.test(word) === spaced).join('|')})`
/** Words that begin where a word begins, in scripts that have such places. */
const bounded = (words: string[]): string =>
  `(?:(?<![\\p{L}\\p{N}])${alternatives(words, true)}|${alternatives(words, false)})`
/** Short words of trade are the beginning of many others (`vé`, `pos`, `bon`): they must end where they end. */
const whole = (words: string[]): string[] =>
  words.map((word) => (/^\p{L}{1,4}$/u.test(word) && SPACED.test(word) ? `${word}(?!\\p{L})` : word))

/** What stands behind a word for a code; "no. 3" alone says nothing. */
const behind = (words: string): RegExp =>
  new RegExp(
    `^[\\s-]{0,2}(?!n(?:r|o|um)\\P{L}|num[me]*r)(?:(?:de|do|da|di|of|du|la|le|el|za|ya|na|kwa)\\s|d['’])?${words}`,
    'u',
  )

// All of these are for text in lower case, as `lower` makes it: three times as fast as the flag for it.
const any = (...fields: (keyof LanguageWords)[]): RegExp => new RegExp(bounded(stems(...fields)), 'u')

const codes = stems('code')
/** A word for a code with what is glued to it: `sicherheitscode`, `kodunuz`, `인증번호는`. */
export const CODE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:\\p{L}{0,24}?codes?|${alternatives(codes, true)}\\p{L}{0,6})(?!\\p{L})|${alternatives(codes, false)}`,
  'gu',
)
/** Words that need no purpose beside them: nothing else is called so. */
export const SURE =
  /otp|passcode|one[-\s]?time|\btac\b|\bm?tan\b|ओटीपी|ওটিপি|ఓటీపీ|ఓటిపి|ஓடிபி|ઓટીપી|او ٹی پی|动态|動態|ワンタイム|일회용/u
export const VERIFY = any('verify')
export const LOGIN = any('login')
export const PASSWORD = any('password')
export const JOIN = any('join')
export const PURPOSE = any('verify', 'login', 'password')
export const NOT_ME = any('notMe')
export const QUIET = any('quiet')
export const TRADE = new RegExp(bounded(whole(stems('trade'))), 'u')

const foreign = bounded(whole(stems('trade', 'other')))
/** Right before a word for a code: `promo code`, `rabatt-code`, `优惠码`. */
export const FOREIGN_BEFORE = new RegExp(`${foreign}[\\p{L}\\p{M}]{0,6}[\\s-]?$`, 'u')
/** Right behind a word for a code: `código de descuento`, `kode pos`, `رمز الخصم`. */
export const FOREIGN_BEHIND = behind(foreign)
/** The same of trade alone: a verification code may be for a payment, but not for a parcel. */
export const TRADE_BEHIND = behind(bounded(whole(stems('trade'))))
/** Right before a number: `order no. `, `tel.: `, `尾号`. */
export const FOREIGN_NUMBER = new RegExp(
  `(?:${foreign}|(?<![\\p{L}])(?:account|user|konto|cuenta|compte|conta))[\\p{L}\\p{M}]{0,10}[.]?\\s{0,2}(?:is|no|nr|number|num|n[º°o]|№|号|號|ist|est|es)?[\\s.:：#№º°()-]{0,4}$`,
  'u',
)
/** Right behind a number: `15 minutes`, `500 points`. */
export const UNIT = new RegExp(`^[\\s-]{0,2}(?:${stems('unit').join('|')})`, 'u')

/** Lower case with as many characters as before: Turkish İ alone would become two. */
export const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase()
