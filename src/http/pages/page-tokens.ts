import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY, MINUTE, SECOND } from '#core/time.ts'
import { cookieAttributes, cookieName } from '../auth/cookies.ts'
import type { HttpOptions } from '../options.ts'
import { isSecureRequest } from '../request-origin.ts'
import type { PageRequest } from './page-request.ts'

interface TokenPage {
  /** Names of the parameters that may carry a token. The first one present counts. */
  names: readonly string[]
  cookie: string
  /** How long the page can be reloaded, in milliseconds. */
  lifetime: number
}

/** Pages that links in emails and returns from payments lead to. */
const PAGES: Record<string, TokenPage> = {
  '/account': { names: ['link'], cookie: 'link', lifetime: 15 * MINUTE },
  '/forwarded': { names: ['stop', 'confirm'], cookie: 'consent', lifetime: 60 * MINUTE },
  '/checkout': { names: ['order'], cookie: 'order', lifetime: DAY },
}
const TOKEN = /^[\w-]{1,100}$/

const pageAt = (path: string): TokenPage | undefined => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined)

/**
 * Moves tokens of links out of the URL, where scripts, frames, the history and the next site's `Referer` could read
 * them. A redirect puts the token into a cookie that scripts can't read, and leads to the page without it.
 */
export interface PageTokens {
  /** Stores the token in the cookie of the page. Returns the query without it, or undefined if it has none. */
  take(reply: FastifyReply, page: PageRequest): URLSearchParams | undefined
  /** Returns the page with the token from its cookie, as if it had been in the query. */
  give(request: FastifyRequest, page: PageRequest): PageRequest
  /** Stores another token for a page. */
  keep(reply: FastifyReply, path: string, name: string, token: string): void
  forget(request: FastifyRequest, reply: FastifyReply, path: string): void
}

export function createPageTokens(options: Pick<HttpOptions, 'publicUrl'>): PageTokens {
  const nameOf = (request: FastifyRequest, { cookie }: TokenPage): string =>
    cookieName(cookie, isSecureRequest(request, options))
  const attributes = (request: FastifyRequest) => cookieAttributes(isSecureRequest(request, options))

  const keep: PageTokens['keep'] = (reply, path, name, token) => {
    const { request } = reply
    const page = pageAt(path)
    if (!page) return
    reply.setCookie(nameOf(request, page), `${name}.${token}`, {
      ...attributes(request),
      maxAge: page.lifetime / SECOND,
    })
  }
  const forget: PageTokens['forget'] = (request, reply, path) => {
    const page = pageAt(path)
    if (!page || request.cookies[nameOf(request, page)] === undefined) return
    reply.clearCookie(nameOf(request, page), attributes(request))
  }

  return {
    keep,
    forget,
    take(reply, { path, query }) {
      const names = pageAt(path)?.names.filter((each) => query[each] !== undefined) ?? []
      const [name] = names
      if (name === undefined) return undefined
      // An invalid token still replaces an earlier one, so that the page does not show the content of another link.
      keep(reply, path, name, TOKEN.test(query[name] ?? '') ? (query[name] ?? '') : '')
      return new URLSearchParams(Object.entries(query).filter(([each]) => !names.includes(each)))
    },
    give(request, page) {
      const found = pageAt(page.path)
      const [name = '', token] = (found && request.cookies[nameOf(request, found)])?.split('.', 2) ?? []
      if (!found?.names.includes(name) || token === undefined || found.names.some((each) => each in page.query))
        return page
      return { ...page, query: { ...page.query, [name]: token } }
    },
  }
}
