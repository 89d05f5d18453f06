/** The zero of each script. Its ten digits are consecutive code points. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0ae6, 0x0be6, 0x0c66, 0x0e50, 0x1040, 0x17e0, 0xff10]

const NATIVE =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0e50-\u0e59\u1040-\u1049\u17e0-\u17e9\uff10-\uff19]/g
/** Invisible characters that separate a code or change its direction, and Arabic vowel signs, which are optional. */
const INVISIBLE = /[\u00ad\u064b-\u0652\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const FULL_WIDTH = /[\uff21-\uff3a\uff41-\uff5a]/g
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g

/** Accents and dots as separate characters, and letters of India that have two spellings. */
const COMPOSABLE =
  /[\u0300-\u0345\u0653-\u0655\u093c\u0958-\u095f\u09bc\u09df\u09dc\u09dd\u0a3c\u1100-\u11ff\u3099\u309a]/
/** What `plain` changes. Most texts have none of it. */
const UNUSUAL = new RegExp([COMPOSABLE, INVISIBLE, SPACES, FULL_WIDTH, NATIVE].map(({ source }) => source).join('|'))
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

/**
 * Converts digits of all scripts to ASCII, all kinds of spaces to a space and full-width Latin to Latin. Removes
 * invisible characters.
 */
export function plain(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return (COMPOSABLE.test(text) ? text.normalize('NFC') : text)
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(NATIVE, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
    })
}
