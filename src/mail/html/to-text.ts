import { Parser } from 'htmlparser2'

const SKIPPED = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'svg',
  'math',
  'textarea',
  'select',
  'iframe',
  'object',
])
const BLOCKS = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'br',
  'center',
  'dd',
  'div',
  'dl',
  'dt',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'td',
  'th',
  'tr',
  'ul',
])
const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'area', 'base', 'source', 'track'])
const HIDDEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])|max-height\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])/i

/** Deeper than any mail; the parser takes time by the square of the depth. */
export const MAX_HTML_DEPTH = 2000

/** The visible text of an HTML mail, a line for each block. Hidden text (preheaders) is left out. Throws over `MAX_HTML_DEPTH`. */
export function htmlToText(html: string): string {
  let text = ''
  /** Depth of the element that hides all inside it, 0 for none. */
  let hiddenAt = 0
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (BLOCKS.has(name)) text += '\n'
      if (VOID.has(name)) return
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
      const hides = SKIPPED.has(name) || attributes['hidden'] !== undefined || HIDDEN.test(attributes['style'] ?? '')
      if (hiddenAt === 0 && hides) hiddenAt = depth
    },
    ontext(part) {
      if (hiddenAt === 0) text += part.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (VOID.has(name)) return
      if (hiddenAt === depth) hiddenAt = 0
      depth--
      if (BLOCKS.has(name)) text += '\n'
    },
  })
  parser.end(html)
  return text
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
