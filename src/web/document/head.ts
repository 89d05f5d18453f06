import type { TextJson } from '#contract/content.ts'
import type { PagePayload } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { isOwn } from '../i18n/messages.ts'
import type { Text } from '../i18n/text.tsx'
import { accountTitle } from './account-title.ts'

export interface Head {
  title: string
  description: string
  keywords: string
}

const withName = (title: string, name: string): string => (title.includes(name) ? title : `${title} · ${name}`)

/** The main text of a page; null if the page has none. */
function ownText(payload: PagePayload): TextJson | null {
  if (payload.page === 'article') return payload.data.article
  if (payload.page === 'home' && payload.data.tool === 'home') return null
  return 'text' in payload.data ? payload.data.text : null
}

export function titleOf(payload: PagePayload, text: Text): string {
  if (payload.page === 'error') return `${payload.data.status} · ${text('site.name')}`
  if (payload.page === 'change') return text('change.metaTitle')
  if (isOwn(payload.page)) return withName(text(`${payload.page}.title`), text('site.name'))
  if (payload.page === 'offline') return withName(text('offline.title'), text('site.name'))
  const own = ownText(payload)
  return own ? withName(own.title, text('site.name')) : text('home.metaTitle')
}

/** Pages that search engines must not index. */
export const isHidden = ({ page }: PagePayload): boolean => page === 'error' || page === 'offline' || isOwn(page)

/** The meta description of a page. */
function descriptionOf(payload: PagePayload, text: Text): string {
  if (isHidden(payload)) return ''
  return (
    ownText(payload)?.description ?? text(payload.page === 'change' ? 'change.metaDescription' : 'home.metaDescription')
  )
}

/** Title, description and keywords of a page. */
export function headOf(payload: PagePayload, text: Text): Head {
  const title = titleOf(payload, text)
  const head = {
    // In the browser, the tabs do it: the home page needs no code for it.
    title: payload.page === 'account' ? accountTitle(payload.data, title, text) : title,
    description: descriptionOf(payload, text),
  }
  if (isHidden(payload)) return { ...head, keywords: '' }
  const own = ownText(payload)
  return {
    ...head,
    keywords: own?.keywords ?? text(payload.page === 'change' ? 'change.metaKeywords' : 'home.metaKeywords'),
  }
}

/** The canonical path of a page, without the language and without other query parameters. */
export const canonicalPath = ({ page, path, query }: PagePayload): string =>
  page === 'article' ? `${path}?slug=${query.slug}` : path

/** Updates the document's head after client-side navigation. */
export function updateHead(payload: PagePayload, text: Text): void {
  const { lang } = payload
  const set = (selector: string, name: string, value: string): void =>
    document.head.querySelector(selector)?.setAttribute(name, value)
  document.title = titleOf(payload, text)
  set('[name=description]', 'content', descriptionOf(payload, text))
  set('[rel=canonical]', 'href', location.origin + pathIn(lang, canonicalPath(payload)))
  set('[rel=manifest]', 'href', pathIn(lang, '/manifest.webmanifest'))
}
