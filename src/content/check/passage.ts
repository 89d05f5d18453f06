/**
 * A run of prose: a paragraph, a heading, a list item, a title, a message. What isn't prose in it (code, arguments of messages,
 * addresses) is one `HOLE` each, so that it counts neither as letters nor as a space.
 */
export interface Passage {
  where: string
  text: string
  /** A word that people search for: it is as they type it. */
  keyword?: boolean
}

export const HOLE = '\u{FFFC}'

const URL = String.raw`https?:\/\/\S*[\w/]`
const ADDRESS = String.raw`[\w.+-]+@(?:[\w-]+(?:\.[\w-]+)+)?`
const PATH = String.raw`(?<![\p{L}\p{N}])(?:\/[\w-]+)+\/?`
const NOT_PROSE = new RegExp(`${URL}|${ADDRESS}|${PATH}`, 'gu')

/** Prose alone. */
export const proseOf = (text: string): string => text.replaceAll(NOT_PROSE, HOLE)

const STOPS = /[.!?:;।۔؟؛።၊။។]+(?=\s|$)|[。！？：；]+/

/** Sentences and halves of them, as far as stops tell, without the stops. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(STOPS)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Words that people search for, as a list of them names them. */
export const keywordsOf = (text: string): string[] => text.split(/,\s?/)
