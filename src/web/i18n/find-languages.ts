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

/** Returns the words of a text in lower case and without marks: `Tiếng Việt` has `tieng` and `viet`. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ıđłøß]/g, (letter) => TYPED[letter] ?? letter)
    .match(/[\p{L}\p{N}]+/gu) ?? []

const formats = new Map<string, Intl.DisplayNames>()

/** Returns the names of languages in a language. Creating them takes longer than a search. */
function namesIn(locale: string): Intl.DisplayNames {
  const names = formats.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language' })
  formats.set(locale, names)
  return names
}

const baseOf = ({ locale }: Language): string => locale.split('-')[0] ?? locale

/** Returns the words of the names of a language: its own, in English, and in the language `page`. */
function namesOf(language: Language, page: string): string[] {
  const { code, displayName, locale } = language
  const base = baseOf(language)
  // Two scripts of Chinese are listed. People call them by the script, and both by the language.
  const siblings = languages.filter((each) => baseOf(each) === base)
  const tags = siblings.length > 1 ? [base, `${base}-${new Intl.Locale(locale).maximize().script}`] : [base]
  const names = [...siblings.map((each) => each.locale), 'en', page].flatMap((each) =>
    tags.map((tag) => namesIn(each).of(tag) ?? ''),
  )
  return wordsOf([code, base, displayName, OTHER_NAMES[base] ?? '', ...names].join(' '))
}

/**
 * Returns the languages that the typed text means: each of its words is the beginning of a word of their names. Case,
 * accents and the order of words do not matter.
 */
export function findLanguages(among: readonly Language[], typed: string, page: string): Language[] {
  const words = wordsOf(typed)
  if (words.length === 0) return []
  return among.filter((language) => {
    const names = namesOf(language, page)
    return words.every((word) => names.some((name) => name.startsWith(word)))
  })
}
