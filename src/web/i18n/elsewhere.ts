import type { PagePayload } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'

/** What belongs to a page in any language; how a form fared is said once, and what somebody made up is nobody's. */
const KEPT = new Set(['slug', 'address', 'message', 'before', 'reason', 'confirm', 'stop'])
const MAX_LENGTH = 100

/** The address of a page in another language. */
export function elsewhere({ path, query }: Pick<PagePayload, 'path' | 'query'>, code: string): string {
  const kept = Object.entries(query).filter(([name, value]) => KEPT.has(name) && value.length <= MAX_LENGTH)
  return pathIn(code, path + (kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''))
}
