import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Draft } from '#contract/pages.ts'
import { catalog, type ErrorCode } from '#core/errors.ts'
import type { RouteContext } from '../context.ts'
import { pagePayload } from '../pages/page-data.ts'
import type { PageRequest } from '../pages/page-request.ts'

const KEPT = ['name', 'reason', 'email', 'message', 'plan', 'years', 'destination'] as const satisfies (keyof Draft)[]

const HAVE_FORMS: ReadonlySet<string> = new Set(['contact', 'problem', 'premium', 'forwarding'])

/**
 * Responds to a refused form with its page and the input filled in: nothing is lost, and none of it appears in a URL.
 * `page.query.error` is the reason.
 */
export async function showAgain(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageRequest & { query: { error: ErrorCode } },
  fields: Record<string, string | undefined>,
): Promise<FastifyReply> {
  const signedIn = await context.account.find(request)
  const payload = await pagePayload(context, { request, reply, signedIn }, page)
  const draft: Draft = Object.fromEntries(
    KEPT.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])),
  )
  if (HAVE_FORMS.has(payload.page)) Object.assign(payload.data, { draft })
  const { html } = await context.deps.render(payload)
  return reply
    .status(catalog[page.query.error].status)
    .headers({ 'cache-control': 'private, no-store' })
    .type('text/html; charset=utf-8')
    .send(html)
}
