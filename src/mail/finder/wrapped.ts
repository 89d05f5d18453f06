import { isTopLevel } from '../url-end.ts'
import { codeWordsOf } from './words/words.ts'

/** Programs wrap text at 60 to 80 characters. */
const NARROWEST = 55
const WIDEST = 80
/**
 * A list item, a heading, a rule, a URL, or a labeled value such as `Order: 4711`. It begins a line of its own. A code with a
 * full stop is no number of a list, `**** 8821` is no list item, and the end of a sentence is no label.
 */
const OWN_LINE =
  /^(?:[-*•·](?=[\s\p{L}\d])|[-*]{2,}$|->|[>|=_#+~]|\d{1,2}[.)]\s|(?![\s\p{Ll}\d:：]|\*{4})(?:(?![.!?]\s)[^:：]){1,31}[:：](?:\s|$)|[Hh][Tt]{2}[Pp][Ss]?:)/u
const URL_AT_END = /https?:\/\/\S+$/i
/** A line with only the end of a URL, not with the beginning of another one. */
const URL_TAIL = /^(?!(?:https?|ftp):|www\.)[\w%&=?/.+~#:-]+$/i

/** `…&continue=`: the next line is its value, which may be a URL. */
const URL_IN_PARAMETER = /[?&][\w-]+=$/
/** `nce=4711&lang=en`, `%40brindle`: no line that is not part of a URL has these. */
const PARAMETERS = /[\w%]=[\w%]|&\w|\?\w+=|%[\dA-F]{2}/i
/** The rest of a path, in lower case: `/confirm`, `from-the-footer`, `.html`. */
const PATH = /^(?:[/._]|[a-z]+[-/._])[a-z]+(?:[-/._][a-z]+)*\/?$/
/** A date, a telephone number, a code, or words such as `Brindle24` and `-Anna`. It is not the rest of a URL. */
const OWN_VALUE =
  /^(?:[^A-Za-z]*|[A-Z\d-]{1,14}|[-~+#/]*(?:[A-Z][a-z]+[-/._:]?)+\d*|\d{1,4}[a-z]{1,3}|v?\d+(?:\.\d+)+|[-~+#]+[a-z]+|\/\/.*)[.,:!?]?$/
const HOST = /^(?:[a-z\d-]{1,63}\.){1,9}([a-z]{2,20})(?=$|[/:])/i
/** The end of a URL that is shorter is only joined to full lines. */
const SHORTEST_END = 3
/** The end of a URL that is longer is no code or name. */
const LONGEST_VALUE = 8
/** Widths below 70 at which programs wrap. */
const NARROW_WIDTHS = new Set([60, 64, 65, 68])
/** Widths at which programs wrap most often. */
const FULL_WIDTHS = new Set([70, 72, 75, 76, 78, 79, 80])
/** Random digits, capitals with digits, or letters in both cases, but no year, date, telephone number or name. */
const RANDOM =
  /^(?!0\d{0,14}$|(?:19|20)\d\d(?:\d{4})?$|\d{4}(?:19|20)\d\d$|[A-Z]{3,}\d{1,4}$|[a-z][A-Z][a-z]{2,}$|(?:[A-Z][a-z]+)+\d*$)(?:(?=[A-Z]*\d)[A-Z\d]+|(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[A-Za-z\d]+)$/
/** What may be a code. */
const MAY_BE_CODE = /^(?=\D*\d).{4,12}$/

const firstWord = (line: string): number => /^\S+/.exec(line)?.[0].length ?? 0

/**
 * Returns whether a line that follows a URL is the rest of it, because the sender's program cut the URL. `first`: the
 * length of the first line of a URL that was cut before. Otherwise two lines of the same length say so, or parameters, or
 * random characters at a width at which programs wrap.
 */
function goesOn(above: string, line: string, first: number): boolean {
  if (!URL_TAIL.test(line) || !/[a-z\d]/i.test(line)) return false
  if (above.length === (first || line.length) || PARAMETERS.test(line)) return true
  const host = HOST.exec(line)?.[1]
  return (
    line.length >= SHORTEST_END &&
    above.length <= WIDEST &&
    (line.length > LONGEST_VALUE || above.length >= 70 || NARROW_WIDTHS.has(above.length)) &&
    (/\d/.test(line) || PATH.test(line)) &&
    !OWN_VALUE.test(line) &&
    !(host !== undefined && isTopLevel(host))
  )
}

/** Returns whether a line names a code. */
const announces = (line: string): boolean => !line.includes('://') && codeWordsOf(line).length > 0

/** Returns whether a line below a full line with a URL is the random end of it, with an empty line behind it. */
const isRandomEnd = (above: string, line: string, next: string, namesCode: () => boolean): boolean =>
  next === '' &&
  (FULL_WIDTHS.has(above.length) || (line.length > LONGEST_VALUE && above.length <= WIDEST)) &&
  RANDOM.test(line) &&
  !(MAY_BE_CODE.test(line) && namesCode())

const isParameterValue = (line: string): boolean =>
  /^https?:\/\/\S+$/i.test(line) || (URL_TAIL.test(line) && !OWN_VALUE.test(line))

/**
 * Returns the length of the longest wrapped line. 0: the text is not wrapped. Some programs add a longer line, such as a
 * signature, to a wrapped text.
 */
function widthOf(lines: readonly string[]): number {
  if (!lines.some(({ length }) => length >= NARROWEST && length <= WIDEST)) return 0
  const prose = lines.filter((line) => /\S\s+\S/.test(line) && !/https?:/i.test(line))
  const width = Math.max(0, ...prose.map(({ length }) => length).filter((length) => length <= WIDEST))
  const long = prose.filter(({ length }) => length > WIDEST).length
  const full = lines.filter((line, i) => {
    const next = lines[i + 1] ?? ''
    return line.length <= WIDEST && next !== '' && line.length + 1 + firstWord(next) > width
  })
  return width < NARROWEST || long > full.length / 2 ? 0 : width
}

/**
 * Joins the lines of paragraphs and URLs that the sender's program wrapped: a line was wrapped if the first word of the
 * next one would not have fitted. `named`: the subject names a code, which may stand below a URL.
 */
export function unwrap(lines: readonly string[], named = false): string[] {
  const width = widthOf(lines)
  const joined: string[] = []
  /** Length of the first line of the URL that is being joined. 0: none was joined. */
  let first = 0
  let isNamed: boolean | undefined
  const namesCode = (): boolean => (isNamed ??= named || lines.some(announces))
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1] ?? ''
    const last = joined.at(-1) ?? ''
    const isUrl = last.includes('://') && URL_AT_END.test(last)
    if (!isUrl) first = 0
    const isValue = isUrl && URL_IN_PARAMETER.test(last)
    if (
      isUrl &&
      above.length >= NARROWEST &&
      (goesOn(above, line, first) ||
        (isValue && isParameterValue(line)) ||
        isRandomEnd(above, line, lines[i + 1] ?? '', namesCode))
    ) {
      joined[joined.length - 1] = (isValue ? last : last.replace(/=$/, '')) + line
      first ||= above.length
    } else if (
      line !== '' &&
      above !== '' &&
      (/^\[[^\]]*$/.test(above) ||
        (width > 0 &&
          /\S\s+\S/.test(above) &&
          !URL_AT_END.test(above) &&
          !OWN_LINE.test(line) &&
          above.length <= WIDEST &&
          above.length + 1 + firstWord(line) > width))
    )
      joined[joined.length - 1] = `${last} ${line}`
    else joined.push(line)
  }
  return joined
}
