import { type Direction, TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { OWN_HEIGHT } from './image-size.ts'
import { MARK_SHEET, markLinks } from './links.ts'
import { textToHtml } from './text.ts'

/** The sandbox of a message's frame. It may open links in new pages, but has no scripts and no origin. */
export const FRAME_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/**
 * Images that are not loaded show their alternative text. Words in tables are not broken, since a column would become as
 * narrow as one letter: the page scales a message that is too wide. Images are shrunk in their ratio (image-size.ts). Those
 * with a map keep their size, because its areas are in pixels.
 */
const STYLE = `
html { font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word }
body { margin: 0; padding: 16px }
img:where(:not([usemap])) { max-width: 100% }
img:where(:not([usemap], [style^="${OWN_HEIGHT}"])) { height: auto }
img:not([src]):not([alt]), img:not([src])[alt=""] { display: none }
img:not([src]) { font-size: 13px; line-height: 1.4 }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
pre.text { margin: 0; font: inherit }
@media (min-width: 641px) { body { padding: 24px 28px } }
`

/** The colors of senders need a white background. */
const PAPER = `
:root { color-scheme: light }
html { background: #fff; color: #16202a }
a { color: #0b6b70 }
img:not([src]), pre.text [class^="quote-"] { color: #5b6875 }
`

/** A message without colors follows the page. Transparent images have dark lines more often than light ones. */
const PLAIN = `
:root { color-scheme: light dark }
html { background: light-dark(#fff, #132530); color: light-dark(#16202a, #e7eff1) }
a { color: light-dark(#0b6b70, #63cfce) }
img[src] { background: #fff }
img:not([src]), pre.text [class^="quote-"] { color: light-dark(#5b6875, #a3b8c0) }
pre.text .quote-2 { color: light-dark(#6b5a3a, #d6c19a) }
pre.text .quote-3 { color: light-dark(#5a5470, #c2b9e0) }
@media print { :root { color-scheme: light } }
`

/**
 * The body of a message is a box inside of that of the frame. Its own color is above that of `body` in its style sheets, as
 * in browsers.
 */
const filled = (color: string): string => `html, :root > body { background-color: ${color} }\n`

/** One image in the middle. Its height must not depend on that of the frame, which is made as tall as this document. */
const IMAGE = `
body { display: grid; justify-items: center; padding: 16px }
img { max-height: 528px }
`

const page = (body: string, style: string, dir: Direction = 'auto'): string =>
  `<!doctype html><html dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off"><style>${STYLE}${style}</style></head><body>${body}</body></html>`

interface Look {
  /** Whether the message sets colors, and so needs a white background. */
  colored?: boolean
  /** The color that fills the frame instead of white, as `backgroundOf` returns it. */
  background?: string | null
  /** Browsers scroll to what is wider than the frame only in the direction of the root. */
  dir?: Direction
}

/** Returns the document for the sandboxed frame. `html` must be sanitized. */
export const htmlFrame = (html: string, { colored = true, background, dir }: Look = {}): string =>
  page(markLinks(html), `${MARK_SHEET}${colored ? PAPER : PLAIN}${background ? filled(background) : ''}`, dir)

/** Returns the document for the frame with the text part of a message. */
export function textFrame(text: string): string {
  const shown = text.length > TEXT_MAX_CHARACTERS ? `${text.slice(0, TEXT_MAX_CHARACTERS).toWellFormed()}…` : text
  return page(`<pre class="text" dir="auto">${textToHtml(shown)}</pre>`, PLAIN)
}

/** Returns the document for the frame with one image, given as a data URL. */
export const imageFrame = (url: string): string => page(`<img src="${url}" alt="">`, `${PLAIN}${IMAGE}`)
