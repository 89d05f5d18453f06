import { documentCsp } from './frame-csp.ts'
import { FRAME_SANDBOX } from './frame.ts'

/**
 * Shows the HTML that the page posts in an inner frame, which has no scripts and no origin and inherits the policy of
 * this document. A frame directly in the page would inherit the policy of the page, which blocks the styles of the
 * message.
 */
const SCRIPT = `
addEventListener('message', ({ source, data: { html, title } }) => {
  if (source !== parent) return
  const frame = document.createElement('iframe')
  frame.sandbox = '${FRAME_SANDBOX}'
  frame.referrerPolicy = 'no-referrer'
  frame.title = title
  frame.srcdoc = html
  document.body.replaceChildren(frame)
})
parent.postMessage('ready', '*')
`

const STYLE = `html, body, iframe { display: block; inline-size: 100%; block-size: 100%; margin: 0; border: 0 } :root { color-scheme: light dark }`

/** The document around a message that the browser decrypted itself. It is the same for every message. */
export const PRIVATE_FRAME = `<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Mayfly</title><style>${STYLE}</style></head><body><script>${SCRIPT}</script></body></html>`

/**
 * The Content-Security-Policy of that document: only its own script runs, nothing is loaded, and the inner frame cannot
 * submit.
 */
export const privateFrameCsp = (remote: boolean): string =>
  documentCsp({ sandbox: `allow-scripts ${FRAME_SANDBOX}`, script: SCRIPT, remote })
