import { type Language, languages } from '#locales/languages.ts'

/** Common names that no locale data has. */
const OTHER_NAMES: Record<string, string> = {
  fa: 'Farsi',
  bn: 'Bengali',
  zh: 'Mandarin',
  km: 'Cambodian',
  my: 'Myanmar',
}

/** Letters that Unicode does not compose, with what people type for them. */
const TYPED: Record<string, string> = { ı: 'i', đ: 'd', ł: 'l', ø: 'o', ß: 'ss' }

/** Marks that people leave out: those of Latin, Greek and Cyrillic letters, and the vowels and hamzas of Arabic. */
const MARKS = /[\u0300-\u036F\u064B-\u065F\u0670]/g

/**
 * Returns the words of a text in lower case and without marks: `Tiếng Việt` has `tieng` and `viet`. The vowels of Indic
 * scripts stay, although they are marks too: without them, different words are the same.
 */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(/[ıđłøß]/g, (letter) => TYPED[letter] ?? letter)
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

type Display = 'dialect' | 'standard'
const formats = new Map<string, Intl.DisplayNames>()

/** Returns the names of languages in a language. Creating them takes longer than a search. */
function namesIn(locale: string, languageDisplay: Display = 'dialect'): Intl.DisplayNames {
  const key = `${locale} ${languageDisplay}`
  const names = formats.get(key) ?? new Intl.DisplayNames(locale, { type: 'language', languageDisplay })
  formats.set(key, names)
  return names
}

const baseOf = ({ locale }: Language): string => locale.split('-')[0] ?? locale

/**
 * Returns the names of a language in three groups, the most important first: in itself and in English, in the language
 * `page`, and with its region, such as "Brazilian Portuguese" and "Portuguese (Brazil)".
 */
function namesOf(language: Language, page: string): string[][] {
  const { code, displayName, locale, tag } = language
  const base = baseOf(language)
  // Two scripts of Chinese are listed. People call them by the script, and both by the language.
  const siblings = languages.filter((each) => baseOf(each) === base)
  const tags = siblings.length > 1 ? [base, `${base}-${new Intl.Locale(locale).maximize().script}`] : [base]
  const own = [...siblings.map((each) => each.locale), 'en']
  const regional = (display: Display) => [...own, page].map((each) => namesIn(each, display).of(tag) ?? '')
  const namedIn = (each: string) => tags.map((tagged) => namesIn(each).of(tagged) ?? '')
  return [
    [code, base, displayName, OTHER_NAMES[base] ?? '', ...own.flatMap(namedIn)],
    namedIn(page),
    [...regional('dialect'), ...regional('standard')],
  ]
}

const known = new Map<string, string[][]>()

/** Returns the words of each group of `namesOf`, with those of the groups before it. Kept, because every letter is a search. */
function wordsFor(language: Language, page: string): string[][] {
  const key = `${language.code} ${page}`
  const words =
    known.get(key) ??
    namesOf(language, page).map((_names, i, all) =>
      wordsOf(
        all
          .slice(0, i + 1)
          .flat()
          .join(' '),
      ),
    )
  known.set(key, words)
  return words
}

/** Returns how well typed words mean a language; 0 is best, -1 not at all. */
function rankOf(typed: readonly string[], language: Language, page: string): number {
  const codes = [language.code, baseOf(language), language.tag]
  const exact = codes.findIndex((each) => wordsOf(each).join() === typed.join())
  if (exact >= 0) return exact
  const found = wordsFor(language, page).findIndex((words) =>
    typed.every((word) => words.some((name) => name.startsWith(word))),
  )
  return found < 0 ? found : codes.length + found
}

/**
 * Returns the languages that the typed text means, the best first: it is their code, or each of its words is the beginning
 * of a word of their names. Case, accents and the order of words do not matter.
 */
export function findLanguages(among: readonly Language[], typed: string, page: string): Language[] {
  const words = wordsOf(typed)
  if (words.length === 0) return []
  return among
    .map((language) => ({ language, rank: rankOf(words, language, page) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ language }) => language)
}
