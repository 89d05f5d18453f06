import sanitizeHtml, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import type { Direction } from '#core/mailbox/message.ts'
import {
  ATTRIBUTES,
  OPAQUE_TAGS,
  OWN_ATTRIBUTES,
  PLACEHOLDERS,
  shownDeep,
  shownTag,
  TAGS,
  withoutPlaceholders,
} from './allowed.ts'
import { RESET } from './animations.ts'
import { backgroundOf } from './background.ts'
import { cleanStyle, motionsOf, type RemoteUrl } from './css.ts'
import { directionOf } from './direction.ts'
import { textOfInput } from './fields.ts'
import { imageStyle } from './image-size.ts'
import { contentIdOf, imageOf } from './inline-images.ts'
import { LayoutCost } from './layout-cost.ts'
import { withoutOverrides } from './overrides.ts'
import { browserHref, remoteUrl } from './remote-url.ts'
import { mayNameRoots, ROOT_ATTRIBUTE } from './root-selectors.ts'
import { limitSteps } from './selector-cost.ts'
import { cleanSheets, styleSheets } from './style-sheets.ts'
import { limitNesting, MAX_SHOWN_DEPTH } from './to-text.ts'
import { isPixel } from './trackers.ts'

interface SanitizeOptions {
  /** The `data:` URLs of inline images by Content-ID without angle brackets, `MAX_INLINE` characters in total. */
  inline?: ReadonlyMap<string, string>
  /** Long `data:` URLs of the HTML, by those that stand for them, each in one place (`fitHtml`). */
  data?: ReadonlyMap<string, string>
  /** Rewrites a remote URL to one of the proxy. Without it remote content is removed. */
  remote?: RemoteUrl | undefined
}

export interface Sanitized {
  html: string
  /** Whether remote content was found, loaded or not. */
  hasRemoteContent: boolean
  /** The URLs of remote images, and whether each is too small to be seen. */
  images: ReadonlyMap<string, boolean>
  /** Whether the message sets colors. */
  colored: boolean
  /** The color of the body's background, if all text is on it and nothing shows through. */
  background: string | null
  /** The direction of the whole message: the one that its author set, or else that of most of its letters. */
  dir: Direction
  /** Whether an embedded image is missing, because there is no room for it. */
  cut: boolean
}

/**
 * The most characters of inline images in one message. An image that is shown a thousand times is copied a thousand
 * times.
 */
