import { oneForm, plain } from '../digits.ts'
import { AFRICA } from './africa.ts'
import { ASIA } from './asia.ts'
import { CAUTIONS } from './cautions.ts'
import { EAST } from './east.ts'
import type { Cautions, LanguageWords } from './language.ts'
import { NORTH } from './north.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { SOUTH_EAST } from './south-east.ts'
import { SOUTH } from './south.ts'
import { WEST } from './west.ts'

const LISTS: Record<string, LanguageWords> = {
  ...WEST,
  ...NORTH,
  ...OTHER_LANGUAGES,
  ...EAST,
  ...ASIA,
  ...SOUTH_EAST,
  ...SOUTH,
  ...AFRICA,
}

/** All languages of the site by code. All are searched at once, because messages mix languages. */
export const LANGUAGES: Record<string, LanguageWords & Partial<Cautions>> = Object.fromEntries(
  Object.entries(LISTS).map(([language, words]) => [language, { ...words, ...CAUTIONS[language] }]),
)

/** A kind of words. */
export type Field = keyof LanguageWords | keyof Cautions

/** Returns a function that calls `create` the first time and returns the same result every time. */
export function once<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}

/** Scripts that separate words. In other scripts words are joined to each other or to prefixes. */
export const SPACED = /^(?:\(\?:)?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}]/u

/** Returns the stems of a field in all languages. */
export function stems(field: Field): string[] {
  const found = new Set<string>()
  for (const language of Object.values(LANGUAGES))
    for (const word of alternatives(likeText(language[field] ?? '').replaceAll('_', String.raw`[-\s]?`))) {
      found.add(word)
      const bare = withoutMarks(word)
      if (bare !== undefined) found.add(bare)
    }
  return [...found]
}

/** Letters that phones and old systems may write without their diacritic. */
const MARKED = /[\u00c0-\u0257\u1e00-\u1eff\u0386-\u03ce]/gu
const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', ɗ: 'd', ɓ: 'b', ƙ: 'k' }
/** Shorter words mean something else in another language: `mã`, `có`, `vé`. */
const LONG = 5

/** Returns a stem with accents without them: text messages often leave them out. Returns undefined if it has none. */
function withoutMarks(word: string): string | undefined {
  const bare = word.replace(MARKED, (letter) => PLAIN[letter] ?? letter.normalize('NFD').charAt(0))
  if (bare === word) return undefined
  return (/^[\p{L}\p{N} ]*/u.exec(bare)?.[0].length ?? 0) >= LONG ? bare : undefined
}

/** Returns stems in the form to which texts are converted before they are searched. */
const likeText = (words: string): string => oneForm(plain(words))

/** Splits at the bars outside parentheses. */
export const alternatives = (words: string): string[] =>
  words.includes('(')
    ? (words.match(/(?:\((?:[^()]|\([^()]*\))*\)|[^|(])+/g) ?? [])
    : words.split('|').filter((word) => word !== '')

/** Short trade words are the start of many other words (`vé`, `pos`, `bon`), so they must match whole words. */
export const whole = (words: readonly string[]): string[] =>
  words.map((word) => (/^\p{L}{1,4}$/u.test(word) && SPACED.test(word) ? `${word}(?!\\p{L})` : word))
