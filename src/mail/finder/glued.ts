import { isTopLevel } from '../url-end.ts'
import { bitsOf, readWords } from './words/scan.ts'
import { codeWordsIn, codeWordsOf, isForeignBefore, lower, SURE } from './words/words.ts'

/** A run of characters without spaces that has a digit. */
const TOKEN = /(?<!\S)[^\s\d]*\d\S*/g
/** URLs and email addresses keep their form. */
const ADDRESS = /[@\\]|:\/\/|www\.|[?&][\w-]+=/i
/** A number or a code with nothing else: most tokens. */
const PLAIN = /^[(["“«]?(?:\d[\d.,:/-]*|(?![A-Z]+\d+[^A-Z\d]*$)[A-Z\d]+)[.,:;!?)\]"”»]*$/
/** Enough characters in a row for a code, or for the last group of a code with spaces. */
const MAY_HAVE_CODE = /\d{3}|[A-Z\d]{4}|[a-z\d]{5}|^\d{1,2}[.!?]+\p{L}/u
const LONGEST = 500

/** Scripts with spaces between words. In others, words touch a code, and the finder was trained with that. */
const SPACED = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}`
const FIRST_WORD = new RegExp(`^[${SPACED}][${SPACED}\\p{M}'’]*`, 'u')
/** The first letter of a sentence in another script than Latin. */
const OTHER_LETTER = String.raw`(?!\p{Script=Latin})(?:(?=\p{Lu})[${SPACED}]|\p{Script=Georgian})`
const OTHER = new RegExp(`^${OTHER_LETTER}`, 'u')
const NUMBER = String.raw`\d{4,8}`
/** Letters and digits. */
const CODE = String.raw`[A-Z]{1,3}-\d{4,8}|(?=[A-Za-z]{0,11}\d)(?:[A-Z\d]{4,12}|[a-z\d]{5,12}|[A-Za-z\d]{6,12})|\d{3}-\d{3}`
const ALONE = String.raw`(?<![${SPACED}\p{M}\d@_&%+~#$.,'’-])`
const CODE_AND_WORD = new RegExp(
  String.raw`${ALONE}(${CODE}|^\d{1,3})([.!?;:~]{1,3})(?=(\p{L}[\p{L}\p{M}'’]{0,30}))`,
  'gu',
)
/** `482913Nie`. Codes of digits and letters rarely look like that. */
const NUMBER_IN_WORD = new RegExp(
  String.raw`${ALONE}\d{5,8}(?:(?=\p{Lu}\p{Ll}{2,20}(?![\p{L}\p{M}\d@_=]))|(?=${OTHER_LETTER}))`,
  'gu',
)
const WORD = String.raw`(?<![\p{L}\p{M}\d@_.=&%+~#-])([${SPACED}][${SPACED}\p{M}]{1,29})`
const WORD_AND_CODE = new RegExp(
  String.raw`${WORD}([.,!?])(?=(\d{4,8}|(?=[A-Z]{0,7}\d)[A-Z\d]{5,8})(?![\p{L}\p{M}\d@_=&%*]|[.:-][\p{L}\d]|,\d))`,
  'gu',
)
/** Another code nearby. Then a number in a name is not the code: `Your code for Anna.482913 is 771204`. */
const OTHER_CODE = /(?<![\p{L}\d.,-])(?:\d{4,8}|(?=[A-Z]{0,7}\d)[A-Z\d]{4,8})(?![\p{L}\d@_])/u
const WORD_WITH_NUMBER = new RegExp(String.raw`${WORD}(-?)(?=${NUMBER}(?![\p{L}\p{M}\d@_=&%*-]|[.,:]\d))`, 'gu')
const NUMBER_AND_VERB = /(?<![\p{L}\d.,-])(\d{4,8})-(?=(?:is|your|valid|please|do|enter|use|expires)$)/gu
/** `code,482913,10` */
const CELL = /(?<=\p{L}),(\d{6,8}),(?=\d{1,3}$)/u
/** `#482913`, and dots from a word to a number: `code......482913`. Behind a space, they are the hidden part of a number. */
const LEAD =
  /(?:(?<![#\d])#(?=((?:\d{4,8}|(?=[A-Z]{0,7}\d)[A-Z\d]{4,8})(?![\p{L}\d]|-\d)))|(?<=[\p{L}:])(?:\.{3,}|…|_{3,})(?=\d{4,8}(?![\p{L}\d]))|(?<![.\d])\.{4,}(?=\d{6,8}(?![\p{L}\d])))/gu
const COLOR = /^[A-F\d]{6}$/
/** A footnote mark, or an ellipsis at the end of a line. Door codes and card numbers may end in a star too. */
const TAIL = /(?<=(?<![\p{L}\d*•#…@/_.,:-])(?:\d{4,8}|[A-Z\d]{5,8}))(?:\*(?=[.,;]?$)|…$)/u
/** Finnish and Swedish endings. */
const ENDING =
  /^(\d{4,8}|[A-Z\d]{4,10}):(?=(?:n|s|t|[aeä]n|een|[aä]{1,2}|t[aä]|l[lt][aäe]|lla|llä|s[st][aä]|ksi)[.,;!?)]*$)/
/** `482 – 913`: halves of a code, if a word for a code comes before them. Otherwise it may be a range. */
const HALVES = /(?<![\p{L}\d.,:–/=&_@#+$-]|[\d–-] )(\d{3}) [–-] (\d{3})(?![\p{L}\d%]| ?[–-]|[.,:/]\d)/gu

/** Verbs between a word for a code and the code. */
const VERB = /^(?:is|es|est|ist|è|é|lautet|adalah|ialah|jest|är|er|on|là)$/
const ABBREVIATION =
  /^(?:n[or]|nro|n[uú]m|tel|tlf|fax|art|ref|ver|vol|rev|ext|id|st|str|pp?|pos|fig|al|cap|rs|inr|usd|eur|chf|sr|room|rm|apt|bldg|v|т?ел|тел|ул|д|стр|руб|ст|кв)$/i
const FILE =
  /^(?:pdf|docx?|xlsx?|pptx?|txt|csv|xml|json|html?|jpe?g|png|gif|svg|webp|heic|tiff?|bmp|mp[34]|mov|avi|mkv|wav|ogg|zip|rar|gz|tar|tgz|log|eml|msg|ics|vcf|exe|dll|apk|dmg|iso|php|aspx?|jsp|js|css|md|rtf|od[ts]|bin|dat|bak|tmp|sql|db|pem|crt|epub|psd|indd|eps|dwg|ts|sh|py|yml|yaml|conf|ini|woff2?|ttf)$/
/** Top-level domains with which no sentence begins. */
const DOMAIN = /^(?:com|net|org|info|biz|cn|co|io|eu|tv|cc|nl|de|ru|pl|cz|kr|jp|hk|tw|uk|fr)$/

const PASSWORD = bitsOf('password')
const PURPOSE = bitsOf('verify', 'login', 'password')
/** How many characters before and after a token are read to decide what it is. */
const NEAR = 80

/**
 * Returns whether a text ends with a word for a code, and at most `gap` characters behind it. `sure`: it says what the code
 * is for.
 */
function endsWithCodeWord(before: string, { sure = false, gap = 24 } = {}): boolean {
  const reading = readWords(lower(before.slice(-NEAR)))
  const last = codeWordsIn(reading).at(-1)
  return (
    last !== undefined &&
    reading.text.length - last.end <= gap &&
    /^[^\d.!?,;，。；([]*$/.test(reading.text.slice(last.end)) &&
    !isForeignBefore(reading, last.start, { sure: false }) &&
    (!sure || (reading.bits & PURPOSE) !== 0 || SURE.test(reading.text))
  )
}

/** Returns whether a code and what follows it may be a password: one was named, and no sentence goes on. */
function isPassword(code: string, before: string, rest: string): boolean {
  if (/^ \p{L}/u.test(rest)) return false
  const reading = readWords(lower(before.slice(-NEAR)))
  return (
    (reading.bits & PASSWORD) !== 0 && ((/[a-z]/.test(code) && /[A-Z]/.test(code)) || codeWordsIn(reading).length === 0)
  )
}

const isNameOfCode = (word: string): boolean =>
  VERB.test(word) || codeWordsOf(word).some(({ start, end }) => start === 0 && end >= word.length - 2)

/**
 * Returns whether a stop between a code and a word ends a sentence, and is not part of the name of a file or a host. `next`: what
 * follows the word without a space; `rest`: what follows that.
 */
function isSentenceEnd(code: string, word: string, next: string, rest: string): boolean {
  const [begun = ''] = FIRST_WORD.exec(word) ?? []
  if (begun !== '' && begun !== word) return isSentenceEnd(code, begun, '', rest)
  const small = word.toLowerCase()
  if (small === word.toUpperCase()) return true
  if (/^\p{Lu}[\p{Ll}\p{M}'’]*$/u.test(word)) return !/^[\d@_=]/.test(next) && (word.length > 1 || next === '')
  if (/[a-z]/.test(code) || word.length === 1 || /^(?:[\d_@=&]|[.:-][\p{L}\d])/u.test(next) || FILE.test(small))
    return false
  const goesOn = next === '' && /^\s+\p{L}/u.test(rest)
  if (word.length <= 4 && next === '' && !goesOn) return false
  return !isTopLevel(small) || (!DOMAIN.test(small) && goesOn)
}

function tokenApart(token: string, before: string, rest: string): string {
  if (token.includes('/')) return token
  const isName = (word: string): boolean =>
    !isNameOfCode(word) && (/^\p{Ll}/u.test(word) || OTHER_CODE.test(before) || OTHER_CODE.test(rest))
  const isAboutCode = (): boolean => codeWordsOf(before).length > 0 || codeWordsOf(rest).length > 0
  return token
    .replace(CELL, ', $1, ')
    .replace(WORD_WITH_NUMBER, (found, word: string, dash: string) =>
      isNameOfCode(word) ? `${word} ${dash && '- '}` : found,
    )
    .replace(CODE_AND_WORD, (found, code: string, stop: string, word: string, at: number, whole: string) => {
      const isEnd = /^\d{1,3}$/.test(code) && !/\d $/.test(before)
      const isValue = stop.includes(':') && !/^\d{6,8}$/.test(code)
      const next = whole.slice(at + found.length + word.length)
      return isEnd || isValue || !isSentenceEnd(code, word, next, rest) || isPassword(code, before, rest)
        ? found
        : `${code}${stop.replace('~', '')} `
    })
    .replace(NUMBER_IN_WORD, (number, at: number, whole: string) => {
      const isInSentence = OTHER.test(whole.slice(at + number.length)) || /^ \p{L}/u.test(rest)
      return !isInSentence || isPassword(number, before, rest) ? number : `${number} `
    })
    .replace(WORD_AND_CODE, (found, word: string, stop: string, code: string) => {
      const isPart = stop === '.' && (ABBREVIATION.test(word) || code.length < 6 || !isAboutCode() || isName(word))
      return isPart || isPassword('', before, rest) ? found : `${found} `
    })
    .replace(NUMBER_AND_VERB, '$1 - ')
    .replace(LEAD, (found, value: string | undefined, at: number, whole: string) => {
      const above = found === '#' && at > 0 ? '' : before.slice(before.lastIndexOf('\n') + 1)
      const sure = value !== undefined && COLOR.test(value)
      return endsWithCodeWord(above + whole.slice(0, at), { sure, gap: 8 }) ? ' ' : found
    })
    .replace(TAIL, (found) => {
      const goesOn =
        found === '…'
          ? /^[^\S\n]*\S/.test(rest)
          : !/^[(“"]?(?:\d{6,8}|[A-Z\d]{5,8})\*/.test(token) || !endsWithCodeWord(before)
      return goesOn ? found : ''
    })
    .replace(ENDING, '$1 ')
}

/** Puts spaces between codes and the words and signs that were written without one: `482913.Please`, `OTP482913`. */
export function apart(text: string): string {
  const joined = text.replace(HALVES, (found, first: string, second: string, at: number) =>
    endsWithCodeWord(text.slice(Math.max(0, at - NEAR), at)) &&
    !OTHER_CODE.test(text.slice(at + found.length, at + found.length + NEAR))
      ? `${first}-${second}`
      : found,
  )
  return joined.replace(TOKEN, (token, at: number) => {
    if (token.length > LONGEST || PLAIN.test(token) || !MAY_HAVE_CODE.test(token) || ADDRESS.test(token)) return token
    return tokenApart(
      token,
      joined.slice(Math.max(0, at - NEAR), at),
      joined.slice(at + token.length, at + token.length + NEAR),
    )
  })
}
