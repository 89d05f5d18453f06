import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from '../context.ts'
import { isLookedAt } from './home-data.ts'
import { splitPath } from './page-request.ts'

const COOKIE = 'mayfly_locale'
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * Stores the language that a visitor chose. Links of this site stay in the language of their page, except those of the
 * language switch: a visitor who comes from a page in another language has chosen this one. So links need no script and
 * no redirect, and are the URLs that search engines know. With scripts, `keepLocale` does the same.
 */
export function keepChosenLanguage(
  { options, deps }: Pick<RouteContext, 'options' | 'deps'>,
  request: FastifyRequest,
  reply: FastifyReply,
  lang: string,
): void {
  const from = URL.parse(request.headers.referer ?? '')
  if (!from || !isLookedAt(request)) return
  if (from.origin !== options.publicUrl && from.host !== request.headers.host) return
  if (splitPath(from.pathname, deps.languages).lang === lang) return
  reply.setCookie(COOKIE, lang, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' })
}
