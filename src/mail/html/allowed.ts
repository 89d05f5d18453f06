import { textOfInput } from './fields.ts'

/** Elements that a message may contain: text, tables and images. Other elements are removed, their text is kept. */
export const TAGS =
  `a abbr acronym address area article aside b bdi big blockquote br caption center cite code col colgroup dd del details
  dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main map mark menu nav ol p
  pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul
  var wbr`.split(/\s+/)

const SHOWN = new Set(TAGS)
/** Elements that are shown as another one. */
const SHOWN_AS = new Map([
  ['html', 'div'],
  ['body', 'div'],
  ['video', 'img'],
  // A `<bdo>` shows letters in a different order from the one in which links are checked.
  ['bdo', 'bdi'],
  // Only the text in them is shown: nothing can be typed or sent.
  ['input', 'span'],
  ['textarea', 'span'],
])

/** Returns the element as which an element is shown. Undefined if it is removed, as a field without text is. */
export const shownTag = (tag: string, attributes: Readonly<Record<string, string>>): string | undefined =>
  tag === 'input' && textOfInput(attributes) === ''
    ? undefined
    : (SHOWN_AS.get(tag) ?? (SHOWN.has(tag) ? tag : undefined))

/** Printed for elements of which only the content is shown: sanitize-html can't drop a tag that it transforms. */
export const GONE = 'mail-gone'
/** Printed for those that begin and end lines. */
const LINES = 'mail-lines'
export const PLACEHOLDERS = [GONE, LINES]
const TAGS_OF_PLACEHOLDERS = new RegExp(`(?:</?(?:${PLACEHOLDERS.join('|')})>)+`, 'g')

/** Removes the tags of placeholders from sanitized HTML. */
export const withoutPlaceholders = (html: string): string =>
  html.replace(TAGS_OF_PLACEHOLDERS, (tags) => (tags.includes(LINES) ? '<br />' : ''))

const KEPT_DEEP = new Set(['a', 'area', 'br', 'img'])
const BLOCKS = new Set(
  `address article aside blockquote caption center dd details dir div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header
  hr li main menu nav ol p pre section summary table td th tr ul`.split(/\s+/),
)
/** Blocks in which a browser starts lines and formatting anew, if they are in a table. */
export const CELLS = new Set(['caption', 'td', 'th'])
const TABLE_PARTS = new Set(['col', 'colgroup', 'tbody', 'tfoot', 'thead'])

/** Whether a shown element is a block, or a part of one, and not within a line. */
export const isBlock = (tag: string): boolean => BLOCKS.has(tag) || TABLE_PARTS.has(tag)

/** Returns what replaces a shown element (`shownTag`) that is nested too deep: its text stays, with its line breaks. */
export const shownDeep = (tag: string): string => (KEPT_DEEP.has(tag) ? tag : BLOCKS.has(tag) ? LINES : GONE)

/**
 * Attributes that affect only presentation and text. Attributes with URLs, `id` and `style` are rewritten one by one.
 */
export const ATTRIBUTES =
  `abbr align alt aria-hidden aria-label bgcolor border cellpadding cellspacing char class color colspan coords datetime dir face
  height hidden hspace lang noshade nowrap open reversed role rowspan rules scope shape size span start summary title type valign
  value vspace width`.split(/\s+/)

/** Attributes that only the sanitizer itself writes. */
export const OWN_ATTRIBUTES = ['background', 'href', 'id', 'name', 'rel', 'src', 'style', 'target', 'usemap']

/** Elements that are removed with their content. */
export const OPAQUE_TAGS = `iframe math noembed noframes option plaintext script style svg template title xmp`.split(
  ' ',
)