export const MAX_INLINE = 10_000_000
const KEPT = new Set(ATTRIBUTES)
/** Data URLs that a message may contain: only raster images, because an SVG can contain markup. */
const INLINE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[a-z0-9+/=\s]*$/i
const LINK = /^(?:https?:|mailto:|tel:)/i
/** How browsers show fields. The size of the text around them does not count. */
const FIELD_STYLE = 'display:inline-block;border:1px solid #767676;padding:1px 2px;font:13.3px Arial,sans-serif'
const FIELD_STYLES = new Map([
  ['input', FIELD_STYLE],
  ['textarea', `${FIELD_STYLE};white-space:pre-wrap`],
])
const COLOR = /^#?[a-z0-9]{1,30}$/i
/** A declaration of colors, or of a change of them, in styles that `cleanCss` has printed. */
const SETS_COLOR = /(?:^|[{;])(?:-webkit-)?(?:color|background|filter|text-fill|text-stroke)[a-z-]*:/i
/** Tokens that browsers can't break, such as URLs. Text in scripts without spaces is not among them. */
const LONG_TOKEN = /(?:&[a-z0-9#]{1,8};|[!-%'-;=?-~]){40,}/gi
/** The length of the shortest of them. */
const LONG = 40
const CHARACTERS_PER_LINE = /(?:&[a-z0-9#]{1,8};|[!-%'-;=?-~]){20}/gi

/**
 * Sanitizes the body of an HTML message: nothing runs, submits, loads remote content or leaves its frame. This is the
 * first of three defenses. The others are the sandboxed frame and its Content-Security-Policy. Throws beyond
 * `MAX_HTML_DEPTH`.
 */
export function sanitizeMailHtml(
  html: string,
  { inline = new Map(), data = new Map(), remote }: SanitizeOptions = {},
): Sanitized {
  const images = new Map<string, boolean>()
  let colored = false
  /** The background of the first body. */
  let background: string | null | undefined
  let openBodies = 0
  /** Whether there is text outside of the first body. It does not have the color of the text inside. */
  let outside = false
  const directions = new Map<string, Direction>()
  const sheets = styleSheets(html)
  const motions = motionsOf(sheets.map(({ css }) => css))
  const roots = { html: false, body: false }
  const marksRoots = mayNameRoots(html)
  /** The inline images that are shown. The first copy of each is always shown, further ones while there is room. */
  const shown = new Set<string>()
  let room = MAX_INLINE
  for (const image of inline.values()) room -= image.length
  const unused = new Map(data)
  let cut = false
  const styles = new Map<string, string>()

  /** Whether there is room for one more image. One that is too large leaves the room to others. */
  const takeRoom = ({ length }: string): boolean => {
    if (length > room) return false
    room -= length
    return true
  }

  const load: RemoteUrl = (reference) => {
    const trimmed = reference.trim()
    if (INLINE_DATA.test(trimmed)) return trimmed.replace(/\s/g, '')
    const contentId = contentIdOf(trimmed)
    if (contentId !== undefined) {
      const image = inline.get(contentId)
      if (image === undefined || (shown.has(contentId) && !takeRoom(image))) return undefined
      shown.add(contentId)
      return image
    }
    const embedded = unused.get(trimmed)
    if (embedded !== undefined) {
      // Read once: a sender could refer to it again and again.
      unused.delete(trimmed)
      if (!INLINE_DATA.test(embedded)) return undefined
      if (takeRoom(embedded)) return embedded.replace(/\s/g, '')
      cut = true
      return undefined
    }
    const url = remoteUrl(trimmed)
    if (url === undefined) return undefined
    images.set(url, images.get(url) ?? false)
    return remote?.(url)
  }
  /** Style sheets load only remote images and those of parts, no `data:` URLs. */
  const loadStyle: RemoteUrl = (reference) => (/^data:/i.test(reference.trim()) ? undefined : load(reference))

  /** Cached, because messages repeat the same styles in every table cell. Not with inline images: each copy counts. */
  function styleOf(style: string): string {
    const known = styles.get(style)
    if (known !== undefined) return known
    const cleaned = cleanStyle(style, loadStyle, motions)
    colored ||= SETS_COLOR.test(cleaned)
    if (!/cid:/i.test(style)) styles.set(style, cleaned)
    return cleaned
  }

  function loadImage(reference: string, attributes: Attributes): string {
    const loaded = load(reference) ?? ''
    const url = remoteUrl(reference)
    if (url !== undefined && images.has(url) && isPixel(attributes)) images.set(url, true)
    return loaded
  }

  function clean(tagName: string, attributes: Attributes): Tag {
    const attribs: Attributes = {}
    const shownAs = shownTag(tagName, attributes)
    if (shownAs === undefined) return { tagName, attribs }
    const cheap = open > MAX_SHOWN_DEPTH ? shownDeep(shownAs) : cost.shown(shownAs)
    if (cheap !== shownAs) return { tagName: cheap, attribs }
    for (const name of Object.keys(attributes)) {
      if (KEPT.has(name)) attribs[name] = withoutOverrides(attributes[name] ?? '')
    }
    // sanitize-html drops attributes without a value.
    if (attributes['hidden'] !== undefined) attribs['hidden'] = 'hidden'
    const { background: image, style, href, id, name, usemap } = attributes
    const anchor = id ?? (tagName === 'a' ? name : undefined)
    if (anchor) attribs['id'] = `mail-${anchor}`
    const looks = tagName === 'body' ? bodyStyle(attributes) : (FIELD_STYLES.get(tagName) ?? '')
    const styling = [looks, style ?? ''].filter(Boolean).join(';')
    if (styling) attribs['style'] = styleOf(styling)
    if (image) attribs['background'] = load(image) ?? ''
    if (attributes['bgcolor'] || attributes['color'] || image) colored = true
    if (tagName === 'body' && background === undefined) background = backgroundOf(attribs['style'] ?? '')
    if (shownAs === 'img') attribs['src'] = loadImage(imageOf(tagName, attributes), attributes)
    if (shownAs === 'img' && usemap === undefined) attribs['style'] = imageStyle(attributes, attribs['style'])
    if (tagName === 'map' && name) attribs['name'] = `mail-${name}`
    if (tagName === 'img' && usemap?.startsWith('#')) attribs['usemap'] = `#mail-${usemap.slice(1)}`
    if ((tagName === 'a' || tagName === 'area') && href) Object.assign(attribs, link(href))
    for (const own of OWN_ATTRIBUTES) if (attribs[own] === '') delete attribs[own]
    const dir = attribs['dir']?.toLowerCase()
    if (isDirection(dir) && !directions.has(tagName)) directions.set(tagName, dir)
    // Without attributes, it needs no element.
    if (tagName === 'html' && Object.keys(attribs).length === 0) return { tagName, attribs }
    if (marksRoots && (tagName === 'html' || tagName === 'body')) {
      roots[tagName] = true
      attribs[ROOT_ATTRIBUTE] = tagName
    }
    return { tagName: shownAs, attribs }
  }

  const cost = new LayoutCost(html)
  const nesting = limitNesting()
  const size = { elements: 0, depth: 1 }
  /** The elements that were open after the last opening tag. */
  let open = 0
  const options: IOptions = {
    onOpenTag(name, attributes) {
      cost.open(shownTag(name, attributes) ?? '', attributes)
      size.elements++
      open = nesting.open()
      size.depth = Math.max(size.depth, open)
      // A second body that is not nested in the first one counts as outside.
      if (name === 'body' && openBodies++ === 0) outside ||= background !== undefined
    },
    onCloseTag(name) {
      cost.close()
      nesting.close()
      if (name === 'body') openBodies--
    },
    allowedTags: [...TAGS, ...PLACEHOLDERS],
    allowedAttributes: { '*': [...ATTRIBUTES, ...OWN_ATTRIBUTES, ROOT_ATTRIBUTE] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonTextTags: OPAQUE_TAGS,
    transformTags: { input: (tagName, attribs) => ({ tagName, attribs, text: textOfInput(attribs) }), '*': clean },
    textFilter(text) {
      cost.text(text)
      outside ||= openBodies === 0 && text.trim() !== ''
      return breakable(withoutOverrides(text))
    },
  }
  const body = withoutPlaceholders(sanitizeHtml(html, options))
  const cleaned = cleanSheets(sheets, loadStyle, { fits: limitSteps(body, size), roots, motions })
  const sheet = motions.size > 0 ? RESET + cleaned : cleaned
  colored ||= SETS_COLOR.test(sheet)
  return {
    html: sheet ? `<style>${sheet}</style>${body}` : body,
    hasRemoteContent: images.size > 0,
    images,
    colored,
    background: outside ? null : (background ?? null),
    dir: directions.get('body') ?? directions.get('html') ?? directionOf(body),
    cut,
  }
}

const isDirection = (dir: string | undefined): dir is Direction => dir === 'ltr' || dir === 'rtl' || dir === 'auto'

/** Whether a character is from `!` to `~` in ASCII. */
const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f

/**
 * Whether `LONG_TOKEN` may match: `LONG` visible ASCII characters follow each other. Looks at few characters of a usual
 * text, because one that is not visible rules out all runs across it.
 */
function mayBeLong(text: string): boolean {
  for (let last = LONG - 1; last < text.length;) {
    let at = last
    while (at > last - LONG && isVisibleAscii(text.charCodeAt(at))) at--
    if (at === last - LONG) return true
    last = at + LONG
  }
  return false
}

/** Lets long URLs wrap, so that a table with one is not wider than the screen. `text` is escaped. */
const breakable = (text: string): string =>
  mayBeLong(text) ? text.replace(LONG_TOKEN, (token) => token.replace(CHARACTERS_PER_LINE, '$&<wbr>')) : text

/** Returns the color of an attribute as CSS, which needs a `#` (HTML, rules for parsing a legacy color value). */
function legacyColor(value = ''): string {
  const color = value.trim()
  return /^[\da-f]{6}$/i.test(color) ? `#${color}` : COLOR.test(color) ? color : ''
}

/** Returns the attributes of the body element as CSS. The element itself becomes a `<div>`. */
function bodyStyle({ bgcolor, text, background }: Attributes): string {
  const [paper, ink] = [legacyColor(bgcolor), legacyColor(text)]
  const declarations = [
    paper && `background-color:${paper}`,
    ink && `color:${ink}`,
    background && !/["\\\n]/.test(background) ? `background-image:url("${background}")` : '',
  ]
  return declarations.filter(Boolean).join(';')
}

/** Returns the attributes of a link. Links open outside the frame without a referrer, anchors stay inside it. */
function link(href: string): Attributes {
  const target = href.trim()
  if (target.startsWith('#') && target.length > 1) return { href: `#mail-${target.slice(1)}` }
  const url = browserHref(target)
  return LINK.test(url) ? { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}
