import { escapeHtml } from '#core/text.ts'
import type { EmailParts } from './parts.ts'

interface EmailFrame extends EmailParts {
  /** BCP 47. */
  locale: string
  dir: 'ltr' | 'rtl'
  /** The texts above the URL of the button, and in the footer. */
  orCopy: string
  why: string
  answers: string
  contactUrl: string
}

const NAME = 'Mayfly'

export function textOf({ paragraphs, button, url, why, answers, contactUrl }: EmailFrame): string {
  return [...paragraphs, `${button}:\n${url}`, `-- \n${NAME}\n${why}\n${answers}\n${contactUrl}`].join('\n\n') + '\n'
}

/**
 * The dark colors of the site. The light colors are in `style` attributes, which every mail client supports. These
 * override them.
 */
const DARK = `
@media (prefers-color-scheme: dark) {
.page { background: #0d1a23 !important; color: #e7eff1 !important }
.card { background: #132530 !important; border-color: #223844 !important }
.soft { color: #a3b8c0 !important }
.bare { color: #63cfce !important }
.button { background: #f2b04d !important }
}`

const SOFT = 'color:#4b606b;font-size:14px'

const link = (url: string): string =>
  `<a class="bare" dir="ltr" href="${escapeHtml(url)}" style="color:#0b6f74;overflow-wrap:anywhere;word-break:break-all">${escapeHtml(url)}</a>`

/**
 * Renders simple HTML without tables, images and remote content. `lang` and `dir` are set twice because some mail
 * clients keep only the head and others only the body.
 */
export function htmlOf(frame: EmailFrame): string {
  const { subject, paragraphs, button, url, locale, dir } = frame
  const about = `lang="${locale}" dir="${dir}"`
  return `<!doctype html>
<html ${about}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark }${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f8f7;color:#13242e">
<div class="page" ${about} style="padding:24px 16px;background:#f6f8f7;color:#13242e;font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:start">
<div class="card" style="max-width:520px;margin:0 auto;padding:32px 24px;background:#ffffff;border:1px solid #dbe4e4;border-radius:16px">
<p class="soft" style="margin:0 0 24px;${SOFT};font-weight:600">${NAME}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.35">${escapeHtml(subject)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')}
<p style="margin:24px 0"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;border-radius:12px;background:#f0a437;color:#2a1a00;font-weight:650;text-decoration:none">${escapeHtml(button)}</a></p>
<p class="soft" style="margin:0;${SOFT}">${escapeHtml(frame.orCopy)}<br>${link(url)}</p>
</div>
<div class="soft" style="max-width:520px;margin:16px auto 0;padding:0 24px;${SOFT}">
<p style="margin:0 0 4px">${escapeHtml(frame.why)}</p>
<p style="margin:0">${escapeHtml(frame.answers)}<br>${link(frame.contactUrl)}</p>
</div>
</div>
</body>
</html>
`
}
