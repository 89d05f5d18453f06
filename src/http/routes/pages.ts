import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../context.ts'
import { toMayflyError } from '../errors.ts'
import { errorPayload, pagePayload } from '../page-data.ts'
import { isCrawler, pageRequest, type PageRequest, urlOf } from '../page-request.ts'

const PAYLOAD = '/_payload.json'

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

function failed(context: RouteContext, page: PageRequest, error: MayflyError) {
  if (error.code === 'internal') context.deps.logger.error({ err: error.cause ?? error }, 'page failed')
  return errorPayload(context, page, error)
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
