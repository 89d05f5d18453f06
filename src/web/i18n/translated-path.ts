import type { PagePayload } from '#contract/pages.ts'
import { pathIn, standardLanguage } from '#locales/languages.ts'

/** Query parameters that belong to a page in any language; the result of a form, or anything unknown, is left out. */
const KEPT = new Set(['slug', 'address', 'message', 'before', 'reason', 'confirm', 'stop'])
const MAX_LENGTH = 100

/** The path and fragment of the FAQ: a page of its own in the first language, in the others a part of the problem page. */
export const faqPath = (code: string): string => (code === standardLanguage ? '/faq' : '/problem#faq')

/** The address of a page in another language. */
export function translatedPath({ path, query }: Pick<PagePayload, 'path' | 'query'>, code: string): string {
  if (path === '/faq') return pathIn(code, faqPath(code))
  const kept = Object.entries(query).filter(([name, value]) => KEPT.has(name) && value.length <= MAX_LENGTH)
  return pathIn(code, path + (kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''))
}
