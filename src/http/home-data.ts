import type { FastifyRequest } from 'fastify'
import type { HomeData, Tool } from '#contract/pages.ts'
import { isStoreFault } from '#core/errors.ts'
import type { OpenAddress } from '#features/addresses.ts'
import type { RouteContext } from './context.ts'
import { addressJson, listJson, messageJson } from './json.ts'
import { isCrawler, type PageRequest } from './page-request.ts'

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

/** The address of the visitor with its mail, for the home page and its sisters. */
export async function homeData(
  context: RouteContext,
  request: FastifyRequest,
  { query, lang }: PageRequest,
  tool: Tool,
): Promise<HomeData> {
  const { auth, deps } = context
  const text = deps.library.page(tool, lang)
  const credential = auth.secretOf(request)
  const open = credential && (await deps.addresses.open(credential.secret))
  const view = open && addressJson(deps.addresses.view(open))
  // An address for a day is not what the ten-minute page is for: there it only stands in the way of a new one.
  const other = tool === 'ten-minute-mail' && view?.lifetime === 'day' ? view.address : null
  if (!open || !view || other !== null) {
    return {
      tool,
      text,
      address: null,
      other,
      ended: credential !== undefined && other === null,
      createOnLoad: other === null && !isCrawler(request),
      inbox: { messages: [], next: null },
      revision: 0,
      message: null,
    }
  }
  const message = query.message === undefined ? null : await messageOf(context, request, open, query.message)
  const inbox = listJson(await deps.messages.list(open, { before: query.before }))
  return {
    tool,
    text,
    address: view,
    other: null,
    ended: false,
    createOnLoad: false,
    inbox,
    revision: open.row.revision,
    message,
  }
}
