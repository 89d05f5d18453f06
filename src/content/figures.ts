import { languages } from '#locales/languages.ts'

/** Numbers of the configuration. A text mentions them as `{name}`. */
const FIGURES = [
  'addresses',
  'storage',
  'messageSize',
  'days',
  'ownDomains',
  'destinations',
  'keyRequests',
  'keyAddresses',
] as const

/** The numbers in the format of a language. Null: there is none of it. */
export type Figures = Record<(typeof FIGURES)[number], string | null>

const MENTION = new RegExp(`\\{(${FIGURES.join('|')})\\}`, 'g')

/** The locale of the numbers in texts of a language. */
export const numberLocale = (code: string): string =>
  languages.find((each) => each.code === code)?.format.locale ?? code

/** Puts the numbers into a text. Leaves out list items about what there is none of. */
export const fillFigures = (text: string, figures: Figures): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const names = [...line.matchAll(MENTION)].map(([, name]) => name as keyof Figures)
      if (line.startsWith('- ') && names.some((name) => figures[name] === null)) return []
      return [line.replaceAll(MENTION, (_, name: keyof Figures) => figures[name] ?? '0')]
    })
    .join('\n')

/** Different numbers in the format of a locale, to compare translations by. */
export const exampleFigures = (locale: string): Figures =>
  Object.fromEntries(FIGURES.map((name, i) => [name, new Intl.NumberFormat(locale).format(101 + i)])) as Figures
