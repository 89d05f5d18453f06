import { type Handler, Parser } from 'htmlparser2'
import { textOfInput } from './fields.ts'
import { FLEX, showingOf, UNSTYLED } from './showing.ts'

const SKIPPED = new Set('head iframe math noembed noframes script select style svg template title xmp'.split(' '))
const BLOCKS = new Set(
  `address article aside blockquote body br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hr li main nav ol p pre section summary table td th tr ul`.split(/\s+/),
)
/** Elements without a closing tag. */
export const VOID = new Set(`area base br col embed hr img input link meta param source track wbr`.split(' '))
/** What may be in the head of HTML. Anything else ends it (HTML, "in head" insertion mode). */
const IN_HEAD = new Set('base basefont bgsound head link meta noframes noscript script style template title'.split(' '))

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

/** A letter or digit of a script whose words have spaces around them. Words of Korean may go on with a particle. */
const IN_WORD =
  /^(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}])[\p{L}\p{N}]$/u
const DIGIT = /^\p{N}$/u
/** A letter and a small letter across the edge of a box: one word, as after a large initial. */
const GOES_ON = /^\p{L}\n\p{Ll}$/u
const ONE = { atEnd: /(?:^|[^\p{L}\p{N}])[\p{L}\p{N}]$/u, atStart: /^[\p{L}\p{N}](?![\p{L}\p{N}])/u }

/** What an edge of an element does: it ends a line, or separates words that would touch there, or digits. */
type Edge = 'line' | 'word' | 'digit'

/**
 * Builds lines of words in one pass. White space is collapsed to one space, block boundaries to one line break or an
 * empty line.
 */
class Lines {
  readonly #parts: string[] = []
  #breaks = 0
  #space = false
  #seam: Edge | undefined

  edge(edge: Edge | undefined): void {
    if (edge === 'line') this.break()
    else if (this.#seam !== 'word') this.#seam = edge ?? this.#seam
  }

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
      else if (this.#space || (this.#seam && this.#separates(this.#seam, words))) this.#parts.push(' ')
    }
    this.#parts.push(evenSpaces(words))
    this.#breaks = 0
    this.#space = words.length < begun.length
    this.#seam = undefined
  }

