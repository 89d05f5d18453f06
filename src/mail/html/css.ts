import { parse, type AtRule, type ChildNode, type Container, type Declaration } from 'postcss'

/** Turns a remote URL into one the frame may load, or undefined to leave it out. */
export type RemoteUrl = (url: string) => string | undefined

/** At-rules that mail layouts need; whatever else could load, define fonts or escape goes. */
const ALLOWED_AT_RULES = new Set(['media', 'supports'])
const PROPERTY = /^[a-z-][\w-]*$/i
const URL_ONLY = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/gi
/**
 * Everything in CSS that can fetch, run or read: what is left after `url()` was dealt with. Escapes and comments could
 * hide any of it.
 */
const DANGEROUS =
  /\\|\/\*|url\s*\(|image\s*\(|image-set\s*\(|src\s*\(|element\s*\(|cross-fade\s*\(|paint\s*\(|attr\s*\(|expression|javascript:|vbscript:|data:|progid|<|@import/i
const DANGEROUS_PROPERTY = /^(?:behavior|-moz-binding|-o-link.*|src)$/i
/** `fixed` and `sticky` would lie over the page where a reader of the API shows the mail without a frame. */
const POSITION = /^(?:static|relative|absolute|inherit|initial|unset)$/i
/** Stands for the quotes and brackets of a URL that was let through. */
const MARK = '\u0001'

function declaration({ prop, value: written, important }: Declaration, remote: RemoteUrl): string {
  if (!PROPERTY.test(prop) || DANGEROUS_PROPERTY.test(prop)) return ''
  const value = oneLine(written).replace(URL_ONLY, (_all, double?: string, single?: string, bare?: string) => {
    const url = remote(double ?? single ?? bare ?? '')
    return url === undefined ? 'none' : MARK + url + MARK
  })
  if (DANGEROUS.test(value) || (/^position$/i.test(prop) && !POSITION.test(value))) return ''
  // Only unreserved characters and URL punctuation stand in what `remote` answers, so quotes around it are enough.
  const safe = value.replace(new RegExp(`${MARK}([^${MARK}]*)${MARK}`, 'g'), 'url("$1")')
  return `${prop}:${safe}${important ? '!important' : ''}`
}

/** A browser ends a broken string at the line's end, postcss does not: without line ends both read the same. */
const oneLine = (text: string): string => text.replace(/[\r\n\f]+/g, ' ')

/** The sheet of the frame is light whatever the reader's system is, so a dark style would not fit what is around it. */
const isWanted = ({ name, params }: AtRule): boolean =>
  ALLOWED_AT_RULES.has(name.toLowerCase()) && !DANGEROUS.test(params) && !/prefers-color-scheme/i.test(params)

function print(node: ChildNode, remote: RemoteUrl): string {
  if (node.type === 'decl') return declaration(node, remote)
  if (node.type === 'rule') {
    // Ids are prefixed in the HTML, so they are here.
    const selector = oneLine(node.selector).replace(/#(?=[a-z_-])/gi, '#mail-')
    return DANGEROUS.test(selector) ? '' : `${selector}{${printAll(node, remote)}}`
  }
  if (node.type !== 'atrule' || !node.nodes || !isWanted(node)) return ''
  return `@${node.name} ${oneLine(node.params)}{${printAll(node, remote)}}`
}

function printAll(container: Container, remote: RemoteUrl): string {
  const pieces: string[] = []
  let last = ''
  for (const node of container.nodes ?? []) {
    const text = print(node, remote)
    if (!text) continue
    if (last && !last.endsWith('}')) pieces.push(';')
    pieces.push(text)
    last = text
  }
  return pieces.join('')
}

/**
 * A style sheet without all that loads, runs or covers the page. It is printed anew from what was understood, so
 * nothing passes that was not looked at. Empty where it can't be parsed.
 */
export function cleanCss(css: string, remote: RemoteUrl): string {
  try {
    const text = printAll(parse(css.replaceAll(MARK, '').replace(/<!--|-->/g, '')), remote)
    return text.includes('<') ? '' : text
  } catch {
    return ''
  }
}

/**
 * The same for the declarations of a `style` attribute. What a browser would pass over there
 * (`color:red;junk;width:1px`) is passed over here.
 */
export function cleanStyle(style: string, remote: RemoteUrl): string {
  if (/[{}@]/.test(style)) return ''
  const whole = cleanCss(style, remote)
  if (whole || !style.includes(';')) return whole
  const pieces = style.split(';').map((piece) => cleanCss(piece, remote))
  return pieces.filter(Boolean).join(';')
}
