const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/** Replaces the character references that `escapeHtml` writes. `&` is last, so that `&amp;lt;` becomes `&lt;`. */
export const unescapeHtml = (html: string): string =>
  Object.entries(ESCAPES)
    .toReversed()
    .reduce((text, [character, reference]) => text.replaceAll(reference, character), html)

/** Characters that end a line, move a cursor or change the direction of the surrounding text. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const NOT_IN_A_LINE = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g

/** Returns user input as one harmless, trimmed line; empty if nothing is left. */
export const lineOf = (text = ''): string => text.toWellFormed().replace(NOT_IN_A_LINE, ' ').replace(/\s+/g, ' ').trim()

/** More marks of one letter than any language has. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(\p{M}{30})\p{M}+/gu

/** Returns a text that can be normalized in linear time. */
export const fewerMarks = (text: string): string => text.replace(SURPLUS_MARKS, '$1')

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

export type Fold = (text: string) => string

/**
 * Returns a text in which letters are equal that differ in nothing but case, also those with several small forms (σ and ς)
 * or capitals of several letters (ß). The dot of İ is dropped. Accents differ, but not in how they are encoded.
 */
export const foldCase: Fold = (text) =>
  ASCII.test(text)
    ? text.toUpperCase()
    : fewerMarks(text).normalize('NFC').toLowerCase().toUpperCase().replaceAll('I\u0307', 'I').normalize('NFC')

/** Like `foldCase`, but letters are also equal that differ in marks, so that "cafe" finds "Café". */
const foldMarks: Fold = (text) =>
  (ASCII.test(text)
    ? text
    : fewerMarks(text)
        .normalize('NFKD')
        .replaceAll(/\p{Mn}/gu, '')
  ).toUpperCase()

/** Returns the folded words of a search. */
export const searchWords = (text: string): string[] => foldMarks(text).split(/\s+/).filter(Boolean)

/** Returns a test whether the texts have a word of `searchWords`. */
export function hasWord(...texts: readonly string[]): (word: string) => boolean {
  const folded = texts.map(foldMarks)
  return (word) => folded.some((text) => text.includes(word))
}

/** Returns `foldCase` for the texts of one message, which it folds once, because a search may have hundreds of terms. */
export function foldOnce(): Fold {
  const known = new Map<string, string>()
  return (text) => {
    const folded = known.get(text) ?? foldCase(text)
    known.set(text, folded)
    return folded
  }
}
