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

const NOT_PROSE = /https?:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:\/[\w-]+)+\/?|\b\w+@/g

/** Prose alone. */
export const proseOf = (text: string): string => text.replaceAll(NOT_PROSE, HOLE)

/** Sentences of a passage, in the sense of its language as far as stops tell. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?。！？।۔።។၊။؟])\s*(?=\P{Ll})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Words that people search for, as a list of them names them. */
export const keywordsOf = (text: string): string[] => text.split(/,\s?/)
