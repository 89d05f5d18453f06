import type { FastifyReply } from 'fastify'
import {
  deleteRequest,
  type DeleteRequestJson,
  listQuery,
  type ListQuery,
  matchQuery,
  type MatchQuery,
  readStatus,
  type ReadStatusJson,
  readStatusQuery,
  type ReadStatusQuery,
  searchQuery,
  type SearchQuery,
} from '#contract/compat/mailpit.ts'
import { MayflyError } from '#core/errors.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { inChunks } from '#lib/batches.ts'
import { createKeyedSlots } from '#lib/slots.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { closedSignal } from '../../../streams/sse.ts'
import { createMailSearch, type Found, type MailSearch } from './find.ts'
import { rowJson } from './json.ts'
import { mailboxOpener } from './session.ts'

/** How many messages are changed before checking again whether the client is still connected. */
const AT_ONCE = 200
/** A change may be of all messages of a mailbox, so those of one mailbox run one after the other. */
const CHANGES = { atOnce: 1, maxWaiting: 1000, refusal: () => new MayflyError('too_many_requests') }
const hide = true

const unread = (listed: Found['all']): number => listed.filter(({ seen }) => !seen).length

const numberOf = (text: string, otherwise: number): number =>
  /^\+?\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : otherwise

async function listJson({ all, matching }: Found, query: ListQuery): Promise<object> {
  const [start, limit] = [numberOf(query.start, 0), numberOf(query.limit, 50)]
  const summaries = await Promise.all(matching.slice(start, start + limit).map(({ summary }) => summary()))
  const messages = summaries.flatMap((summary) => (summary ? [rowJson(summary)] : []))
  return {
    total: all.length,
    unread: unread(all),
    count: messages.length,
    messages_count: matching.length,
    messages_unread: unread(matching),
    start,
    tags: [],
    messages,
  }
}

const sendOk = (reply: FastifyReply): FastifyReply => reply.type('text/plain; charset=utf-8').send('ok')

function checkQuery(query: string): void {
  if (query.trim() === '') throw new MayflyError('invalid_request', 'Error: no search query')
}

export const listRoutes: Routes = (app, context: RouteContext) => {
  const { messages } = context.deps
  const openMailbox = mailboxOpener(context)
  const searchMail = createMailSearch(messages, context.deps.clock)

  /** A search that ends when the client of `reply` has gone. */
  const search = (open: OpenAddress, { raw }: FastifyReply, request: Partial<SearchQuery> = {}): MailSearch =>
    searchMail(open, { query: '', ...request, signal: closedSignal(raw) })

  const changes = createKeyedSlots(CHANGES)

  /** Changes messages until the client of `reply` has gone. Those that are gone are skipped, as in Mailpit. */
  async function change(
    { row }: OpenAddress,
    { raw }: FastifyReply,
    choose: () => readonly string[] | Promise<readonly string[]>,
    work: (ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const gone = closedSignal(raw)
    await changes.run(row.id, async () => {
      const ids = gone.aborted ? [] : await choose()
      for (const some of inChunks(ids, AT_ONCE)) {
        if (gone.aborted) break
        await work(some)
      }
    })
  }

  app.get<{ Querystring: ListQuery }>(
    '/api/v1/messages',
    { schema: { hide, querystring: listQuery } },
    async (request, reply) => {
      const { open } = await openMailbox(request)
      const { before } = request.query
      return listJson(await search(open, reply, { before }).find(), request.query)
    },
  )

  app.get<{ Querystring: SearchQuery }>(
    '/api/v1/search',
    { schema: { hide, querystring: searchQuery } },
    async (request, reply) => {
      const { open } = await openMailbox(request)
      checkQuery(request.query.query)
      return listJson(await search(open, reply, request.query).find(), request.query)
    },
  )

  app.delete<{ Querystring: MatchQuery }>(
    '/api/v1/search',
    { schema: { hide, querystring: matchQuery } },
    async (request, reply) => {
      const { open } = await openMailbox(request)
      checkQuery(request.query.query)
      const { allIds } = search(open, reply, request.query)
      await change(open, reply, allIds, (ids) => messages.removeAll(open, ids))
      return sendOk(reply)
    },
  )

  app.put<{ Body: ReadStatusJson; Querystring: ReadStatusQuery }>(
    '/api/v1/messages',
    {
      schema: { hide, body: readStatus, querystring: readStatusQuery },
      preValidation: async (request) => {
        // Without a body, all messages become unread.
        request.body ??= {} as ReadStatusJson
      },
    },
    async (request, reply) => {
      const { open } = await openMailbox(request)
      const { Read: isRead, IDs: ids, Search: query } = request.body
      const given = ids ?? []
      if (given.length > 0 && query !== '')
        throw new MayflyError('invalid_request', 'You may specify either IDs or a search query, not both')
      const { allIds } = search(open, reply, { ...request.query, query })
      const choose = () => (given.length > 0 ? given : allIds(({ seen }) => seen !== isRead))
      await change(open, reply, choose, (some) => messages.markAll(open, some, { seen: isRead }))
      return sendOk(reply)
    },
  )

  app.delete<{ Body: DeleteRequestJson | undefined }>(
    '/api/v1/messages',
    {
      schema: { hide, body: deleteRequest },
      preValidation: async (request) => {
        // Without a body, all messages are deleted.
        request.body ??= {}
      },
    },
    async (request, reply) => {
      const { open } = await openMailbox(request)
      const given = request.body?.IDs ?? []
      const { allIds } = search(open, reply)
      const choose = () => (given.length > 0 ? given : allIds())
      await change(open, reply, choose, (ids) => messages.removeAll(open, ids))
      return sendOk(reply)
    },
  )
}
