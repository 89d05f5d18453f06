import type { PagePayload } from '#contract/pages.ts'
import { pathIn, standardLanguage } from '#locales/languages.ts'

/** Query parameters that are kept in other languages. Form results and unknown parameters are dropped. */
const KEPT = new Set(['slug', 'address', 'message', 'before', 'reason', 'confirm', 'stop'])
const MAX_LENGTH = 100

/** Path and fragment of the FAQ. The first language has a separate page; in others it is part of the problem page. */
export const faqPath = (code: string): string => (code === standardLanguage ? '/faq' : '/problem#faq')

/** The path of a page in another language. */
export function translatedPath({ path, query }: Pick<PagePayload, 'path' | 'query'>, code: string): string {
  if (path === '/faq') return pathIn(code, faqPath(code))
  const kept = Object.entries(query).filter(([name, value]) => KEPT.has(name) && value.length <= MAX_LENGTH)
  return pathIn(code, path + (kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''))
}
