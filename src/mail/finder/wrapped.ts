/** Programs wrap text at 60 to 80 characters. */
const NARROWEST = 55
const WIDEST = 80
/** A list item, a heading, a rule, or a labeled value such as `Order: 4711`. It begins a line of its own. */
const OWN_LINE = /^(?:[-*•·>|=_#+~]|\d+[.)]\s|[^\s:：][^:：]{0,30}[:：](?:\s|$)|https?:)/i
const URL_AT_END = /https?:\/\/\S+$/i
/** A line with only the end of a URL, not with the beginning of another one. */
const URL_TAIL = /^(?!(?:https?|ftp):|www\.)[\w%&=?/.+~#:-]{3,}$/i

/** `…&continue=`: the next line is its value, which may be a URL. */
const URL_IN_PARAMETER = /[?&][\w-]+=$/

const firstWord = (line: string): number => /^\S+/.exec(line)?.[0].length ?? 0

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
 * next one would not have fitted.
 */
export function unwrap(lines: readonly string[]): string[] {
  const width = widthOf(lines)
  const joined: string[] = []
  /** Length of the first line of the URL that is being joined. */
  let urlWidth = 0
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1] ?? ''
    const last = joined.at(-1) ?? ''
    if (!last.includes('://') || !URL_AT_END.test(last)) urlWidth = 0
    else if (urlWidth === 0) urlWidth = above.length
    if (
      urlWidth >= NARROWEST &&
      above.length >= NARROWEST &&
      (above.length === urlWidth || /[\d%&=?/_-]/.test(line)) &&
      (URL_TAIL.test(line) || (URL_IN_PARAMETER.test(last) && /^https?:\/\/\S+$/i.test(line)))
    )
      joined[joined.length - 1] = (URL_IN_PARAMETER.test(last) ? last : last.replace(/=$/, '')) + line
    else if (
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
