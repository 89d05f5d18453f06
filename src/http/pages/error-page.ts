import type { FastifyRequest } from 'fastify'
import { catalog, type MayflyError } from '#core/errors.ts'
import type { RouteContext } from '../context.ts'
import { type ShowError } from '../errors.ts'
import { errorPayload } from './page-data.ts'
import { isCrawler, isForPeople, pageRequest } from './page-request.ts'

/** Rendered once and kept, so that rate-limited requests cost nothing. */
const KEPT_MAX = 200

/** The requested path, decoded if possible, otherwise as it came. */
function wanted(url: string, languages: readonly string[]) {
  const [path = '/'] = url.split('?', 1)
  return { ...pageRequest(new URL('http://localhost'), path, languages), query: {}, requested: path }
}

export function errorPages(context: RouteContext): ShowError {
  const { deps } = context
  const kept = new Map<string, string>()

  async function render(request: FastifyRequest, error: MayflyError, retryAfter: number | undefined): Promise<string> {
    const page = wanted(request.originalUrl, deps.languages)
    const tooMany = error.code === 'too_many_requests'
    const key = `${page.lang} ${retryAfter}`
    const known = tooMany ? kept.get(key) : undefined
    if (known !== undefined) return known
    const payload = errorPayload(context, tooMany ? { ...page, path: '/', requested: '/' } : page, error, {
      request,
      signedIn: undefined,
    })
    payload.problem = { code: error.code, ...(retryAfter === undefined ? {} : { retryAfter }) }
    const { html } = await deps.render(payload)
    if (kept.size >= KEPT_MAX) kept.clear()
    if (tooMany) kept.set(key, html)
    return html
  }

  return async (request, reply, error) => {
    if (!isForPeople(request)) return undefined
    const retryAfter = Number(reply.getHeader('retry-after')) || undefined
    const html = isCrawler(request) ? '' : await render(request, error, retryAfter)
    return reply
      .status(catalog[error.code].status)
      .headers({ 'cache-control': 'private, no-store' })
      .type('text/html; charset=utf-8')
      .send(html)
  }
}
