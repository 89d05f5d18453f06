import { TEXT_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { textToHtml } from './text.ts'

/** The sandbox of a message's frame. It may open links in new pages, but has no scripts and no origin. */
export const FRAME_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/**
 * The Content-Security-Policy of the frame. Anything that the sanitizer has missed can neither run, load nor submit.
 */
export const frameCsp = (remote: boolean): string =>
  [
    "default-src 'none'",
    `img-src data:${remote ? " 'self'" : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    `sandbox ${FRAME_SANDBOX}`,
  ].join('; ')

/**
 * Messages are designed for a white background, and the colors of senders would be invisible on a dark one. The frame
 * therefore stays light in dark mode. Images that are not loaded show their alternative text.
 */
const STYLE = `
:root { color-scheme: light }
html { background: #fff; color: #16202a; font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere }
body { margin: 0; padding: 20px }
img { max-width: 100%; height: auto }
img:not([src]):not([alt]), img:not([src])[alt=""] { display: none }
img:not([src]) { color: #5b6875; font-size: 13px; line-height: 1.4 }
table { max-width: 100% }
a { color: #0b6b70 }
pre { white-space: pre-wrap }
pre.text { margin: 0; font: inherit }
pre.text [class^="quote-"] { color: #5b6875 }
pre.text .quote-2 { color: #6b5a3a }
pre.text .quote-3 { color: #5a5470 }
`

const page = (body: string): string =>
  `<!doctype html><html dir="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off"><style>${STYLE}</style></head><body>${body}</body></html>`

/** Returns the document for the sandboxed frame. `html` must be sanitized. */
export const htmlFrame = (html: string): string => page(html)

/** Returns the document for the frame with the text part of a message. */
export function textFrame(text: string): string {
  const shown = text.length > TEXT_MAX_CHARACTERS ? `${text.slice(0, TEXT_MAX_CHARACTERS).toWellFormed()}…` : text
  return page(`<pre class="text">${textToHtml(shown)}</pre>`)
}
