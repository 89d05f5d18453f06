/**
 * The third layer of protection around a message. The service has sanitized it, this policy lets nothing run or load
 * that the sanitizer missed, and the frame that shows it has no scripts and no origin.
 */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/** Images with a map keep their size, because its areas are in pixels. */
const STYLE =
  'html{font:15px/1.55 system-ui,sans-serif;background:#fff;color:#16202a;color-scheme:light;overflow-wrap:anywhere}' +
  'body{margin:0;padding:16px}img:where(:not([usemap])){max-width:100%;height:auto}img:not([src]):not([alt]){display:none}a{color:#0b6b70}' +
  'pre{margin:0;font:inherit;white-space:pre-wrap}'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The document of a message: its sanitized HTML, or else its text. */
export function documentOf({ html, text }: { html: string | null; text: string | null }): string {
  const body = html ?? `<pre dir="auto">${escape(text ?? '')}</pre>`
  return `<!doctype html><html dir="auto"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"><base target="_blank"><style>${STYLE}</style></head><body>${body}</body></html>`
}
