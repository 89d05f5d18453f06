/**
 * A passage of prose: a paragraph, a heading, a list item, a title or a message. Everything else in it (code, arguments
 * of messages, URLs and email addresses) is replaced with a `PLACEHOLDER`, which counts neither as a letter nor as a space.
 */
export interface Passage {
  where: string
  text: string
  /** A search keyword, which is written as people type it. */
  keyword?: boolean
}

export const PLACEHOLDER = '\u{FFFC}'

const URL = String.raw`https?:\/\/\S*[\w/]`
const ADDRESS = String.raw`[\w.+-]+@(?:[\w-]+(?:\.[\w-]+)+)?`
const PATH = String.raw`(?<![\p{L}\p{N}])(?:\/[\w-]+)+\/?`
const NOT_PROSE = new RegExp(`${URL}|${ADDRESS}|${PATH}`, 'gu')

/** Replaces URLs, email addresses and paths with holes. */
export const proseOf = (text: string): string => text.replaceAll(NOT_PROSE, PLACEHOLDER)

const STOPS = /[.!?:;।۔؟؛።၊။។]+(?=\s|$)|[。！？：；]+/

/** Splits a text into sentences and clauses at punctuation, which is removed. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(STOPS)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Splits a list of search keywords. */
export const keywordsOf = (text: string): string[] => text.split(/,\s?/)

const WIDE = /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the columns of a text: one per grapheme, two per wide or fullwidth one (Unicode Standard Annex 11). */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
