import { languages } from '../../../locales/languages.ts'

/** The address of a page in a language; the first language has no prefix. */
export function pathIn(code: string, path: string): string {
  if (code === languages[0]?.code) return path
  return path === '/' ? `/${code}` : `/${code}${path}`
}
