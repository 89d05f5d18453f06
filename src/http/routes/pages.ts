import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../context.ts'
import { toMayflyError } from '../errors.ts'
import { errorPayload, isCrawler, type PageRequest, pagePayload } from '../page-data.ts'

const PAYLOAD = '/_payload.json'

/** Splits `/en/change` into the language and the path; the first language has no prefix. */
export function splitPath(pathname: string, languages: readonly string[]): { lang: string; path: string } {
  const [standard = 'zh', ...prefixed] = languages
  const [, first = ''] = pathname.split('/', 2)
  if (!prefixed.includes(first)) return { lang: standard, path: pathname }
  return { lang: first, path: pathname.slice(first.length + 1) || '/' }
}

/** A path that begins with two slashes is one, not the name of a host; a proxy may ask with the whole URL (RFC 9112 3.2.2). */
function urlOf({ url }: FastifyRequest): URL {
  const parsed = URL.parse(url.startsWith('/') ? `http://localhost${url}` : url)
  if (!parsed) throw new MayflyError('invalid_request')
  return parsed
}

function pageRequest(url: URL, pathname: string, languages: readonly string[]): PageRequest {
  const query = Object.fromEntries(url.searchParams)
  const { lang, path } = splitPath(pathname, languages)
  return { lang, path: path.length > 1 ? path.replace(/\/$/, '') : path, query }
}

async function sendPage(context: RouteContext, request: FastifyRequest, reply: FastifyReply, page: PageRequest) {
  const payload = await pagePayload(context, request, page).catch((error: unknown) =>
    failed(context, page, toMayflyError(error)),
  )
  // Crawlers get the status and nothing to read (SPEC 8).
  const { status, html } = await context.deps.render(payload)
  const empty = payload.page === 'error' && isCrawler(request)
  return reply
    .status(payload.page === 'error' ? payload.data.status : status)
    .headers({ 'cache-control': 'private, no-store', vary: 'Cookie' })
    .type('text/html; charset=utf-8')
    .send(empty ? '' : html)
}

function failed({ deps }: RouteContext, page: PageRequest, error: MayflyError) {
  if (error.code === 'internal') deps.logger.error({ err: error.cause ?? error }, 'page failed')
  return errorPayload(page, error, deps.clock())
}

export const pageRoutes: Routes = (app, context) => {
  const { languages } = context.deps
  const [standard = 'zh'] = languages

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const url = urlOf(request)
    const { pathname, search } = url
    if (pathname === `/${standard}` || pathname.startsWith(`/${standard}/`)) {
      // Slashes are folded, or `/zh//evil.example` would lead away.
      return reply.redirect(`${pathname.slice(standard.length + 1).replace(/^\/*/, '/')}${search}`, 301)
    }
    if (!pathname.endsWith(PAYLOAD)) return sendPage(context, request, reply, pageRequest(url, pathname, languages))
    const page = pageRequest(url, pathname.slice(0, -PAYLOAD.length) || '/', languages)
    return pagePayload(context, request, page)
  })
}
