/** A decimal digit that is not ASCII. */
const NATIVE = /[^\P{Nd}0-9]/gu
/** Invisible characters that separate a code or change its direction, and Arabic vowel signs, which are optional. */
const INVISIBLE = /[\u00ad\u064b-\u0652\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const FULL_WIDTH = /[\uff21-\uff3a\uff41-\uff5a]/g
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g

/** Accents and dots as separate characters, and letters of India that have two spellings. */
const COMPOSABLE =
  /[\u0300-\u0345\u0653-\u0655\u093c\u0958-\u095f\u09bc\u09df\u09dc\u09dd\u0a3c\u1100-\u11ff\u3099\u309a]/
/** What makes a key of the digit before it: 4️⃣. */
const KEYCAP = /(?<=\d)\ufe0f?\u20e3/g
/** What announces a value: the start of a line, a colon, or a verb such as "is". */
const ANNOUNCED = String.raw`(?:^|\n|[:：] ?|(?<!\p{L})(?:is|es|est|ist|lautet|jest|är|er|on) )`
/**
 * Hyphens, dashes and minus signs within a number or a code. Longer dashes count only between halves of a value that is
 * announced, because they are also used for ranges.
 */
const HYPHEN = new RegExp(
  String.raw`(?<=[A-Z\d])(?:[\u2010-\u2012\u2212\ufe58\ufe63\uff0d](?=[A-Z\d])` +
    String.raw`|(?<=${ANNOUNCED}[A-Z\d]{3})[\u2013\u2014](?=(?=[A-Z]{0,2}\d)[A-Z\d]{3}(?![\p{L}\d]))` +
    String.raw`|(?<=${ANNOUNCED}\d{4})[\u2013\u2014](?=(?!(?:19|20)\d\d)\d{4}(?![\p{L}\d])))`,
  'gu',
)
/** What `plain` changes. Most texts have none of it. */
const UNUSUAL = new RegExp(
  [COMPOSABLE, INVISIBLE, SPACES, FULL_WIDTH, NATIVE, KEYCAP, /[\u2010-\u2014\u2212\ufe58\ufe63\uff0d]/]
    .map(({ source }) => source)
    .join('|'),
  'u',
)
/** Letters that writers use interchangeably: Arabic and Persian variants, and ё for е. */
const VARIANT = /[\u0622\u0623\u0625\u0649\u06cc\u06a9\u06c1\u0629\u0451]/g
const FORM: Record<string, string> = {
  '\u0622': '\u0627',
  '\u0623': '\u0627',
  '\u0625': '\u0627',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
  '\u06c1': '\u0647',
  '\u0629': '\u0647',
  '\u0451': '\u0435',
}

/** Replaces letters by the usual one of their variants, such as ё by е. The length stays the same. */
export const oneForm = (text: string): string => text.replace(VARIANT, (letter) => FORM[letter] ?? letter)

/** Digits of all scripts are in runs of ten, but some runs follow each other. */
const MOST_RUNS = 5
/** The value of each digit that was read before. */
const values = new Map<string, string>()

/** Returns a decimal digit of any script as ASCII. */
function ascii(digit: string): string {
  const known = values.get(digit)
  if (known !== undefined) return known
  let before = 0
  const code = digit.codePointAt(0) ?? 0
  while (before < 10 * MOST_RUNS && /\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  const value = String(before % 10)
  values.set(digit, value)
  return value
}

/**
 * Converts digits of all scripts to ASCII, all kinds of spaces to a space, full-width Latin to Latin, and dashes within
 * codes to hyphens. Removes invisible characters.
 */
export function plain(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return (COMPOSABLE.test(text) ? text.normalize('NFC') : text)
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(NATIVE, ascii)
    .replace(KEYCAP, '')
    .replace(HYPHEN, '-')
}
