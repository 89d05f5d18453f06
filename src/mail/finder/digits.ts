/** The first digit of each script whose ten digits follow one another. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0ae6, 0x0be6, 0x0c66, 0x0e50, 0x1040, 0x17e0, 0xff10]

const isNative =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0e50-\u0e59\u1040-\u1049\u17e0-\u17e9\uff10-\uff19]/g
/** What holds a code apart or turns its direction, and is not seen; vowel signs, that some write and some don't. */
const INVISIBLE = /[\u00ad\u064b-\u0652\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g

/**
 * Digits of every script as ASCII, spaces of every width as one kind, full-width Latin as Latin, the invisible gone.
 */
export function plain(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(/[\uff21-\uff3a\uff41-\uff5a]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(isNative, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
    })
}
