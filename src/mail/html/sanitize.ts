import { Parser } from 'htmlparser2'
import sanitizeHtml, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { cleanCss, type RemoteUrl } from './css.ts'
import { remoteUrl } from './remote-url.ts'
import { MAX_HTML_DEPTH } from './to-text.ts'

export interface SanitizeOptions {
  /** Inline images by Content-ID without its angle brackets: `data:` URLs. */
  inline?: ReadonlyMap<string, string>
  /** Turns a remote URL into one of the proxy; without it remote content is left out. */
  remote?: RemoteUrl
}

export interface Sanitized {
  html: string
  /** Whether remote content was found, loaded or not. */
  hasRemoteContent: boolean
}

const TAGS = [
  'a',
  'abbr',
  'acronym',
  'address',
  'article',
  'aside',
  'b',
  'bdi',
  'bdo',
  'big',
  'blockquote',
  'br',
  'caption',
  'center',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'details',
  'dfn',
  'dir',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'font',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'main',
  'mark',
  'menu',
  'nav',
  'ol',
  'p',
  'pre',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'section',
  'small',
  'span',
  'strike',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'time',
  'tr',
  'tt',
  'u',
  'ul',
  'var',
  'wbr',
]
const ATTRIBUTES = [
  'abbr',
  'align',
  'alt',
  'background',
  'bgcolor',
  'border',
  'cellpadding',
  'cellspacing',
  'char',
  'cite',
  'class',
  'color',
  'colspan',
  'datetime',
  'dir',
  'face',
  'headers',
  'height',
  'hspace',
  'id',
  'lang',
  'noshade',
  'nowrap',
  'open',
  'rel',
  'reversed',
  'role',
  'rowspan',
  'rules',
  'scope',
  'size',
  'span',
  'src',
  'start',
  'style',
  'summary',
  'target',
  'title',
  'type',
  'valign',
  'value',
  'vspace',
  'width',
  'href',
  'name',
]
/** Data URLs that a mail may carry itself: raster images only, an SVG could hold markup. */
const INLINE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[a-z0-9+/=\s]*$/i
const LINK = /^(?:https?:|mailto:|tel:)/i

/**
 * The body of an HTML mail with nothing left that runs, submits, calls home or leaves its frame: the first of three walls
 * (the others are the sandboxed frame and its Content-Security-Policy). Throws over `MAX_HTML_DEPTH`.
 */
export function sanitizeMailHtml(html: string, { inline = new Map(), remote }: SanitizeOptions = {}): Sanitized {
  let hasRemoteContent = false

  const load: RemoteUrl = (reference) => {
    const trimmed = reference.trim()
    if (INLINE_DATA.test(trimmed)) return trimmed.replace(/\s/g, '')
    const contentId = /^cid:(.+)$/i.exec(trimmed)?.[1]
    if (contentId !== undefined) return inline.get(decode(contentId))
    const url = remoteUrl(trimmed)
    if (url === undefined) return undefined
    hasRemoteContent = true
    return remote?.(url)
  }
  /** Style sheets load remote images only: `cleanCss` refuses `data:`. */
  const loadStyle: RemoteUrl = (reference) => (/^(?:data|cid):/i.test(reference.trim()) ? undefined : load(reference))

  function clean(tagName: string, attributes: Attributes): Tag {
    const { src, background, style, href, id, name, class: classes, ...rest } = attributes
    const attribs: Attributes = {}
    for (const [key, value] of Object.entries(rest)) if (key !== 'rel' && key !== 'target') attribs[key] = value
    if (classes) attribs.class = classes
    const anchor = id ?? (tagName === 'a' ? name : undefined)
    if (anchor) attribs.id = `mail-${anchor}`
    if (style) {
      const cleaned = cleanCss(style, loadStyle)
      if (cleaned) attribs.style = cleaned
    }
    if (background) {
      const url = load(background)
      if (url) attribs.background = url
    }
    if (tagName === 'img') {
      const url = src === undefined ? undefined : load(src)
      if (url) attribs.src = url
    }
    if (tagName === 'a' && href) Object.assign(attribs, link(href))
    return { tagName, attribs }
  }

  const options: IOptions = {
    allowedTags: TAGS,
    allowedAttributes: { '*': ATTRIBUTES },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'title',
      'svg',
      'math',
      'template',
      'iframe',
      'object',
      'xmp',
      'plaintext',
      'noembed',
      'noframes',
    ],
    transformTags: { '*': clean },
    nestingLimit: 200,
  }
  const sheet = cleanCss(styleSheets(html), loadStyle).trim()
  const body = sanitizeHtml(html, options)
  return { html: sheet ? `<style>${sheet}</style>${body}` : body, hasRemoteContent }
}

/** The text of all `<style>` elements: sanitize-html would pass them through as they are. */
function styleSheets(html: string): string {
  let css = ''
  let inside = false
  let depth = 0
  const parser = new Parser({
    onopentagname(name) {
      inside = name === 'style'
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
    },
    ontext: (text) => void (css += inside ? text : ''),
    onclosetag() {
      inside = false
      depth--
    },
  })
  parser.end(html)
  return css
}

/** Links open outside the frame and tell the site nothing; anchors stay inside it. */
function link(href: string): Attributes {
  const target = href.trim()
  if (target.startsWith('#') && target.length > 1) return { href: `#mail-${target.slice(1)}` }
  // Browsers drop tabs and line breaks inside of URLs, so they are dropped before the scheme is looked at.
  // oxlint-disable-next-line no-control-regex
  const url = target.replace(/[\u0000-\u0020]/g, (character) => (character === ' ' ? '%20' : ''))
  return LINK.test(url) ? { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}

function decode(contentId: string): string {
  try {
    return decodeURIComponent(contentId)
  } catch {
    return contentId
  }
}
