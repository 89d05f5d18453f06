import { isAppHash } from './text-message.ts'
import { spansOf } from './words/scan.ts'

/** How a candidate is written. Digits carry their number: `d6`. */
type Shape =
  | `d${number}`
  | 'dashed'
  | 'loosely dashed'
  | 'upper'
  | 'lower'
  | 'mixed-case'
  | 'letters'
  | 'lower letters'
  | 'words'
  | 'secret'
  | 'split'

/** A part of a line that may be a code. */
export interface Candidate {
  /** The code as typed: `123456` for `123 456` and `G-123456`. `X7K-9QP` keeps its dash. */
  value: string
  start: number
  end: number
  shape: Shape
  /** Why it is unlikely to be a code, whatever the words around it say. */
  flaw?: 'year' | 'date' | 'promotion' | 'unit' | undefined
}

const LETTER = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}`
const CURRENCY = String.raw`\p{Sc}`
/** A word in another script than Latin. In many of them, words of two letters are common. */
const OTHER_WORD = String.raw`(?:(?!\p{Script=Latin})\p{L}\p{M}*){2,10}`
/** Three capitals and digits, with at least one of each. Not `2ND`, `24H` or `5GB`. */
const MIXED = String.raw`(?!\d{1,2}(?:ST|ND|RD|TH|GB|MB|H)(?![A-Z\d]))(?=\d{0,2}[A-Z])(?=[A-Z]{0,2}\d)[A-Z\d]{3}`
const SHAPES = [
  String.raw`[A-Z]{1,3}-\d{4,8}`,
  String.raw`[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){1,3}|[a-z0-9]{3,6}(?:-[a-z0-9]{3,6}){1,3}`,
  String.raw`[A-Z]{3,6}-[A-Z]{2}`,
  String.raw`(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}-(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}`,
  String.raw`\p{L}{3,10}(?:-\p{L}{3,10}){2,3}`,
  String.raw`(?<![\p{L}\p{M}])${OTHER_WORD}(?:-${OTHER_WORD}){2,3}`,
  String.raw`[A-Z0-9](?:[ ][A-Z0-9]){3,9}|(?=[a-z ]{0,18}\d)[a-z0-9](?:[ ][a-z0-9]){4,9}`,
  String.raw`\d(?:-\d){3,9}|(?=[A-Z]?\d)[A-Z\d]{2}-(?=[A-Z]*\d)[A-Z\d]{3,6}`,
  String.raw`\d{2,4}(?:[ ]\d{2,4}){1,4}(?![ ]\d)|\d{2,4}(?:-\d{2,4}){1,4}`,
  String.raw`(?=\d*[A-Z])(?=[A-Z]*\d)[A-Z0-9]{3,4}[ ](?=\d*[A-Z])(?=[A-Z]*\d)[A-Z0-9]{3,4}`,
  String.raw`(?!(?:EUR|KOD|OTP|PIN|RUB|TAN|USD) )(?:[A-Z\d]{3} ${MIXED}|${MIXED} [A-Z\d]{3})`,
  String.raw`(?=[\d ]*[A-Z])(?=[A-Z ]*\d)[A-Z\d]{2}(?:[ ][A-Z\d]{2}){2,3}`,
  String.raw`(?=[${LETTER}_-]{0,64}\d)(?=[\d_-]{0,64}[${LETTER}])[${LETTER}\d]{1,12}(?:[-_][${LETTER}\d]{1,12}){1,4}`,
  String.raw`[A-Z0-9]{4,12}|(?=[a-z]*\d)[a-z0-9]{5,12}|(?=[A-Za-z]*\d)[A-Za-z0-9]{6,12}`,
].join('|')
const NOT_IN_WORD = String.raw`(?<![${LETTER}\d#№*•@/\\_&?%+~${CURRENCY}])`
/** Not in an amount, a date, a time, a masked number or a chain of numbers. */
const BEFORE = String.raw`(?<![${LETTER}\d][-.,'’])(?<!\d:)(?<!${CURRENCY}\s)(?<![.]{2}|…)(?<!\d[ ])(?<!\d\)\s)(?<!(?:\*{4}|•{2}|[xX]{4})[ -])`
const BEHIND = String.raw`(?![${LETTER}\d@/\\_=&%‰°*•#${CURRENCY}]|[-.:][\p{L}\d]|['’]\d|(?<!\d)['’]\p{L}|,\d{2,3}(?![\d\p{Script=Han}])|\s?[%${CURRENCY}]|\s\d{3}|…)`
/**
 * Returns a pattern for candidates. It checks first how a shape can begin, because most words begin otherwise. `word`: the
 * beginnings of shapes that start like a word.
 */
const candidate = (word: string): RegExp => {
  const beginning = String.raw`\d|[A-Z](?![a-z])|[a-z][ ][a-z\d][ ][a-z\d][ ]|${word}`
  return new RegExp(`${NOT_IN_WORD}(?=${beginning})${BEFORE}(?:${SHAPES})${BEHIND}`, 'gu')
}
const CANDIDATE = candidate(String.raw`[A-Za-z]{1,12}\d`)
const DASHED_CANDIDATE = candidate(String.raw`(?:\p{L}\p{M}*){1,12}[-_\d]`)
/** A word with a dash or an underscore. Texts without one are searched with the faster `CANDIDATE`. */
const DASHED_WORD = /[^\s\d_-]\d{0,11}[-_]/

const YEAR = /^(?:19[5-9]|20[0-3])\d$/
/** Year first or last, without separators. */
const DATE =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d\d)$/
/** `SUMMER26`, `WELCOME10`. */
const PROMOTION = /^(?=.{6})(?=.*[AEIOU])[A-Z]{4,}\d{2,4}$/i
/** Two digits each, as in a date. */
const SHORT_DATE = /^(?:(?:0[1-9]|[12]\d|3[01])-(?:0[1-9]|1[0-2])-\d\d|\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/
/** `G-123456`, but not `KQ-7731`, which is typed as a whole. */
const PREFIXED = /^(?:[A-Z]-\d{4,8}|[A-Z]{2,3}-\d{5,8})$/
/** `xxxx8524` */
const MASKED = /^x{2,}\d+$/i
/** The rest of a telephone number: `555-014` of `555-014 22`. */
const PHONE_TAIL = /^[ -]\d\d(?!\d{3})/
/** `2nd`, `30min`, `18h42`, `1080p`. */
const WITH_UNIT = /^\d+[a-z]{1,3}$|^\d{1,2}[hH]\d{2}$/
/** A URL or an email address. Digits inside it are not a code. */
const ADDRESS =
  /(?:https?:\/\/|www\.|(?:[a-z\d-]+\.)+[a-z]{2,6}\/)[^\s<>"']+|[^\s<>@,;:"'()]+@[^\s<>@,;:"'()]+\.\p{L}+/giu

/** `X7K-9QP`, `a8f3-22bc-9d01`, `K4-88210`. */
const DASHED =
  /^(?:[A-Z\d]{2,6}(?:-[A-Z\d]{3,6}){1,3}|[a-z\d]{3,6}(?:-[a-z\d]{3,6}){1,3}|[A-Za-z\d]{3,6}-[A-Za-z\d]{3,6})$/
/** `12-Nov-2026` */
const NAMED_DATE = /^\d{1,2}-\p{L}{3,}-\d{2,4}$/u
/** `25 11 2026`, `11 2026` */
const ENDS_WITH_YEAR = /^(?:[0-3]?\d[ -]){1,2}20[0-3]\d$/
/** `6-digit` */
const COUNTED = /^\d{1,3}-\p{L}+$/u
/**
 * A code with a Hungarian ending: `1175-öt`, `A4B7C9-et`. Endings such as `-net` are left out, because codes with a dash end
 * like that too.
 */
const WITH_ENDING =
  /^(\d{4,8}|[A-Z\d]{4,10}|\d{3}-\d{3})-(?:[aeoö]?[st]|[bnr][ae]|ban|ben|b[óő]l|r[óő]l|t[óő]l|n[áé]l|h[oeö]z|ig|ért)$/
const MIN_LOOSE = 6
const MAX_LOOSE = 26

type Value = Omit<Candidate, 'start' | 'end'>

function readNumber(found: string): Value | undefined {
  const digits = found.replace(/\D/g, '')
  if (digits.length < 4 || digits.length > 10) return undefined
  const isDate = DATE.test(digits) || SHORT_DATE.test(found) || ENDS_WITH_YEAR.test(found)
  return { value: digits, shape: `d${digits.length}`, flaw: YEAR.test(found) ? 'year' : isDate ? 'date' : undefined }
}

function read(found: string): Value | undefined {
  if (!/\p{L}/u.test(found)) return readNumber(found)
  const stem = WITH_ENDING.exec(found)?.[1]
  if (stem !== undefined) return read(stem)
  if (/[-_]/.test(found) && /\d/.test(found) && !DASHED.test(found) && !PREFIXED.test(found))
    return !found.includes('-') || found.length < MIN_LOOSE || found.length > MAX_LOOSE || COUNTED.test(found)
      ? undefined
      : { value: found, shape: 'loosely dashed', flaw: NAMED_DATE.test(found) ? 'date' : undefined }
  if (/^[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)+$/u.test(found)) {
    const parts = found.split('-')
    if (parts.length === 2 || /^[A-Z-]+$/.test(found))
      return /^[A-Z-]+$/.test(found) ? { value: found, shape: 'dashed' } : undefined
    return found === found.toLowerCase() ? { value: found, shape: 'words' } : undefined
  }
  if (!/[A-Za-z]/.test(found)) return readNumber(found)
  const digits = found.replace(/\D/g, '')
  if (PREFIXED.test(found)) return { value: digits, shape: `d${digits.length}` }
  if (/^\w+(?: \w+)+$/.test(found)) {
    const value = found.replaceAll(' ', '')
    return { value, shape: digits === '' ? 'letters' : value === value.toUpperCase() ? 'upper' : 'lower' }
  }
  if (digits === '') return /^[A-Z]{4,8}$/.test(found) ? { value: found, shape: 'letters' } : undefined
  const flaw = PROMOTION.test(found) ? 'promotion' : WITH_UNIT.test(found) ? 'unit' : undefined
  const shape = found.includes('-')
    ? 'dashed'
    : found === found.toUpperCase()
      ? 'upper'
      : found === found.toLowerCase()
        ? 'lower'
        : 'mixed-case'
  return { value: found, shape, flaw }
}

/** A line of three or four lower-case words: `pearl drift sand`. */
const WORDS = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{3,10}(?: (?=\S)|$)){3,4}$/u
/** A temporary password: at least three of lower case, upper case, digits and signs, without spaces. */
const SECRET = /(?<![^\s:：=>"“(«「])[A-Za-z\d!@#$%^&*+=?_~.-]{7,20}(?=$|[\s"”)»」<,.;（(])/g
const SIGN = /[!@#$%^&*+=?~]/
const LETTERS_AND_DIGITS = [/[A-Z]/, /[a-z]/, /\d/]
/** `OTP=907712`: the value is the code. */
const ASSIGNMENT = /^(?:otp|totp|pin|tan|code|kod|kode|codigo|passcode|pass|password|pwd|token|key)=[A-Za-z\d]+$/i
/** Whether a text may be a password, with at least this many of lower case, upper case, digits and signs. */
const isSecret = (text: string, least: number): boolean =>
  /\d/.test(text) &&
  !/\*{2}/.test(text) &&
  !isAppHash(text) &&
  !ASSIGNMENT.test(text) &&
  !WITH_ENDING.test(text) &&
  !/^(?:R[ps$]|USD|EUR|INR|IDR|NT|HK)\$?\d/.test(text) &&
  [...LETTERS_AND_DIGITS, SIGN].filter((kind) => kind.test(text)).length >= least
/** A sign in the middle of a password. */
const SIGN_INSIDE = /[A-Za-z\d][!@#$%^&*+?~]+[A-Za-z\d]/

/** Returns whether a value follows a colon and has upper case, lower case and digits: `Password: w8RvKp2!` */
const isLabeled = (before: string, value: string): boolean =>
  /[:\uff1a]\s*$/.test(before) && LETTERS_AND_DIGITS.every((kind) => kind.test(value))

/** Five consonants in a row: common among random letters, rare in words. */
const CONSONANTS = /[b-df-hj-np-tv-xz]{5}/
/** Whether letters in lower case read like a word. */
export const isPronounceable = (letters: string): boolean => !CONSONANTS.test(letters)

/** Six to eight letters in lower case: alone in a line, quoted, behind a colon or a dash, or without any vowel. */
const LOWER_LETTERS =
  /(?<=^|[:\uff1a]\s{0,2}|[-–—]\s|["“«「『(])[a-z]{6,8}(?=[.!]?$|["”»」』)])|(?<![\p{L}\d@/._-])[b-df-hj-np-tv-xz]{6,8}(?![\p{L}\d@/_-]|\.\p{L})/gu

/** Whether a line may have candidates. Most lines have none, and their words need not be read. */
export const mayHaveCandidates = (line: string): boolean =>
  /\d|[A-Z]{4}|[A-Z] [A-Z]/.test(line) ||
  CONSONANTS.test(line) ||
  (line.includes('-') && /\p{L}-\p{L}/u.test(line)) ||
  WORDS.test(line)

/** Returns the candidates of a line that need no words around them, from left to right. */
export function candidatesIn(line: string): Candidate[] {
  const text = withoutAddresses(line)
  const found: Candidate[] = []
  for (const { start, end } of spansOf(DASHED_WORD.test(text) ? DASHED_CANDIDATE : CANDIDATE, text)) {
    const written = text.slice(start, end)
    if (MASKED.test(written) || (/\d[ -]\d/.test(written) && PHONE_TAIL.test(text.slice(end)))) continue
    const code = read(written)
    if (code) found.push({ ...code, start, end })
  }
  return found
}

const withoutAddresses = (line: string): string =>
  line.includes('@') || line.includes('/') || line.includes('www.')
    ? line.replace(ADDRESS, (address) => '\uFFFC'.repeat(address.length))
    : line

/** Returns candidates and the line itself, if it has nothing but words. */
export const withWords = (candidates: readonly Candidate[], line: string): readonly Candidate[] =>
  WORDS.test(line) && line === line.toLowerCase()
    ? [...candidates, { value: line, start: 0, end: line.length, shape: 'words' }]
    : candidates

/** Returns candidates and the random letters in lower case of their line. */
export function withLetters(candidates: readonly Candidate[], line: string): readonly Candidate[] {
  if (!CONSONANTS.test(line)) return candidates
  const letters: Candidate[] = []
  for (const { start, end } of spansOf(LOWER_LETTERS, withoutAddresses(line))) {
    const value = line.slice(start, end)
    if (!isPronounceable(value)) letters.push({ value, start, end, shape: 'lower letters' })
  }
  return letters.length > 0 ? [...candidates, ...letters] : candidates
}

/**
 * Returns candidates and the passwords of their line. `strong`: only passwords with all four kinds of characters, which need
 * no words around them. `password`: the line or the one above speaks of a password.
 */
export function withSecrets(
  candidates: readonly Candidate[],
  line: string,
  { strong = false, password = false } = {},
): readonly Candidate[] {
  if (strong && !SIGN.test(line)) return candidates
  const text = withoutAddresses(line)
  const found = [...candidates]
  for (const { start, end: last } of spansOf(SECRET, text)) {
    const value = text.slice(start, last).replace(/[.,;]$/, '')
    const end = start + value.length
    const overlapping = found.filter((other) => other.start < end && other.end > start)
    // A sign at the end may be the end of the sentence.
    const isWhole =
      value.trim() === text.trim() ||
      SIGN_INSIDE.test(value) ||
      (password && end === text.length && isLabeled(text.slice(0, start), value))
    if (!isSecret(value, strong ? 4 : 3) || (overlapping.length > 0 && !isWhole)) continue
    for (const other of overlapping) found.splice(found.indexOf(other), 1)
    found.push({ value, start, end, shape: overlapping[0]?.shape ?? 'secret' })
  }
  return found
}
