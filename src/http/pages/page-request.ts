import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import type { PagePayload } from '#contract/pages.ts'
import { MayflyError } from '#core/errors.ts'
import { standardLanguage } from '#locales/languages.ts'
import { SAFE_METHODS } from '../auth/auth.ts'

export interface PageRequest {
  lang: string
  /** Without the language prefix. */
  path: string
  query: Record<string, string>
}

/** What the page with this name shows. */
export type Content<Name extends PagePayload['page']> = Pick<Extract<PagePayload, { page: Name }>, 'page' | 'data'>

/** Whether a form without JavaScript was just sent from this page. */
export const isSent = ({ query }: PageRequest): boolean => query.sent !== undefined

export const isCrawler = (request: FastifyRequest): boolean => isbot(request.headers['user-agent'] ?? '')

/** Returns the language that a form names, if it is valid. */
export const knownLanguage = (code: string | undefined, languages: readonly string[]): string =>
  code !== undefined && languages.includes(code) ? code : standardLanguage

/** Splits `/en/change` into language and path. The first language has no prefix. */
export function splitPath(pathname: string, languages: readonly string[]): { lang: string; path: string } {
  const [, first = ''] = pathname.split('/', 2)
  if (first === standardLanguage || !languages.includes(first)) return { lang: standardLanguage, path: pathname }
  return { lang: first, path: pathname.slice(first.length + 1) || '/' }
}

/** A target with two leading slashes is a path, not a host. A proxy may send the whole URL (RFC 9112 3.2.2). */
export function urlOf({ originalUrl }: FastifyRequest): URL {
  const parsed = URL.parse(originalUrl.startsWith('/') ? `http://localhost${originalUrl}` : originalUrl)
  if (!parsed) throw new MayflyError('invalid_request')
  return parsed
}

/** Whether a browser requests a page. API paths are for programs, whatever they accept. */
export const isForPeople = ({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  (headers.accept ?? '').includes('text/html') && !url.startsWith('/api/')

/**
 * Returns the URL for routing. A path with malformed percent-encoding reaches no route, so for a browser it is taken
 * literally and the error page for unknown paths responds.
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