  /** Whether an edge separates the last text from the next one. A box of one character is part of a word or code. */
  #separates(edge: Edge, next: string): boolean {
    const last = (this.#parts.at(-1) ?? '').slice(-2)
    const [before, after] = [last.slice(-1), next.charAt(0)]
    if (edge !== 'word') return DIGIT.test(before) && DIGIT.test(after)
    if (!IN_WORD.test(before) || !IN_WORD.test(after) || GOES_ON.test(`${before}\n${after}`)) return false
    return !ONE.atEnd.test(last) && !ONE.atStart.test(next.slice(0, 2))
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
  const close = (name: string, isImplied: boolean): void => {
    for (const handler of handlers) handler.onclosetag(name, isImplied)
  }
  let depth = 0
  /** Depth of the open head, and of one whose end is missing. 0: none. */
  let headAt = 0
  let endedAt = 0
  let hadHead = false
  const endHead = (): void => {
    close('head', true)
    endedAt = headAt
    headAt = 0
  }
  const all: Collector<unknown>['handler'] = {
    onopentag(name, attributes, isImplied) {
      if (headAt !== 0 && depth === headAt && !IN_HEAD.has(name)) endHead()
      if (!VOID.has(name)) depth++
      const isFirst = name === 'head' && !hadHead
      if (isFirst) headAt = depth
      hadHead ||= isFirst
      // Browsers ignore further heads.
      const shown = name === 'head' && !isFirst ? 'span' : name
      for (const handler of handlers) handler.onopentag(shown, attributes, isImplied)
    },
    ontext(text) {
      if (headAt !== 0 && depth === headAt && /\S/.test(text)) endHead()
      for (const handler of handlers) handler.ontext(text)
    },
    onclosetag(name, isImplied) {
      if (VOID.has(name)) return close(name, isImplied)
      const isEnded = depth === endedAt
      const isOpen = depth === headAt
      if (isOpen) headAt = 0
      if (isEnded) endedAt = 0
      depth--
      if (!isEnded) close(name === 'head' && !isOpen ? 'span' : name, isImplied)
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

/** Elements that are shown in a way of their own. */
const EDGES = new Map<string, Edge>([
  ...[...BLOCKS].map((name): [string, Edge] => [name, 'line']),
  ['sub', 'digit'],
  ['sup', 'digit'],
  ['textarea', 'word'],
])
/** Their height is a minimum. */
const TABLE_PARTS = /^t(?:able|d|h|r)$/
const PREFORMATTED = new Set(['pre', 'textarea'])

/** An open element whose style or name changes how the text in it is shown. */
interface Open {
  depth: number
  /** At its end. */
  edge: Edge | undefined
  /** Whether its own text has no size, or is invisible. Elements in it may be shown. */
  tiny: boolean
  invisible: boolean
  /** Whether the elements in it are beside each other. */
  flex: boolean
}

const ROOT: Open = { depth: 0, edge: undefined, tiny: false, invisible: false, flex: false }

/** Collects the text that `htmlToText` returns. With `hidden`, no style hides or separates text. */
export function collectText({ images = false, hidden: all = false } = {}): Collector<string> {
  const lines = new Lines()
  /** Depth of the outermost hidden element, or 0. */
  let hiddenAt = 0
  const open: Open[] = []
  let preformatted = 0
  let depth = 0
  const handler: Collector<string>['handler'] = {
    onopentag(name, attributes) {
      const isVoid = VOID.has(name)
      if (!isVoid && ++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
      if (PREFORMATTED.has(name)) preformatted++
      if (hiddenAt !== 0) return
      const { style, alt, size, hidden, class: names } = attributes
      const { hides: hidesAll, cuts, display, visible, sized, box } = style && !all ? showingOf(style) : UNSTYLED
      const hides = hidesAll || (cuts && (box !== undefined || (BLOCKS.has(name) && !TABLE_PARTS.test(name))))
      const isRemoved = !all && (display === 'none' || (display === undefined && hidden !== undefined))
      const around = open.at(-1) ?? ROOT
      const isBeside = box === 'beside' || (around.flex && around.depth === depth - (isVoid ? 0 : 1))
      const usual = EDGES.get(name)
      const edge = isRemoved
        ? undefined
        : usual === 'line' || (box === 'lines' && !isVoid)
          ? 'line'
          : isBeside && !all
            ? 'word'
            : usual
      lines.edge(edge)
      if (isVoid) {
        if (isRemoved || hides) return
        if (images && name === 'img' && alt) addApart(alt, 'line')
        if (name === 'input' && sized !== false && !(visible === undefined ? around.invisible : !visible))
          addApart(textOfInput(attributes), 'word')
        return
      }
      if (isRemoved || hides || SKIPPED.has(name)) hiddenAt = depth
      // Style sheets are not read, so text with a class counts as visible: its class may set another size than 0.
      const isSized = sized ?? (names || (size && name === 'font') ? true : undefined)
      const flex = FLEX.test(display ?? '')
      if (edge !== usual || isSized !== undefined || visible !== undefined || flex)
        open.push({
          depth,
          edge,
          tiny: isSized === undefined ? around.tiny : !isSized,
          invisible: visible === undefined ? around.invisible : !visible,
          flex,
        })
    },
    ontext(part) {
      if (hiddenAt !== 0) return
      const around = open.at(-1)
      if (around && !all && (around.tiny || around.invisible)) return
      if (preformatted === 0) return lines.add(part)
      for (const [i, line] of part.split('\n').entries()) {
        if (i > 0) lines.break()
        lines.add(line)
      }
    },
    onclosetag(name) {
      if (VOID.has(name)) return
      const isHidden = hiddenAt !== 0 && hiddenAt < depth
      if (hiddenAt === depth) hiddenAt = 0
      const closed = open.at(-1)?.depth === depth ? open.pop() : undefined
      if (PREFORMATTED.has(name)) preformatted--
      depth--
      if (!isHidden) lines.edge(closed ? closed.edge : EDGES.get(name))
    },
  }
  const addApart = (text: string, edge: Edge): void => {
    lines.edge(edge)
    lines.add(text)
    lines.edge(edge)
  }
  return { handler, result: () => lines.toString() }
}
