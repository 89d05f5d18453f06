import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { EXTRA_DOMAINS } from '#contract/operator.ts'
import { languages } from '#locales/languages.ts'

/**
 * What texts say about the configuration. A text mentions a figure as `{name}`, or in a sentence that depends on the
 * number as `{name, plural, one {# hour} other {# hours}}` with the plural forms of its language.
 * What depends on a kind is `{name, select, a {…} other {…}}`.
 */
const COUNTS = [
  'addressHours',
  'shortMinutes',
  'quarantineDays',
  'messageHours',
  'loginMin',
  'loginMax',
  'requests',
  'createSeconds',
  'createBurst',
  'streams',
  'waitSeconds',
  'forwardDays',
  'freeDestinations',
  'forwardLogDays',
  'addresses',
  'days',
  'ownDomains',
  'destinations',
  'keyRequests',
  'keyStreams',
  'keyAddresses',
  'keys',
  'webhooks',
  'cryptoYears',
  'noticeDays',
  'graceDays',
  'sessionDays',
  'orderDays',
  'operatorDays',
  'webhookSeconds',
  'webhookOffDays',
  'domainFailingDays',
  'earlierDays',
] as const
/** Figures that are no plain number: sizes, prices and names. They have no plural. */
const WORDS = [
  'freeMessageSize',
  'freeStorage',
  'storage',
  'messageSize',
  'monthPrice',
  'yearPrice',
  'cryptoYearPrice',
  'saving',
  'siteUrl',
  'domain',
] as const

/** Figures that only choose between texts, with their values. The first is the example. */
const KINDS = { extraDomains: EXTRA_DOMAINS, rateLimits: ['local', 'all'] } as const

/** The names of all figures: `counts` have plural forms, `words` are shown as they are, `kinds` choose between texts. */
export const FIGURES = { counts: COUNTS, words: WORDS, kinds: KINDS }

/** The figures for texts in one language: sizes and prices in its format. Null: the service has no such thing. */
export type Figures = Record<(typeof COUNTS)[number], number | null> &
  Record<(typeof WORDS)[number], string | null> & { [Kind in keyof typeof KINDS]: (typeof KINDS)[Kind][number] }
type Name = keyof Figures

const NAMES = [...COUNTS, ...WORDS, ...Object.keys(KINDS)].join('|')
/** Text with balanced braces, up to a depth. */
const balanced = (depth: number): string => (depth === 0 ? '[^{}]*' : String.raw`(?:[^{}]|\{${balanced(depth - 1)}\})*`)
/** A mention. A branch of a select may have another select with branches. */
const MENTION = new RegExp(String.raw`\{(${NAMES})(?:\}|, (?:plural|select),${balanced(4)}\})`, 'g')

/** Returns the figures that a text mentions. */
export const mentionsOf = (text: string): { name: Name; mention: string }[] =>
  [...text.matchAll(MENTION)].map(([mention, name]) => ({ name: name as Name, mention }))

/** The locale of the numbers in texts of a language. */
export const numberLocale = (code: string): string =>
  languages.find((each) => each.code === code)?.format.locale ?? code

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Returns the format of numbers without options. Creating one takes longer than formatting a text. */
function numberFormat(locale: string): Intl.NumberFormat {
  const known = numberFormats.get(locale)
  if (known) return known
  const created = new Intl.NumberFormat(locale)
  numberFormats.set(locale, created)
  return created
}

const pluralRules = new Map<string, Intl.PluralRules>()

/** Returns the plural rules of a locale. Creating them takes longer than choosing a form. */
function pluralRulesOf(locale: string, options: Intl.PluralRulesOptions = {}): Intl.PluralRules {
  const key = `${locale} ${options.type}`
  const known = pluralRules.get(key)
  if (known) return known
  const created = new Intl.PluralRules(locale, options)
  pluralRules.set(key, created)
  return created
}

/** The formatters that icu-minify needs. Plural rules have no option but their type there. */
export const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) =>
    options === undefined ? numberFormat(locale) : new Intl.NumberFormat(locale, options),
  getPluralRules: pluralRulesOf,
}

/**
 * Puts the figures into a text. Leaves out lines (paragraphs and list items) that mention a figure whose value is null:
 * the operator has turned off what they are about. Throws if a plural or select is not valid.
 */
export function fillFigures(text: string, figures: Figures, locale: string): string {
  const shown = (name: Name): string => {
    const value = figures[name] ?? 0
    return typeof value === 'number' ? numberFormat(locale).format(value) : value
  }
  let words: Record<string, string> | undefined
  // Branches may mention other figures, which stand for themselves there. Only the plural needs the number.
  const spoken = (name: Name, mention: string): string => {
    words ??= Object.fromEntries(Object.keys(figures).map((each) => [each, shown(each as Name)]))
    const message = compile(mention.replaceAll("'", "''"))
    return String(format(message, locale, { ...words, [name]: figures[name] ?? 0 }, { formatters }))
  }
  return text
    .split('\n')
    .flatMap((line) => {
      if (mentionsOf(line).some(({ name }) => figures[name] === null)) return []
      const filled = line.replaceAll(MENTION, (mention, name: Name) =>
        mention === `{${name}}` ? shown(name) : spoken(name, mention),
      )
      return [filled]
    })
    .join('\n')
}

/** Different figures in the digits of a locale, to compare translations by. Names are the same in every language. */
export const exampleFigures = (locale: string): Figures =>
  Object.fromEntries<number | string>([
    ...COUNTS.map((name, i) => [name, 101 + i] as const),
    ...WORDS.map((name, i) => [name, numberFormat(locale).format(151 + i)] as const),
    ...Object.entries(KINDS).map(([name, [first]]) => [name, first] as const),
    ['siteUrl', 'https://site.example'],
    ['domain', 'site.example'],
  ]) as Figures
