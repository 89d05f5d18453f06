import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '#features/account/index.ts'
import { pathIn, standardLanguage } from '#locales/languages.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { toMayflyError } from '../../errors.ts'
import { keepChosenLanguage } from '../../pages/chosen-language.ts'
import { createPageCache, isShared } from '../../pages/page-cache.ts'
import { errorPayload, pagePayload } from '../../pages/page-data.ts'
import { isCrawler, pageRequest, type PageRequest, urlOf } from '../../pages/page-request.ts'

const PAYLOAD = '/_payload.json'
const MB = 1024 * 1024
/**
 * A small part of the memory of a node (docs/operating/cluster.md). All pages and articles in all languages are 800. With
 * the styles in them, each takes 20 KB in Brotli, 23 KB in gzip and 100 KB without compression.
 */
const PAGES_KEPT = { compressed: 24 * MB, plain: 4 * MB }
const NONE_KEPT = { compressed: 0, plain: 0 }

async function sendPage(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest,
  cached: ReturnType<typeof createPageCache>,
) {
  const payload = await payloadFor(context, request, reply, page)
  reply
    .headers({
      'cache-control': 'private, no-store',
      vary: 'Cookie, Accept-Encoding, Accept-Language',
      // The clock of the page (web/app/clock.ts).
      'server-timing': `now;dur=${payload.renderedAt}`,
    })
    .type('text/html; charset=utf-8')
  if (isShared(payload)) {
    const { body, encoding } = await cached(payload, request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(body)
  }
  const { status, html } = await context.deps.render(payload)
  // Crawlers get the status and an empty body.
  return reply.status(status).send(payload.page === 'error' && isCrawler(request) ? '' : html)
}

/** The payload of the page, or that of an error page if it fails. */
async function payloadFor(context: RouteContext, request: FastifyRequest, reply: FastifyReply, page: PageRequest) {
  let signedIn: SignedIn | undefined
  try {
    signedIn = await context.account.find(request)
    return await pagePayload(context, { request, reply, signedIn }, page)
  } catch (thrown) {
    const error = toMayflyError(thrown)
    if (error.code === 'internal') context.deps.logger.error({ err: error.cause ?? error }, 'page failed')
    return errorPayload(context, { ...page, requested: urlOf(request).pathname }, error, { request, signedIn })
  }
}

export const pageRoutes: Routes = (app, context) => {
  const { languages } = context.deps
  // While Vite serves the sources, they may change at any time.
  const cached = createPageCache(
    // Compressed together with the page, they cost less than waiting for another file.
    (payload) => context.deps.render(payload, { inlineStyles: true }),
    context.options.clientDirectory === undefined ? NONE_KEPT : PAGES_KEPT,
  )

  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const url = urlOf(request)
    const { pathname, search } = url
    if (pathname === `/${standardLanguage}` || pathname.startsWith(`/${standardLanguage}/`)) {
      // Slashes are folded, or `/zh//evil.example` would lead away.
      return reply.redirect(`${pathname.slice(standardLanguage.length + 1).replace(/^\/*/, '/')}${search}`, 301)
    }
    if (!pathname.endsWith(PAYLOAD)) {
      const page = pageRequest(url, pathname, languages)
      const rest = context.tokens.take(reply, page)
      if (!rest) {
        keepChosenLanguage(context, request, reply, page.lang)
        return sendPage(context, request, reply, page, cached)
      }
      // Nothing is changed yet, because programs that scan mail follow links too.
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      return reply.redirect(pathIn(page.lang, page.path) + (rest.size > 0 ? `?${rest.toString()}` : ''), 303)
    }
    const page = pageRequest(url, pathname.slice(0, -PAYLOAD.length) || '/', languages)
    // A script asks for the page of the address that another window opened. That page has no problem.
    if (page.query.error === 'unauthorized') delete page.query.error
    return pagePayload(context, { request, reply, signedIn: await context.account.find(request) }, page)
  })
}
