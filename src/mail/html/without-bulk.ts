import { Parser } from 'htmlparser2'
import { escapeHtml } from '#core/text.ts'
import { firstOf } from './inline-images.ts'
import { limitNesting } from './to-text.ts'

/** A shorter `data:` URL stays. */
const MIN_DATA_URL = 500
/** In styles, where they are never loaded. */
const DATA_IN_STYLE = new RegExp(String.raw`data:[a-z]+\/[^"'()<>{}]{${MIN_DATA_URL},}`, 'gi')
const withoutData = (css: string): string => css.replace(DATA_IN_STYLE, 'data:')

interface Replacements {
  /** Returns what stands for a long `data:` URL. */
  url: (url: string) => string
  sheet: (css: string) => string
}

/** Returns the value of an attribute without long `data:` URLs. */
function shorter(name: string, value: string, url: Replacements['url']): string {
  if (value.length < MIN_DATA_URL) return value
  if (name === 'style') return withoutData(value)
  const first = (name === 'srcset' ? firstOf(value) : value).trim()
  return first.length >= MIN_DATA_URL && /^data:/i.test(first) ? url(first) : value
}

/**
 * Replaces what a reader does not see: comments, the content of scripts and style sheets, and long `data:` URLs. They are
 * found by the parser that reads the result. Throws beyond `MAX_HTML_DEPTH`.
 */
function replaceBulk(html: string, { url, sheet }: Replacements): string {
  const kept: string[] = []
  let at = 0
  const replace = (from: number, to: number, text: string): void => {
    if (from < at || to <= from) return
    kept.push(html.slice(at, from), text)
    at = to
  }
  /** The index where the content of the open script or style sheet begins. */
  let content: number | undefined
  const nesting = limitNesting()
  const parser = new Parser({
    onopentag(name) {
      nesting.open()
      if (name === 'script' || name === 'style') content = parser.endIndex + 1
    },
    onattribute(name, value) {
      const text = shorter(name, value, url)
      if (text !== value) replace(parser.startIndex, parser.endIndex, `${name}="${escapeHtml(text)}"`)
    },
    oncomment() {
      replace(parser.startIndex, parser.endIndex + 1, '')
    },
    onclosetag(name) {
      nesting.close()
      if (content === undefined || (name !== 'script' && name !== 'style')) return
      const to = parser.startIndex
      replace(content, to, name === 'style' ? sheet(html.slice(content, to)) : '')
      content = undefined
    },
  })
  parser.end(html)
  // The parser drops a tag without an end, such as one that the beginning of a message ends in.
  return kept.join('') + html.slice(at, parser.startIndex)
}

/** Returns the result of a function, or that of another one if the HTML is nested too deep. */
function unlessDeep<T>(read: () => T, otherwise: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return otherwise()
    throw error
  }
}

/**
 * Returns HTML without comments, scripts, style sheets and the content of long `data:` URLs, so that a limit on its length
 * counts what is shown. Returns HTML that is nested too deep as it is.
 */
export const withoutBulk = (html: string): string =>
  unlessDeep(
    () => replaceBulk(html, { url: () => 'data:', sheet: () => '' }),
    () => html,
  )

interface FittedHtml {
  html: string
  /** The long `data:` URLs, by those that stand for them in `html`. */
  data: ReadonlyMap<string, string>
  /** Whether the end is missing. */
  cut: boolean
}

/** Returns the beginning of HTML up to a limit that does not count comments, scripts and long `data:` URLs. */
export function fitHtml(html: string, max: number): FittedHtml {
  const data = new Map<string, string>()
  if (html.length <= max) return { html, data, cut: false }
  const url = (whole: string): string => {
    const key = `data:#${data.size}`
    data.set(key, whole)
    return key
  }
  const short = unlessDeep(
    () => replaceBulk(html, { url, sheet: withoutData }),
    () => html,
  )
  return { html: short.slice(0, max).toWellFormed(), data, cut: short.length > max }
}
