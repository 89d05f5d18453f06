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
/** Deeper elements are left out of the sanitized HTML. Their text, links, images and lines are kept. */
export const MAX_SHOWN_DEPTH = 200

/**
 * Returns functions to call for opening and closing tags. `open` returns how many elements are open, and throws a
 * `RangeError` if these are more than `MAX_HTML_DEPTH`.
 */
export function limitNesting(): { open: () => number; close: () => void } {
  let depth = 0
  return {
    open() {
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
      return depth
    },
    close: () => void depth--,
  }
}

/** White space that is not one space between words. Most texts have none. */
const UNEVEN = /[^\S ]| {2}/

/** Replaces any white space by one space. */
export const evenSpaces = (text: string): string => (UNEVEN.test(text) ? text.replace(/\s+/g, ' ') : text)

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
    const begun = text.trimStart()
    const words = begun.trimEnd()
    if (begun.length < text.length) this.#space = true
    if (words === '') return
    if (this.#parts.length > 0) {
      if (this.#breaks > 0) this.#parts.push(this.#breaks > 2 ? '\n\n' : '\n')
      else if (this.#space) this.#parts.push(' ')
    }
    this.#parts.push(evenSpaces(words))
    this.#breaks = 0
    this.#space = words.length < begun.length
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
  const handlers = collectors.map(({ handler }) => handler)
  const all: Collector<unknown>['handler'] = {
    onopentag(name, attributes, isImplied) {
      for (const handler of handlers) handler.onopentag(name, attributes, isImplied)
    },
    ontext(text) {
      for (const handler of handlers) handler.ontext(text)
    },
    onclosetag(name, isImplied) {
      for (const handler of handlers) handler.onclosetag(name, isImplied)
    },
  }
  new Parser(all).end(html)
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

/** Like `htmlToText`. Returns null if the HTML is nested too deep. */
export function textOfHtml(html: string): string | null {
  try {
    return htmlToText(html)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Collects the text that `htmlToText` returns. With `hidden`, also text whose `style` hides it. */
export function collectText({ images = false, hidden: all = false } = {}): Collector<string> {
  const lines = new Lines()
  /** Depth of the outermost hidden element, or 0. */
  let hiddenAt = 0
  /** The open elements with a font size, and whether it is 0. */
  const sizes: { depth: number; zero: boolean }[] = []
  let preformatted = 0
  let depth = 0
  const handler: Collector<string>['handler'] = {
    onopentag(name, { style, alt, size, hidden, class: names }) {
      if (BLOCKS.has(name)) lines.break()
      if (images && name === 'img' && alt) {
        lines.break()
        lines.add(alt)
        lines.break()
      }
      if (VOID.has(name)) return
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
      if (name === 'pre') preformatted++
      const styled = style ? FONT_SIZE.exec(style) : null
      if (styled) sizes.push({ depth, zero: styled[1] !== undefined })
      // Style sheets are not read, so text with a class counts as visible: its class may set another size than 0.
      else if (names || (size && name === 'font')) sizes.push({ depth, zero: false })
      const hides = SKIPPED.has(name) || (!all && (hidden !== undefined || (style && HIDDEN.test(style))))
      if (hiddenAt === 0 && hides) hiddenAt = depth
    },
    ontext(part) {
      if (hiddenAt !== 0 || (!all && sizes.at(-1)?.zero)) return
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
