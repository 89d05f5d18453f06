import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import type { HomeData, PagePayload, Problem } from '#contract/pages.ts'
import { catalogue, type ErrorCode, isStoreFault, MayflyError } from '#core/errors.ts'
import type { OpenAddress } from '#features/addresses.ts'
import type { RouteContext } from './context.ts'
import { addressJson, listJson, messageJson } from './json.ts'

export interface PageRequest {
  lang: string
  /** Without the language prefix. */
  path: string
  query: Record<string, string>
}

export const isCrawler = (request: FastifyRequest): boolean => isbot(request.headers['user-agent'] ?? '')

function problemOf({ error, retry }: Record<string, string>): Problem | null {
  if (error === undefined || !Object.hasOwn(catalogue, error)) return null
  return { code: error as ErrorCode, ...(retry && /^\d{1,6}$/.test(retry) ? { retryAfter: Number(retry) } : {}) }
}

/** HEAD shows nothing to anybody, and what a browser fetches in advance may never be looked at. */
const isLookedAt = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? '').includes('prefetch')

async function messageOf(
  { deps }: RouteContext,
  request: FastifyRequest,
  open: OpenAddress,
  id: string,
): Promise<HomeData['message']> {
  const { summary, content } = await deps.messages.read(open, id)
  const { html, ...rest } = messageJson(summary, content)
  const seen = summary.seen || isLookedAt(request)
  if (seen && !summary.seen) {
    await deps.messages.setSeen(open, id, true).catch((error: unknown) => {
      // A full disk is no reason not to show what is on it.
      if (!isStoreFault(error)) throw error
    })
  }
  return { ...rest, seen, hasHtml: html !== null }
}

async function homeData(context: RouteContext, request: FastifyRequest, { query }: PageRequest): Promise<HomeData> {
  const { auth, deps } = context
  const credential = auth.secretOf(request)
  const open = credential && (await deps.addresses.open(credential.secret))
  if (!open) {
    return {
      address: null,
      ended: credential !== undefined,
      createOnLoad: !isCrawler(request),
      inbox: { messages: [], next: null },
      revision: 0,
      message: null,
    }
  }
  const message = query.message === undefined ? null : await messageOf(context, request, open, query.message)
  const inbox = listJson(await deps.messages.list(open, { before: query.before }))
  return {
    address: addressJson(deps.addresses.view(open)),
    ended: false,
    createOnLoad: false,
    inbox,
    revision: open.row.revision,
    message,
  }
}

/** The payload of an error page (SPEC: status, message and description). */
export function errorPayload({ lang, path, query }: PageRequest, error: MayflyError, renderedAt: number): PagePayload {
  const { status } = catalogue[error.code]
  const message = status === 404 ? `Page Not Found: ${path}` : catalogue[error.code].title
  return {
    page: 'error',
    lang,
    path,
    query,
    renderedAt,
    problem: null,
    data: { status, message, description: error.detail ?? '' },
  }
}

/** What the page at a path shows; throws `not_found` for a path that has none. */
export async function pagePayload(
  context: RouteContext,
  request: FastifyRequest,
  page: PageRequest,
): Promise<PagePayload> {
  const { deps, auth } = context
  const base = { ...page, renderedAt: deps.clock(), problem: problemOf(page.query) }
  if (page.path === '/') return { ...base, page: 'home', data: await homeData(context, request, page) }
  if (page.path === '/change') {
    const credential = auth.secretOf(request)
    const open = credential && (await deps.addresses.open(credential.secret))
    const domains = deps.domains.filter(({ tier }) => tier === 'free').map(({ name, tier }) => ({ name, tier }))
    return { ...base, page: 'change', data: { address: open ? addressJson(deps.addresses.view(open)) : null, domains } }
  }
  throw new MayflyError('not_found')
}
