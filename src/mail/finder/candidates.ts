/** Something in a line that a code could look like. */
export interface Candidate {
  /** As it is to be typed in: `123456` for `123 456` and `G-123456`; `X7K-9QP` keeps its dash. */
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
/** Not inside of a word, an amount, an address, a date, a masked number or a chain of numbers. */
const BEFORE = String.raw`(?<![${LETTER}\d#№*•·@/\\_=&?%+~${CURRENCY}])(?<![${LETTER}\d][-.,:'’])(?<!${CURRENCY}\s)(?<![.]{2})(?<!\d\s)(?<!\d\)\s)`
const BEHIND = String.raw`(?![${LETTER}\d@/\\_=&%‰°*•#${CURRENCY}]|[-.:'’][\p{L}\d]|,\d{2,3}(?![\d\p{Script=Han}])|\s?[%${CURRENCY}]|\s\d{3}|…)`
const CANDIDATE = new RegExp(`${BEFORE}(?:${SHAPES})${BEHIND}`, 'gu')

const YEAR = /^(?:19|20)\d\d$/
/** Year first or last, all in one. */
const DATE =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d\d)$/
/** `SUMMER26`, `WELCOME10`: a word and a number are a promotion's. */
const PROMOTION = /^(?=.{6})(?=.*[AEIOU])[A-Z]{4,}\d{2,4}$/i

function read(found: string): Omit<Candidate, 'start' | 'end'> | undefined {
  const digits = found.replace(/\D/g, '')
  const letters = found.replace(/[^A-Za-z]/g, '')
  if (letters === '') {
    if (digits.length < 4 || digits.length > 8 || YEAR.test(found) || DATE.test(found)) return undefined
    return { value: digits, kind: 'digits' }
  }
  if (/^[A-Z]{1,2}-\d{4,8}$/.test(found)) return { value: digits, kind: 'digits' }
  if (digits === '') return /^[A-Z]{5,8}$/.test(found) ? { value: found, kind: 'letters' } : undefined
  if (PROMOTION.test(found)) return undefined
  // `2nd`, `30min`, `1080p`: a number with its unit.
  if (/^\d+[A-Za-z]{1,3}$/.test(found) && letters === letters.toLowerCase()) return undefined
  return { value: found, kind: 'mixed' }
}

/** All candidates of a line, left to right. */
export function candidatesIn(line: string): Candidate[] {
  return [...line.matchAll(CANDIDATE)].flatMap((match) => {
    const code = read(match[0])
    return code ? [{ ...code, start: match.index, end: match.index + match[0].length }] : []
  })
}
