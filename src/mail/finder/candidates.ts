/** A part of a line that has the form of a code. */
export interface Candidate {
  /** The code as it has to be typed: `123456` for `123 456` and `G-123456`. `X7K-9QP` keeps its dash. */
  value: string
  start: number
  end: number
  /** Digits only, digits and letters, letters only. */
  kind: 'digits' | 'mixed' | 'letters'
}

const LETTER = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}`
const CURRENCY = String.raw`\p{Sc}`
const SHAPES = [
  String.raw`[A-Z]{1,2}-\d{4,8}`,
  String.raw`[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){1,3}|[a-z0-9]{3,6}(?:-[a-z0-9]{3,6}){1,3}`,
  String.raw`(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}-(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}`,
  String.raw`\d(?:[ ]\d){3,7}`,
  String.raw`\d{3}[ ]\d{3}|\d{4}[ ]\d{4}|\d{2}[ ]\d{2}[ ]\d{2}`,
  String.raw`[A-Z0-9]{4,10}|[a-z0-9]{5,10}|[A-Za-z0-9]{6,10}`,
].join('|')
// A candidate must not be within a word, an amount, an address, a date, a masked number or a sequence of numbers.
const BEFORE = String.raw`(?<![${LETTER}\d#№*•·@/\\_=&?%+~${CURRENCY}])(?<![${LETTER}\d][-.,:'’])(?<!${CURRENCY}\s)(?<![.]{2})(?<!\d\s)(?<!\d\)\s)`
const AFTER = String.raw`(?![${LETTER}\d@/\\_=&%‰°*•#${CURRENCY}]|[-.:'’][\p{L}\d]|,\d{2,3}(?![\d\p{Script=Han}])|\s?[%${CURRENCY}]|\s\d{3}|…)`
const CANDIDATE = new RegExp(`${BEFORE}(?:${SHAPES})${AFTER}`, 'gu')

const YEAR = /^(?:19|20)\d\d$/
/** A date without separators, with the year first or last. */
const DATE =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d\d)$/
/** A word and a number, as in the promotion codes `SUMMER26` and `WELCOME10`. */
const PROMOTION = /^(?=.{6})(?=.*[AEIOU])[A-Z]{4,}\d{2,4}$/i

function parse(text: string): Omit<Candidate, 'start' | 'end'> | undefined {
  const digits = text.replace(/\D/g, '')
  const letters = text.replace(/[^A-Za-z]/g, '')
  if (letters === '') {
    if (digits.length < 4 || digits.length > 8 || YEAR.test(text) || DATE.test(text)) return undefined
    return { value: digits, kind: 'digits' }
  }
  if (/^[A-Z]{1,2}-\d{4,8}$/.test(text)) return { value: digits, kind: 'digits' }
  if (digits === '') return /^[A-Z]{5,8}$/.test(text) ? { value: text, kind: 'letters' } : undefined
  if (PROMOTION.test(text)) return undefined
  // A number with its unit: `2nd`, `30min`, `1080p`.
  if (/^\d+[A-Za-z]{1,3}$/.test(text) && letters === letters.toLowerCase()) return undefined
  return { value: text, kind: 'mixed' }
}

/** Returns all candidates of a line from left to right. */
export function candidatesIn(line: string): Candidate[] {
  return [...line.matchAll(CANDIDATE)].flatMap((match) => {
    const code = parse(match[0])
    return code ? [{ ...code, start: match.index, end: match.index + match[0].length }] : []
  })
}
