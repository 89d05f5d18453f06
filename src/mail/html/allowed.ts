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
  // The letters of a `<bdo>` are shown in another order than the one in which links are checked.
  ['bdo', 'bdi'],
])

/** Returns the element as which an element is shown. Undefined if it is removed. */
export const shownTag = (tag: string): string | undefined => SHOWN_AS.get(tag) ?? (SHOWN.has(tag) ? tag : undefined)

/** An element that stands for one of which only the content is shown. It is removed from the result. */
export const GONE = 'basefont'
const KEPT_DEEP = new Set(['a', 'area', 'br', 'hr', 'img', 'wbr'])
const LINES_DEEP = new Set('dd div dt h1 h2 h3 h4 h5 h6 li p pre td th'.split(' '))

/** Returns the element as which one of `shownTag` is shown that is nested too deep: the text stays as it is, in lines. */
export const shownDeep = (tag: string): string => (KEPT_DEEP.has(tag) ? tag : LINES_DEEP.has(tag) ? 'br' : GONE)

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
export const OPAQUE_TAGS =
  `iframe math noembed noframes noscript object option plaintext script style svg template textarea title xmp`.split(
    ' ',
  )
