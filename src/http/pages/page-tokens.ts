import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSecureRequest } from '../asked.ts'
import { cookieAttributes, cookieName } from '../auth/auth.ts'
import type { HttpOptions } from '../options.ts'
import type { PageRequest } from './page-request.ts'

interface TokenPage {
  /** Names of the parameters that a token may come in; the first one that is there counts. */
  names: readonly string[]
  cookie: string
  /** How long the page can be reloaded. */
  seconds: number
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Pages that a link of an email, or the return from a payment, leads to. */
const PAGES: Record<string, TokenPage> = {
  '/account': { names: ['link'], cookie: 'link', seconds: 15 * MINUTE },
  '/forwarded': { names: ['stop', 'confirm'], cookie: 'consent', seconds: 60 * MINUTE },
  '/checkout': { names: ['order'], cookie: 'order', seconds: DAY },
}
const TOKEN = /^[\w-]{1,100}$/

const pageAt = (path: string): TokenPage | undefined => (Object.hasOwn(PAGES, path) ? PAGES[path] : undefined)

/**
 * Tokens of links, out of the URL: scripts, frames, the history and the next site's `Referer` could read them there. The
 * redirect puts the token into a cookie that no script reads, and leads to the page without it.
 */
export interface PageTokens {
  /** The query of the page without its token; undefined where it has none. Keeps the token in the cookie of the page. */
  take(reply: FastifyReply, page: PageRequest): URLSearchParams | undefined
  /** The page with the token that its cookie keeps, as if it had come in the query. */
  give(request: FastifyRequest, page: PageRequest): PageRequest
  /** Keeps another token for a page. */
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
    reply.setCookie(nameOf(request, page), `${name}.${token}`, { ...attributes(request), maxAge: page.seconds })
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
      // What is no token still takes the place of one that came before: the page must not show another link's content.
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
