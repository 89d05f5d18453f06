import { Parser } from 'htmlparser2'
import sanitizeHtml, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { ATTRIBUTES, OPAQUE_TAGS, OWN_ATTRIBUTES, TAGS } from './allowed.ts'
import { cleanCss, cleanStyle, type RemoteUrl } from './css.ts'
import { remoteUrl } from './remote-url.ts'
import { MAX_HTML_DEPTH } from './to-text.ts'

export interface SanitizeOptions {
  /** Inline images by Content-ID without its angle brackets: `data:` URLs. */
  inline?: ReadonlyMap<string, string>
  /** Characters of inline images in one mail: an image shown a thousand times is a thousand copies. */
  maxInline?: number
  /** Turns a remote URL into one of the proxy; without it remote content is left out. */
  remote?: RemoteUrl | undefined
}

export interface Sanitized {
  html: string
  /** Whether remote content was found, loaded or not. */
  hasRemoteContent: boolean
}

/** Data URLs that a mail may carry itself: raster images only, an SVG could hold markup. */
const INLINE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[a-z0-9+/=\s]*$/i
const LINK = /^(?:https?:|mailto:|tel:)/i
const COLOR = /^#?[a-z0-9]{1,30}$/i

/**
 * The body of an HTML mail with nothing left that runs, submits, calls home or leaves its frame: the first of three
 * walls (the others are the sandboxed frame and its Content-Security-Policy). Throws over `MAX_HTML_DEPTH`.
 */
export function sanitizeMailHtml(
  html: string,
  { inline = new Map(), maxInline = 10_000_000, remote }: SanitizeOptions = {},
): Sanitized {
  let hasRemoteContent = false
  let inlined = 0
  const styles = new Map<string, string>()

  const load: RemoteUrl = (reference) => {
    const trimmed = reference.trim()
    if (INLINE_DATA.test(trimmed)) return trimmed.replace(/\s/g, '')
    const contentId = /^cid:(.+)$/i.exec(trimmed)?.[1]
    if (contentId !== undefined) {
      const image = inline.get(decode(contentId)) ?? ''
      return image && (inlined += image.length) <= maxInline ? image : undefined
    }
    const url = remoteUrl(trimmed)
    if (url === undefined) return undefined
    hasRemoteContent = true
    return remote?.(url)
  }
  /** Style sheets load remote images only: `cleanCss` refuses `data:`. */
  const loadStyle: RemoteUrl = (reference) => (/^(?:data|cid):/i.test(reference.trim()) ? undefined : load(reference))

  /** Mails repeat the same styles in every cell. */
  function styleOf(style: string): string {
    const known = styles.get(style)
    if (known !== undefined) return known
    const cleaned = cleanStyle(style, loadStyle)
    styles.set(style, cleaned)
    return cleaned
  }

  function clean(tagName: string, attributes: Attributes): Tag {
    const attribs: Attributes = {}
    for (const name of Object.keys(attributes)) {
      if (!OWN_ATTRIBUTES.includes(name)) attribs[name] = attributes[name] ?? ''
    }
    const { src, srcset, background, style, href, id, name } = attributes
    const anchor = id ?? (tagName === 'a' ? name : undefined)
    if (anchor) attribs['id'] = `mail-${anchor}`
    const styling = [tagName === 'body' ? bodyStyle(attributes) : '', style ?? ''].filter(Boolean).join(';')
    if (styling) attribs['style'] = styleOf(styling)
    if (background) attribs['background'] = load(background) ?? ''
    if (tagName === 'img') attribs['src'] = load(src || firstOf(srcset)) ?? ''
    if (tagName === 'video') attribs['src'] = load(attributes['poster'] ?? '') ?? ''
    if (tagName === 'a' && href) Object.assign(attribs, link(href))
    for (const own of OWN_ATTRIBUTES) if (!attribs[own]) delete attribs[own]
    return { tagName: { body: 'div', video: 'img' }[tagName] ?? tagName, attribs }
  }

  const options: IOptions = {
    allowedTags: TAGS,
    allowedAttributes: { '*': [...ATTRIBUTES, ...OWN_ATTRIBUTES] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonTextTags: OPAQUE_TAGS,
    transformTags: { '*': clean },
    nestingLimit: 200,
  }
  // One by one: a broken sheet is dropped without the others.
  const sheet = styleSheets(html)
    .map((css) => cleanCss(css, loadStyle))
    .join('')
  const body = sanitizeHtml(html, options)
  return { html: sheet ? `<style>${sheet}</style>${body}` : body, hasRemoteContent }
}

/** What the attributes of the body element say, as CSS: the element itself becomes a `<div>`. */
function bodyStyle({ bgcolor = '', text = '', background }: Attributes): string {
  const declarations = [
    COLOR.test(bgcolor) ? `background-color:${bgcolor}` : '',
    COLOR.test(text) ? `color:${text}` : '',
    background && !/["\\\n]/.test(background) ? `background-image:url("${background}")` : '',
  ]
  return declarations.filter(Boolean).join(';')
}

/** The first candidate of a `srcset`, for images that have nothing else. */
const firstOf = (srcset = ''): string => srcset.trim().split(/\s/, 1)[0]?.replace(/,$/, '') ?? ''

/** The text of each `<style>` element: sanitize-html would pass them through as they are. */
function styleSheets(html: string): string[] {
  const sheets: string[] = []
  let inside = false
  let depth = 0
  const parser = new Parser({
    onopentagname(name) {
      inside = name === 'style'
      if (inside) sheets.push('')
      if (++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
    },
    ontext(text) {
      if (inside) sheets.push((sheets.pop() ?? '') + text)
    },
    onclosetag() {
      inside = false
      depth--
    },
  })
  parser.end(html)
  return sheets
}

/** Links open outside the frame and tell the site nothing; anchors stay inside it. */
function link(href: string): Attributes {
  const target = href.trim()
  if (target.startsWith('#') && target.length > 1) return { href: `#mail-${target.slice(1)}` }
  // Browsers drop tabs and line breaks inside of URLs, so they are dropped before the scheme is looked at.
  const url = target
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0020]/g, (character) => (character === ' ' ? '%20' : ''))
    .replace(/^\/\//, 'https://')
  return LINK.test(url) ? { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}

function decode(contentId: string): string {
  try {
    return decodeURIComponent(contentId)
  } catch {
    return contentId
  }
}
