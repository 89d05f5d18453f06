import type { PagePayload } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'

/** How a form fared is said once, on the page that it came from. */
const PASSING = ['error', 'retry', 'sent']

/** The address of a page in another language. */
export function elsewhere({ path, query }: Pick<PagePayload, 'path' | 'query'>, code: string): string {
  const kept = new URLSearchParams(query)
  for (const name of PASSING) kept.delete(name)
  return pathIn(code, path + (kept.size > 0 ? `?${kept}` : ''))
}
