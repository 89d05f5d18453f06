import { decodeHTMLAttribute } from 'entities/decode'

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

type Kind = 'comment' | 'style' | 'script' | 'data'

/** Yields what a reader does not see. What follows the last one without an end belongs to it. Takes linear time. */
function* bulkIn(html: string): Generator<{ kind: Kind; from: number; to: number }> {
  START.lastIndex = 0
  for (let start = START.exec(html); start; start = START.exec(html)) {
    const { index, 0: token, 1: element, 2: quote = '' } = start
    const after = index + token.length
    let kind: Kind = 'comment'
    let end: number
    if (element) {
      kind = element.toLowerCase() as 'style' | 'script'
      end = endOf(ENDS[kind], html, after)
      // `<!-->` is a whole comment.
    } else if (token === '<!--') end = endOf(/-->/g, html, after - 2)
    else {
      kind = 'data'
      end = endOfDataUrl(html, after, quote)
      if (end - after < MIN_DATA_URL) continue
    }
    const to = end === -1 ? html.length : end
    yield { kind, from: kind === 'data' ? after : index, to }
    START.lastIndex = to
  }
}

/** Replaces what a reader does not see. */
function replaceBulk(html: string, replacement: (kind: Kind, bulk: string) => string): string {
  const kept: string[] = []
  let at = 0
  for (const { kind, from, to } of bulkIn(html)) {
    kept.push(html.slice(at, from), replacement(kind, html.slice(from, to)))
    at = to
  }
  return kept.join('') + html.slice(at)
}

/**
 * Returns HTML without comments, style sheets, scripts and the content of long `data:` URLs, so that a limit on its
 * length counts what is shown.
 */
export const withoutBulk = (html: string): string => replaceBulk(html, () => '')

interface FittedHtml {
  html: string
  /** The long `data:` URLs, by those that stand for them in `html`. */
  data: ReadonlyMap<string, string>
  /** Whether the end is missing. */
  cut: boolean
}

/** In a style sheet, where they are never loaded. */
const DATA_IN_STYLE = new RegExp(`data:[^"'()<>]{${MIN_DATA_URL},}`, 'g')
/** A `<` that begins a tag or a comment. */
const TAG_START = /[a-z/!?]/i

/** Returns the beginning of HTML up to a limit that does not count comments, scripts and long `data:` URLs. */
export function fitHtml(html: string, max: number): FittedHtml {
  const data = new Map<string, string>()
  if (html.length <= max) return { html, data, cut: false }
  const short = replaceBulk(html, (kind, bulk) => {
    if (kind === 'style') return bulk.replace(DATA_IN_STYLE, 'data:')
    if (kind !== 'data') return ''
    const key = `#${data.size}`
    data.set(`data:${key}`, `data:${bulk.includes('&') ? decodeHTMLAttribute(bulk) : bulk}`)
    return key
  })
  if (short.length <= max) return { html: short, data, cut: false }
  const tag = short.lastIndexOf('<', max - 1)
  const isInTag = tag > short.lastIndexOf('>', max - 1) && TAG_START.test(short[tag + 1] ?? '')
  return { html: short.slice(0, isInTag ? tag : max).toWellFormed(), data, cut: true }
}
