import { oneForm, plain } from '../digits.ts'
import { AFRICA } from './africa.ts'
import { ASIA } from './asia.ts'
import { CAUTIONS } from './cautions.ts'
import { EAST } from './east.ts'
import type { Cautions, LanguageWords } from './language.ts'
import { NORTH } from './north.ts'
import { SENDERS } from './senders.ts'
import { SOUTH_EAST } from './south-east.ts'
import { SOUTH } from './south.ts'
import { WEST } from './west.ts'

const LISTS: Record<string, LanguageWords> = {
  ...WEST,
  ...NORTH,
  ...SENDERS,
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

/**
 * Returns the stems of some fields in all languages, sorted so that longer stems come first and common prefixes are
 * shared.
 */
export function stems(...fields: Field[]): string[] {
  const words = Object.values(LANGUAGES).flatMap((language) => fields.flatMap((field) => split(language[field] ?? '')))
  const patterns = words
    .flatMap(withoutMarks)
    .map(likeText)
    .map((word) => word.replaceAll('_', String.raw`[-\s]?`))
  return [...new Set(patterns)].toSorted().toReversed()
}

/** Letters that lose nothing but a mark when a phone or an old system writes them. */
const MARKED = /[\u00c0-\u0257\u1e00-\u1eff\u0386-\u03ce]/gu
const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', ɗ: 'd', ɓ: 'b', ƙ: 'k' }
/** Shorter words mean something else in another language: `mã`, `có`, `vé`. */
const LONG = 5

/** Returns a stem and, if it has accents, the same without them: text messages often leave them out. */
function withoutMarks(word: string): string[] {
  const bare = word.replace(MARKED, (letter) => PLAIN[letter] ?? letter.normalize('NFD').charAt(0))
  return bare !== word && (/^[\p{L}\p{N} ]*/u.exec(bare)?.[0].length ?? 0) >= LONG ? [word, bare] : [word]
}

/** Returns a stem in the form that texts are brought to before they are searched. */
const likeText = (word: string): string => oneForm(plain(word))

/** Splits at the bars outside parentheses. */
function split(words: string): string[] {
  return words.match(/(?:\((?:[^()]|\([^()]*\))*\)|[^|(])+/g) ?? []
}

/** Letters of Hebrew and Arabic that are joined to the beginning of a word: and, in, the. */
const PREFIXED = [
  { script: /^(?:\(\?:)?\p{Script=Hebrew}/u, start: String.raw`(?<=(?<!\p{L})[ושבכלמה]{0,3})` },
  { script: /^(?:\(\?:)?\p{Script=Arabic}/u, start: String.raw`(?<=(?<!\p{L})[وفبكلاس]{0,4})` },
]
/** Joins stems of scripts that don't separate words, or join prefixes to them. */
export function joined(words: readonly string[]): string {
  const rest = words.filter((word) => !PREFIXED.some(({ script }) => script.test(word)))
  const prefixed = PREFIXED.map(({ script, start }) => {
    const list = words.filter((word) => script.test(word))
    return list.length > 0 ? `${start}(?:${list.join('|')})` : ''
  })
  return [...prefixed, ...rest].filter((part) => part !== '').join('|')
}

const alternatives = (words: readonly string[], spaced: boolean): string => {
  const list = words.filter((word) => SPACED.test(word) === spaced)
  return `(?:${spaced ? list.join('|') : joined(list)})`
}
/** A letter of a script that does not separate words, or of Hebrew, Arabic or India, where prefixes join words. */
export const JOINED = /[\u0590-\u10ff\u1200-\u1cff\u3040-\ud7ff]/
const BEGINS_JOINED = /^(?:\(\?:)?[\u0590-\u10ff\u1200-\u1cff\u3040-\ud7ff]/

/** Matches stems at the start of a word, in scripts that separate words. */
export const bounded = (words: readonly string[]): string =>
  [true, false].some((spaced) => !words.some((word) => SPACED.test(word) === spaced))
    ? `(?:${words.every((word) => SPACED.test(word)) ? '(?<![\\p{L}\\p{N}])' : ''}${alternatives(
        words,
        words.some((word) => SPACED.test(word)),
      )})`
    : `(?:(?<![\\p{L}\\p{N}])${alternatives(words, true)}|${alternatives(words, false)})`

/**
 * A regular expression with stems. Most texts contain no letters of scripts that join words. Such texts are searched
 * without the stems of these scripts, which takes half the time. Each of the two expressions is compiled at its first
 * use, because compiling all of them at the start takes a third of a second in each thread.
 */
export class Pattern {
  readonly #all: () => RegExp
  readonly #separated: () => RegExp

  constructor(words: () => readonly string[], around: (bounded: string) => string) {
    const compile = (list: readonly string[]): RegExp => new RegExp(around(bounded(list)), 'u')
    const isSeparated = (word: string): boolean => SPACED.test(word) || !BEGINS_JOINED.test(word)
    this.#all = once(() => compile(words()))
    this.#separated = once(() => compile(words().filter(isSeparated)))
  }

  test(text: string): boolean {
    return this.#for(text).test(text)
  }

  exec(text: string): RegExpExecArray | null {
    return this.#for(text).exec(text)
  }

  #for(text: string): RegExp {
    return JOINED.test(text) ? this.#all() : this.#separated()
  }
}

/** Short trade words are the start of many other words (`vé`, `pos`, `bon`), so they must match whole words. */
export const whole = (words: readonly string[]): string[] =>
  words.map((word) => (/^\p{L}{1,4}$/u.test(word) && SPACED.test(word) ? `${word}(?!\\p{L})` : word))
