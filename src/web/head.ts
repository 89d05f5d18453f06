import type { TextJson } from '#contract/content.ts'
import type { PagePayload } from '#contract/pages.ts'
import type { Text } from './i18n/text.tsx'

export interface Head {
  title: string
  description: string
  keywords: string
}

const withName = (title: string, name: string): string => (title.includes(name) ? title : `${title} · ${name}`)

/** The text that a page is made of; none for the home page, the page to choose an address, and errors. */
function ownText(payload: PagePayload): TextJson | null {
  if (payload.page === 'article') return payload.data.article
  if (payload.page === 'home' && payload.data.tool === 'home') return null
  return 'text' in payload.data ? payload.data.text : null
}

export function titleOf(payload: PagePayload, text: Text): string {
  if (payload.page === 'error') return `${payload.data.status} · ${text('site.name')}`
  if (payload.page === 'change') return text('change.metaTitle')
  if (payload.page === 'offline') return withName(text('offline.title'), text('site.name'))
  const own = ownText(payload)
  return own ? withName(own.title, text('site.name')) : text('home.metaTitle')
}

/** Not for search engines. */
export const isHidden = ({ page }: PagePayload): boolean => page === 'error' || page === 'offline'

/** Title, description and keywords of a page. */
export function headOf(payload: PagePayload, text: Text): Head {
  const title = titleOf(payload, text)
  const { page } = payload
  if (isHidden(payload)) return { title, description: '', keywords: '' }
  const own = ownText(payload)
  if (own) return { title, description: own.description, keywords: own.keywords }
  const key = page === 'change' ? 'change' : 'home'
  return { title, description: text(`${key}.metaDescription`), keywords: text(`${key}.metaKeywords`) }
}
