import type { Line } from './lines.ts'

/** The first character of features that are words. They have no weights in hidden units, and most have no weight at all. */
export const WORD = '~'

/** Characters of text beside a candidate that are searched for words. */
const REACH = 60
const WORDS = /[\p{L}\p{M}\p{N}]+/gu
const LETTERS = /[\p{L}\p{M}]+/gu
const DIGIT = /\p{N}/u
/** Scripts that don't separate words. Pairs of neighboring letters stand for their words. */
const JOINED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Returns each pair of neighboring letters: `ab` and `bc` for `abc`. */
const pairsIn = (letters: string): string[] =>
  Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2))

/** Returns the words of a text without those that have digits, which are codes and numbers. */
function wordsIn(text: string): string[] {
  const found = text.match(WORDS) ?? []
  if (!JOINED.test(text)) return found.filter((word) => !DIGIT.test(word))
  return found.flatMap((word) => {
    if (!JOINED.test(word)) return DIGIT.test(word) ? [] : [word]
    return (word.match(LETTERS) ?? []).flatMap(pairsIn)
  })
}

/** Returns the first words of a text in lower case as features. `place` says where the text stands. */
export const firstWords = (text: string, count: number, place: string): string[] =>
  wordsIn(text.slice(0, REACH))
    .slice(0, count)
    .map((word) => `${WORD}${word} ${place}`)

/** Returns the last words of a text in lower case as features. `place` says where the text stands. */
export const lastWords = (text: string, count: number, place: string): string[] =>
  wordsIn(text.slice(-REACH))
    .slice(-count)
    .map((word) => `${WORD}${word} ${place}`)

/** Returns the first words of a subject as features. */
export const subjectWords = (subject: Line): string[] => firstWords(subject.lower, 8, 'in the subject')
