import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { MayflyError } from '#core/errors.ts'
import { standardLanguage } from '#locales/languages.ts'
import { SAFE_METHODS } from '../auth/auth.ts'

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
export function urlOf({ originalUrl }: FastifyRequest): URL {
  const parsed = URL.parse(originalUrl.startsWith('/') ? `http://localhost${originalUrl}` : originalUrl)
  if (!parsed) throw new MayflyError('invalid_request')
  return parsed
}

/** Whether a browser asks for a page: API paths are for programs, whatever they accept. */
export const isForPeople = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  (headers.accept ?? '').includes('text/html') && !url.startsWith('/api/')

/**
 * The URL to route a request by. A path with malformed percent-encoding reaches no route; asked for by a browser it is taken
 * literally, so that the error page of an unknown path answers.
 */
export function routableUrl(request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): string {
  const { method = '', url = '/' } = request
  if (!SAFE_METHODS.has(method) || !isForPeople(request)) return url
  const [path = '/'] = url.split('?', 1)
  try {
    decodeURI(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

export function pageRequest(url: URL, pathname: string, languages: readonly string[]): PageRequest {
  const { lang, path } = splitPath(pathname, languages)
  return {
    lang,
    path: path.length > 1 ? path.replace(/\/$/, '') : path,
    query: Object.fromEntries(url.searchParams),
  }
}
