import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { MayflyError } from '#core/errors.ts'
import { standardLanguage } from '#locales/languages.ts'

export interface PageRequest {
  lang: string
  /** Without the language prefix. */
  path: string
  query: Record<string, string>
}

export const isCrawler = (request: FastifyRequest): boolean => isbot(request.headers['user-agent'] ?? '')

/** The language that a form names, where there is such. */
export const knownLanguage = (code: string | undefined, languages: readonly string[]): string =>
  code !== undefined && languages.includes(code) ? code : standardLanguage

/** Splits `/en/change` into the language and the path; the first language has no prefix. */
export function splitPath(pathname: string, languages: readonly string[]): { lang: string; path: string } {
  const [, first = ''] = pathname.split('/', 2)
  if (first === standardLanguage || !languages.includes(first)) return { lang: standardLanguage, path: pathname }
  return { lang: first, path: pathname.slice(first.length + 1) || '/' }
}

/** A path that begins with two slashes is one, not the name of a host; a proxy may ask with the whole URL (RFC 9112 3.2.2). */
export function urlOf({ url }: FastifyRequest): URL {
  const parsed = URL.parse(url.startsWith('/') ? `http://localhost${url}` : url)
  if (!parsed) throw new MayflyError('invalid_request')
  return parsed
}

export function pageRequest(url: URL, pathname: string, languages: readonly string[]): PageRequest {
  const { lang, path } = splitPath(pathname, languages)
  return {
    lang,
    path: path.length > 1 ? path.replace(/\/$/, '') : path,
    query: Object.fromEntries(url.searchParams),
  }
}
