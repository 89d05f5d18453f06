import { addMotions, animated, type Motions } from './animations.ts'
import { COMMENT_MARKS, type CssNode, isClosed, parseCss } from './css-syntax.ts'
import { isAllowedValue } from './css-values.ts'
import { withoutOverrides } from './overrides.ts'
import { forRoots, type Roots } from './root-selectors.ts'
import type { Fits } from './selector-cost.ts'

/** Returns a URL that the frame may load instead of a remote URL, or undefined to remove it. */
export type RemoteUrl = (url: string) => string | undefined

/** At-rules that message layouts need. Others, which could load content or define fonts, are removed. */
const ALLOWED_AT_RULES = new Set(['media', 'supports', 'container'])
const PROPERTY = /^[a-z-][\w-]*$/i
const URL_ONLY = /url\(\s*(?:(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*)?\)/gi
const URL_OR_STRING = new RegExp(`${URL_ONLY.source}|"[^"]*"|'[^']*'`, 'gi')
/**
 * CSS that can fetch, run or read anything, after `url()` was handled. Escapes and comments could hide any of it.
 */
const DANGEROUS =
  /\\|\/\*|url\s*\(|image\s*\(|image-set\s*\(|src\s*\(|element\s*\(|cross-fade\s*\(|paint\s*\(|attr\s*\(|expression|javascript:|vbscript:|data:|progid|<|@import/i
const DANGEROUS_PROPERTY = /^(?:behavior|-moz-binding|-o-link.*|src)$/i
const IMPORTANT = /!\s*important$/i
/** A placeholder for a URL. */
const MARK = '\u0001'
/** A character that no URL of the proxy and no `data:` URL in Base64 contains, and that could end the URL. */
const UNSAFE_IN_URL = /[^\w\-.~:/?#@!$&*+,;=%]/

function printDeclaration(text: string, remote: RemoteUrl): string {
  const colon = text.indexOf(':')
  const prop = text.slice(0, Math.max(colon, 0)).trim()
  if (!PROPERTY.test(prop) || DANGEROUS_PROPERTY.test(prop)) return ''
  const whole = text.slice(colon + 1).trim()
  const original = whole.replace(IMPORTANT, '').trim()
  const urls: string[] = []
  const value = oneLine(original).replace(
    URL_OR_STRING,
    (all: string, double?: string, single?: string, bare?: string) => {
      if (!/^u/i.test(all)) return all
      urls.push(double ?? single ?? bare ?? '')
      return MARK
    },
  )
  if (value === '' || DANGEROUS.test(value) || !isClosed(value) || !isAllowedValue(prop, value)) return ''
  // Called only for declarations that are kept, because `remote` counts what is shown.
  let at = 0
  const safe = value.replaceAll(MARK, () => {
    const url = remote(urls[at++] ?? '')
    return url === undefined || UNSAFE_IN_URL.test(url) ? 'none' : `url("${url}")`
  })
  return `${prop}:${safe}${original === whole ? '' : '!important'}`
}

/** Removes line breaks, which would end strings. */
const oneLine = (text: string): string => text.replace(/[\r\n\f]+/g, ' ')

/** Colors of a message are always shown on white, so styles for a dark color scheme are removed. */
const DARK = /prefers-color-scheme\s*:\s*dark/i
/** What only holds in a light color scheme always holds, even if that of the page is dark. */
const LIGHT = /\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi
const forLight = (query: string): string => query.replace(LIGHT, '(min-width:0)')

/** A `<` that compares, as in `(width <= 600px)`, and cannot begin a tag. */
const LESS = /<(?=[\s=\d])/g

/** Whether the condition of an at-rule is kept. */
const isShown = (query: string): boolean =>
  !DANGEROUS.test(query.replace(LESS, '')) && isClosed(query) && !DARK.test(query)

/** Words, numbers, comparisons, sums and parentheses. */
const MEDIA = /^[\w\s,.:/<>=+*()-]*$/
/** Longer queries are dropped, because searching for comments can take quadratic time. */
const MAX_MEDIA = 1000
const COMMENT = /\/\*[^]*?\*\//g

/** Returns the query of an attribute `media`; undefined if its style sheet is not kept. Nothing in a query ends the at-rule. */
export function queryOf(media: string): string | undefined {
  if (media.length > MAX_MEDIA) return undefined
  const query = oneLine(media.replace(COMMENT, ' ')).trim()
  return MEDIA.test(query) && isShown(query) ? forLight(query) : undefined
}

/** Returns sanitized CSS that applies only to a query of `queryOf`. */
export const forMedia = (query: string, css: string): string => (css && query ? `@media ${query}{${css}}` : css)

/** An at-rule: its name and what follows. */
const AT_RULE = /^@([\w-]*)([^]*)$/

export interface SheetOptions {
  /** Decides which rules are kept. */
  fits?: Fits
  roots?: Roots
  motions?: Motions
}

interface Printing extends Required<SheetOptions> {
  remote: RemoteUrl
  /** Steps of the selectors of the enclosing rule, as `fits` returned them. */
  outer?: number
}

function print(node: CssNode, printing: Printing): string {
  if ('declaration' in node) return printDeclaration(node.declaration, printing.remote)
  const prelude = oneLine(node.prelude)
  const [, name, params = ''] = AT_RULE.exec(prelude) ?? []
  if (name !== undefined) {
    // Real layers would be below the styles of the frame.
    if (/^layer$/i.test(name)) return printAll(node.nodes.filter(isRule), printing)
    if (!ALLOWED_AT_RULES.has(name.toLowerCase()) || !isShown(params)) return ''
    return `@${name} ${forLight(params.trim())}{${printAll(node.nodes, printing)}}`
  }
  // The value of a declaration, such as `color: {{ color }}`, is no rule.
  if (prelude === '' || prelude.endsWith(':') || DANGEROUS.test(prelude) || !isClosed(prelude)) return ''
  // The ids in the HTML have the same prefix.
  const selectors = forRoots(prelude.replace(/#(?=[a-z_-])/gi, '#mail-'), printing.roots)
  const outer = printing.fits(selectors, printing.outer)
  return outer === undefined ? '' : `${selectors}{${printAll(node.nodes, { ...printing, outer })}}`
}

const isRule = (node: CssNode): boolean => 'nodes' in node

function printAll(nodes: readonly CssNode[], printing: Printing): string {
  const pieces: string[] = []
  let last = ''
  for (const node of animated(nodes, printing.motions)) {
    const text = print(node, printing)
    if (!text) continue
    if (last && !last.endsWith('}')) pieces.push(';')
    pieces.push(text)
    last = text
  }
  return pieces.join('')
}

const parseMarked = (css: string): CssNode[] =>
  parseCss(withoutOverrides(css).replaceAll(MARK, '').replace(COMMENT_MARKS, ' '))

const ALL: Fits = () => 1
const NO_ROOTS: Roots = { html: false, body: false }

function printSafe(
  nodes: readonly CssNode[],
  remote: RemoteUrl,
  { fits = ALL, roots = NO_ROOTS, motions = new Map() }: SheetOptions = {},
): string {
  const text = printAll(nodes, { remote, fits, roots, motions })
  return text.replace(LESS, '').includes('<') ? '' : text
}

/**
 * Sanitizes a style sheet: removes everything that loads, runs or covers the page. The result is printed from the
 * parsed rules, so nothing unchecked passes. Rules and declarations with errors are left out, and declarations outside of
 * rules, which would begin a rule of the next sheet. So are rules that `fits` rejects.
 */
export const cleanCss = (css: string, remote: RemoteUrl, options?: SheetOptions): string =>
  printSafe(parseMarked(css).filter(isRule), remote, options)

/** Whether a `style` attribute has only declarations. URLs may contain `@`, as Content-IDs do. */
export const isDeclarations = (style: string): boolean =>
  !/[{}]/.test(style) && (!style.includes('@') || !style.replace(URL_ONLY, '').includes('@'))

/** Sanitizes the declarations of a `style` attribute. */
export const cleanStyle = (style: string, remote: RemoteUrl, motions?: Motions): string =>
  isDeclarations(style) ? printSafe(parseMarked(style), remote, motions && { motions }) : ''

/** Returns what the animations of style sheets show. */
export function motionsOf(sheets: readonly string[]): Motions {
  const motions: Motions = new Map()
  for (const css of sheets) if (/keyframes/i.test(css)) addMotions(parseMarked(css), motions)
  return motions
}
