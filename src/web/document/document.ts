import type { FaqJson, TextJson } from '#contract/content.ts'
import type { PagePayload } from '#contract/pages.ts'
import { escapeHtml } from '#core/text.ts'
import { type Language, pathIn } from '#locales/languages.ts'
import { cardOf } from './card.ts'
import { EARLY_SCRIPT } from './early.ts'
import { canonicalPath, type Head, isHidden } from './head.ts'

export interface Asset {
  /** `data`: fetched by a script later. */
  kind: 'style' | 'script' | 'preload' | 'data'
  file: string
}

/** Styles within the document. */
interface InlineStyles {
  kind: 'inline'
  css: string
}

export interface DocumentParts {
  language: Language
  languages: readonly Language[]
  publicUrl: string
  payload: PagePayload
  buildId: string
  head: Head
  /** What the preview image says. */
  imageAlt: string
  /** JSON-LD; null for none. */
  structured: object | null
  assets: readonly (Asset | InlineStyles)[]
  body: string
}

function withoutHtml(text: TextJson | FaqJson): TextJson {
  const questions = 'questions' in text ? { questions: text.questions.map((each) => ({ ...each, html: '' })) } : {}
  return { ...text, ...questions, html: '' }
}

/** The document contains the texts already, so the payload omits them. */
function withoutTexts(payload: PagePayload): object {
  const { text, article } = payload.data as { text?: TextJson | FaqJson; article?: TextJson }
  const data = {
    ...payload.data,
    ...(text ? { text: withoutHtml(text) } : {}),
    ...(article ? { article: withoutHtml(article) } : {}),
  }
  return { ...payload, data }
}

/** Escapes JSON for a script element, so that nothing in it looks like a tag. */
const embedded = (value: object): string => JSON.stringify(value).replace(/</g, String.raw`\u003c`)

/** Scripts and their data have low priority, because the page is complete without them and is painted first. */
const TAGS: Record<Asset['kind'], (file: string) => string> = {
  style: (file) => `<link rel="stylesheet" href="${file}">`,
  script: (file) => `<script type="module" fetchpriority="low" src="${file}"></script>`,
  data: (file) => `<link rel="preload" as="fetch" crossorigin fetchpriority="low" href="${file}">`,
  preload: (file) => `<link rel="modulepreload" fetchpriority="low" href="${file}">`,
}

const tagOf = (asset: Asset | InlineStyles): string =>
  asset.kind === 'inline' ? `<style>${asset.css}</style>` : TAGS[asset.kind](asset.file)

/** The hreflang of a language: no region, except for Chinese, whose region selects the script. */
const hreflangOf = (locale: string): string => (locale.startsWith('zh') ? locale : (locale.split('-', 1)[0] ?? locale))

/** The whole HTML document around a rendered page. */
export function documentOf({
  language,
  languages,
  publicUrl,
  payload,
  buildId,
  head,
  imageAlt,
  structured,
  assets,
  body,
}: DocumentParts): string {
  const found = isHidden(payload) ? '<meta name="robots" content="noindex">' : foundBy()

  /** Metadata for search engines and link previews. */
  function foundBy(): string {
    const { path, page } = payload
    const own = canonicalPath(payload)
    const [site, escaped] = [escapeHtml(publicUrl), escapeHtml(own)]
    const href = (code: string): string => site + pathIn(code, escaped)
    // Pages that exist only in the first language have no alternates.
    const sisters = path === '/faq' ? [] : languages
    const meta = (name: string, content: string): string => `<meta name="${name}" content="${escapeHtml(content)}">`
    const property = (name: string, content: string): string =>
      `<meta property="${name}" content="${escapeHtml(content)}">`
    return [
      meta('description', head.description),
      meta('keywords', head.keywords),
      `<link rel="canonical" href="${href(language.code)}">`,
      ...sisters.map(
        ({ code, locale }) => `<link rel="alternate" hreflang="${hreflangOf(locale)}" href="${href(code)}">`,
      ),
      ...(sisters.length > 0 ? [`<link rel="alternate" hreflang="x-default" href="${href('en')}">`] : []),
      property('og:type', page === 'article' ? 'article' : 'website'),
      property('og:site_name', 'Mayfly'),
      property('og:title', head.title),
      property('og:description', head.description),
      property('og:url', publicUrl + pathIn(language.code, own)),
      property('og:locale', language.locale.replace('-', '_')),
      property('og:image', publicUrl + cardOf(payload)),
      property('og:image:alt', imageAlt),
      property('og:image:width', '1200'),
      property('og:image:height', '630'),
      meta('twitter:card', 'summary_large_image'),
      structured ? `<script type="application/ld+json">${embedded(structured)}</script>` : '',
    ].join('\n')
  }
  return `<!doctype html>
<html lang="${language.tag}" dir="${language.dir}" data-build="${buildId}" data-lang="${language.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f8f7" data-colors="light" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0d1a23" data-colors="dark" media="(prefers-color-scheme: dark)">
<script>${EARLY_SCRIPT}</script>
<title>${escapeHtml(head.title)}</title>
${found}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="${pathIn(language.code, '/manifest.webmanifest')}">
${assets.map(tagOf).join('\n')}
</head>
<body>
<div id="root">${body}</div>
${payload.page === 'offline' ? '<script src="/offline.js" defer></script>' : `<script type="application/json" id="payload">${embedded(withoutTexts(payload))}</script>`}
</body>
</html>`
}
