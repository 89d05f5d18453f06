/** Finds the field, or the boxes, for a one-time code. */

import {
  emailScore,
  hasRoomForEmail,
  hintsOf,
  inOneText,
  inputsIn,
  isForSearch,
  isUsable,
  subjectIn,
  wordsOf,
} from './fields.ts'
import { isOneTime } from './purpose.ts'
import { codeScoreOf, namesEmail, namesOther, namesSecret } from './words.ts'

const CODE_TYPES = new Set(['', 'text', 'tel', 'number', 'password'])

/** Hints of what is not a one-time code. Sites also write nonsense, so that the browser suggests nothing. */
const OTHER_HINT =
  /^(?:postal-code|country|country-name|cc-.*|tel-.*|address-.*|bday.*|new-password|current-password)$/u
const isOther = (input: HTMLInputElement): boolean => hintsOf(input).some((hint) => OTHER_HINT.test(hint))
const isDeclared = (input: HTMLInputElement): boolean => hintsOf(input).includes('one-time-code')

/** Scores: words that say what the code is for, and words that also say that it comes by email. */
const SURE = 3
const BY_EMAIL = 4

/** How sure it is that a field takes a code: 0 if it does not. */
function codeScore(input: HTMLInputElement): number {
  if (isOther(input) || isForSearch(input) || emailScore(input) > 0) return 0
  const words = wordsOf(input)
  const text = inOneText(words)
  if (input.type === 'password' && !isOneTime(text.toLowerCase())) return 0
  const isOfEmail = namesEmail(text)
  // "Phone (we email a code)" asks for neither.
  if (hasRoomForEmail(input) && isOfEmail && subjectIn(words) !== 'code') return 0
  const score = codeScoreOf(text)
  return isOfEmail && score > 1 ? BY_EMAIL : score
}

/** The characters of a code for boxes, one for each: without spaces and dashes. */
export const charactersOf = (code: string): string[] => [...code.replaceAll(/[\s-]/gu, '')]

/** Sizes of boxes for one character, in CSS pixels. Boxes of one code look alike, and stand in a row or a column. */
const SMALLEST_BOX = 12
const WIDEST_BOX = 80
const SAME = 4
const BOXES = { min: 4, max: 8 }

const isForOne = (input: HTMLInputElement): boolean => input.maxLength === 1 || input.max === '9'

/** Whether a field stands behind another as the next box of the same code. The first may have room for the whole code. */
function isNextBox(input: HTMLInputElement, last: HTMLInputElement): boolean {
  const [a, b] = [last.getBoundingClientRect(), input.getBoundingClientRect()]
  const areBoxes = [last, input].every(isForOne)
  const mayBeBoxes = [last, input].every((each) => isForOne(each) || each.maxLength < 0 || each.maxLength >= BOXES.min)
  if (!areBoxes && (!mayBeBoxes || Math.max(a.width, b.width) > WIDEST_BOX)) return false
  const isInRow = Math.abs(a.top - b.top) < SAME
  const isInColumn = areBoxes && Math.abs(a.left - b.left) < SAME
  const group = 'form, fieldset, [role=group]'
  return Math.abs(a.width - b.width) < SAME && (isInRow || isInColumn) && last.closest(group) === input.closest(group)
}

/** The boxes of codes, with one character each, which follow each other. Words are not needed. */
function boxesIn(inputs: readonly HTMLInputElement[]): HTMLInputElement[][] {
  const runs: HTMLInputElement[][] = []
  for (const input of inputs) {
    const last = runs.at(-1)?.at(-1)
    if (last && isNextBox(input, last)) runs.at(-1)?.push(input)
    else runs.push([input])
  }
  const isOfCode = (box: HTMLInputElement): boolean => isForOne(box) || box.inputMode === 'numeric' || saysCode(box)
  return runs.filter((run) => run.length >= BOXES.min && run.some(isOfCode))
}

const saysOther = (input: HTMLInputElement): boolean => namesOther(inOneText(wordsOf(input)))
/** Whether a masked box is for a PIN, a password or some other code that the visitor knows. */
const isForSecret = (input: HTMLInputElement): boolean =>
  input.type === 'password' && namesSecret(inOneText(wordsOf(input)))
const saysCode = (input: HTMLInputElement): boolean => isDeclared(input) || codeScore(input) >= SURE

/**
 * The field, or the boxes, for a one-time code: as many boxes as the code has characters, and a field with room for it.
 * Without a code, for some code. Empty if there is none.
 */
export function codeFields(code?: string): HTMLInputElement[] {
  const length = code === undefined ? undefined : charactersOf(code).length
  const inputs = inputsIn(document).filter((input) => CODE_TYPES.has(input.type) && isUsable(input, SMALLEST_BOX))
  const groups = boxesIn(inputs)
  const boxes = groups.filter(
    (group) =>
      (length === undefined ? group.length <= BOXES.max : group.length === length) &&
      !group.some(isOther) &&
      (group.some(isDeclared) || !group.some(isForSecret)) &&
      (group.some(saysCode) || !group.some(saysOther)),
  )
  const named = boxes.find((group) => group.some(saysCode))
  if (named) return named
  const inBoxes = new Set(groups.flat())
  const singles = inputs.filter((input) => !inBoxes.has(input) && !isTooShort(input, length ?? 2) && isUsable(input))
  const declared = singles.find(isDeclared)
  if (declared) return [declared]
  const [best] = singles
    .map((input) => ({ input, score: codeScore(input) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  if (best && best.score >= SURE) return [best.input]
  return boxes[0] ?? (best ? [best.input] : [])
}

const isTooShort = ({ maxLength }: HTMLInputElement, length: number): boolean => maxLength >= 0 && maxLength < length
