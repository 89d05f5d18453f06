import { type Handler, Parser } from 'htmlparser2'

const SKIPPED = new Set(
  `head iframe math noembed noframes noscript object script select style svg template textarea title xmp`.split(' '),
)
const BLOCKS = new Set(
  `address article aside blockquote body br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hr li main nav ol p pre section summary table td th tr ul`.split(/\s+/),
)
/** Elements without a closing tag. */
export const VOID = new Set(`area base br col embed hr img input link meta param source track wbr`.split(' '))
const HIDDEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|max-height\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])/i
/**
 * Only the innermost font size counts, because MJML sets the size of each cell to 0 and sets it again for the text
 * inside.
 */
const FONT_SIZE = /font-size\s*:\s*(0(?![.\d]*[1-9]))?/i

/** Deeper than any real message. The time of the parser grows with the square of the depth. */
export const MAX_HTML_DEPTH = 2000

/**
 * Builds lines of words in one pass. White space is collapsed to one space, block boundaries to one line break or an
 * empty line.
 */
class Lines {
  readonly #parts: string[] = []
  #breaks = 0
  #space = false

  break(): void {
    this.#breaks++
    this.#space = false
  }

  add(text: string): void {
    // White space at either end matters.
    if (/^\s/.test(text)) this.#space = true
    const words = text.trim()
    if (words === '') return
    if (this.#parts.length > 0) {
      if (this.#breaks > 0) this.#parts.push(this.#breaks > 2 ? '\n\n' : '\n')
      else if (this.#space) this.#parts.push(' ')
    }
    this.#parts.push(words.replace(/\s+/g, ' '))
    this.#breaks = 0
    this.#space = /\s$/.test(text)
  }

  toString(): string {
    return this.#parts.join('')
  }
}

/** A handler of htmlparser2 that collects what `result` returns. */
export interface Collector<Result> {
  handler: Required<Pick<Handler, 'onopentag' | 'ontext' | 'onclosetag'>>
  result(): Result
}

/** Reads HTML once for several collectors. Throws beyond `MAX_HTML_DEPTH` if one of them is `collectText`. */
export function readHtml(html: string, collectors: readonly Collector<unknown>[]): void {
  const [first, ...others] = collectors.map(({ handler }) => handler)
  if (!first) return
  const all = {
    onopentag(...args: Parameters<typeof first.onopentag>) {
      first.onopentag(...args)
      for (const other of others) other.onopentag(...args)
    },
    ontext(text: string) {
      first.ontext(text)
      for (const other of others) other.ontext(text)
    },
    onclosetag(...args: Parameters<typeof first.onclosetag>) {
      first.onclosetag(...args)
      for (const other of others) other.onclosetag(...args)
    },
  }
  new Parser(others.length === 0 ? first : all).end(html)
}

/**
 * Returns the visible text of an HTML message, one line per block. Hidden text (preheaders) is left out. With `images`,
 * each image is a line with its alternative text. Throws beyond `MAX_HTML_DEPTH`.
 */
export function htmlToText(html: string, options?: { images: boolean }): string {
  const text = collectText(options)
  readHtml(html, [text])
  return text.result()
}

/** Collects the text that `htmlToText` returns. */
export function collectText({ images = false } = {}): Collector<string> {
  const lines = new Lines()
  /** Depth of the outermost hidden element, or 0. */
  let hiddenAt = 0
  /** The open elements with a font size, and whether it is 0. */
  const sizes: { depth: number; zero: boolean }[] = []
  let preformatted = 0
  let depth = 0
  const handler: Collector<string>['handler'] = {
    onopentag(name, attributes) {
      if (BLOCKS.has(name)) lines.break()
      if (images && name === 'img' && attributes['alt']) {
        lines.break()
        lines.add(attributes['alt'])
        lines.break()
      }
      if (VOID.has(name)) return
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
      if (name === 'pre') preformatted++
      const size = FONT_SIZE.exec(attributes['style'] ?? '')
      if (size) sizes.push({ depth, zero: size[1] !== undefined })
      else if (name === 'font' && attributes['size']) sizes.push({ depth, zero: false })
      const hides = SKIPPED.has(name) || attributes['hidden'] !== undefined || HIDDEN.test(attributes['style'] ?? '')
      if (hiddenAt === 0 && hides) hiddenAt = depth
    },
    ontext(part) {
      if (hiddenAt !== 0 || sizes.at(-1)?.zero) return
      if (preformatted === 0) return lines.add(part)
      for (const [i, line] of part.split('\n').entries()) {
        if (i > 0) lines.break()
        lines.add(line)
      }
    },
    onclosetag(name) {
      if (VOID.has(name)) return
      if (hiddenAt === depth) hiddenAt = 0
      if (sizes.at(-1)?.depth === depth) sizes.pop()
      if (name === 'pre') preformatted--
      depth--
      if (BLOCKS.has(name)) lines.break()
    },
  }
  return { handler, result: () => lines.toString() }
}
