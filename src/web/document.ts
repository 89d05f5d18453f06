import type { PagePayload } from '#contract/pages.ts'
import type { Language } from '#locales/languages.ts'
import type { Head } from './head.ts'
import { pathIn } from '#locales/languages.ts'

export interface Asset {
  kind: 'style' | 'script' | 'preload'
  file: string
}

export interface DocumentParts {
  language: Language
  languages: readonly Language[]
  publicUrl: string
  payload: PagePayload
  buildId: string
  head: Head
  assets: readonly Asset[]
  body: string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
/** JSON inside of a script element: nothing in it may look like a tag. */
const embedded = (value: unknown): string => JSON.stringify(value).replace(/</g, String.raw`\u003c`)

const TAGS: Record<Asset['kind'], (file: string) => string> = {
  style: (file) => `<link rel="stylesheet" href="${file}">`,
  script: (file) => `<script type="module" src="${file}"></script>`,
  preload: (file) => `<link rel="modulepreload" href="${file}">`,
}

/** The whole HTML document around a rendered page. */
export function documentOf({
  language,
  languages,
  publicUrl,
  payload,
  buildId,
  head,
  assets,
  body,
}: DocumentParts): string {
  const { path, page } = payload
  const href = (code: string): string => escape(publicUrl + pathIn(code, path))
  const alternates = languages.map(
    ({ code, locale }) => `<link rel="alternate" hreflang="${locale}" href="${href(code)}">`,
  )
  const found =
    page === 'error'
      ? '<meta name="robots" content="noindex">'
      : `<meta name="description" content="${escape(head.description)}"><meta name="keywords" content="${escape(head.keywords)}"><link rel="canonical" href="${href(language.code)}">${alternates.join('')}`
  return `<!doctype html>
<html lang="${language.locale}" dir="${language.dir}" data-build="${buildId}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f8f7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0d1a23" media="(prefers-color-scheme: dark)">
<title>${escape(head.title)}</title>
${found}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${assets.map(({ kind, file }) => TAGS[kind](file)).join('\n')}
</head>
<body>
<div id="root">${body}</div>
<script type="application/json" id="payload">${embedded(payload)}</script>
</body>
</html>`
}
