/** The start of what a reader does not see: a comment, a style sheet, a script, or a `data:` URL after its quote. */
const START = /<!--|<(style|script)(?=[\s>])|(["']?)data:(?=[a-z]{1,20}\/)/gi
const ENDS = { style: /<\/style\s*>/gi, script: /<\/script\s*>/gi }
/** Characters of a URL without quotes. */
const URL_END = /[\s"'()<>]|$/g
/** A shorter one stays: it may be text. */
const MIN_DATA_URL = 500

/** Returns the index after the first match from `from` on, or -1. */
function endOf(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(html) ? pattern.lastIndex : -1
}

function endOfDataUrl(html: string, from: number, quote: string): number {
  if (quote !== '') {
    const end = html.indexOf(quote, from)
    return end === -1 ? html.length : end
  }
  URL_END.lastIndex = from
  return URL_END.exec(html)?.index ?? html.length
}

/**
 * Returns HTML without comments, style sheets, scripts and the content of long `data:` URLs, so that a limit on its
 * length counts what is shown. Takes time linear in its length.
 */
export function withoutBulk(html: string): string {
  const kept: string[] = []
  let at = 0
  START.lastIndex = 0
  for (let start = START.exec(html); start; start = START.exec(html)) {
    const { index, 0: token, 1: element, 2: quote = '' } = start
    const from = index + token.length
    let end: number
    let keptTo = index
    if (element) end = endOf(ENDS[element.toLowerCase() as keyof typeof ENDS], html, from)
    // `<!-->` is a whole comment.
    else if (token === '<!--') end = endOf(/-->/g, html, from - 2)
    else {
      end = endOfDataUrl(html, from, quote)
      if (end - from < MIN_DATA_URL) continue
      keptTo = from
    }
    kept.push(html.slice(at, keptTo))
    // Without an end, the rest of the message is not shown.
    at = end === -1 ? html.length : end
    START.lastIndex = at
  }
  return kept.join('') + html.slice(at)
}
