import type { PagePayload } from '#contract/pages.ts'
import type { Text } from './i18n/text.tsx'

export interface Head {
  title: string
  description: string
  keywords: string
}

/** Title, description and keywords of a page. */
export function headOf(payload: PagePayload, text: Text): Head {
  if (payload.page === 'error')
    return { title: `${payload.data.status} · ${text('site.name')}`, description: '', keywords: '' }
  const { page } = payload
  return {
    title: text(`${page}.metaTitle`),
    description: text(`${page}.metaDescription`),
    keywords: text(`${page}.metaKeywords`),
  }
}
