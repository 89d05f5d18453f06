import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { pageQuery, type PageQuery, seen, type SeenJson } from '#contract/compat/mail-tm.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { whileHeld } from '../../../auth/guard.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { sendDownload } from '../../../download.ts'
import { NEWEST_MAX } from '../shared.ts'
import { attachmentIndex, messageResource, wholeMessageResource } from './json.ts'
import { sendCollection, sendResource } from './resource.ts'
import { accountOpener } from './session.ts'

const PER_PAGE = 30
const hide = true

interface OfMessage {
  Params: { id: string }
}

export const messageRoutes: Routes = (app, context: RouteContext) => {
  const { deps, keys } = context
  const { messages } = deps
  const openAccount = accountOpener(context)

  /** Reads from a message, which may have to wait for its turn. */
  async function read<T>(request: FastifyRequest, work: (open: OpenAddress) => Promise<T>): Promise<T> {
    const opened = await openAccount(request)
    return whileHeld([opened, ...keys.grants(request)], deps.clock, work(opened.open))
  }

  app.get<{ Querystring: PageQuery }>(
    '/messages',
    { schema: { hide, querystring: pageQuery } },
    async (request, reply) => {
      const { open } = await openAccount(request)
      const { page } = request.query
      const all = await messages.newest(open, NEWEST_MAX)
      const shown = all.slice((page - 1) * PER_PAGE, page * PER_PAGE)
      const summaries = await Promise.all(shown.map(({ summary }) => summary()))
      return sendCollection(request, reply, {
        type: 'Message',
        path: '/messages',
        members: summaries.flatMap((summary) => (summary ? [messageResource(open.row.id, summary)] : [])),
        total: all.length,
        page,
        perPage: PER_PAGE,
      })
    },
  )

  app.get<OfMessage>('/messages/:id', { schema: { hide } }, async (request, reply) => {
    const resource = await read(request, async (open) =>
      wholeMessageResource(
        open.row.id,
        await messages.read(open, request.params.id),
        deps.retention[open.row.lifetime],
      ),
    )
    return sendResource(request, reply, resource)
  })

  app.patch<OfMessage & { Body: SeenJson }>(
    '/messages/:id',
    { schema: { hide, body: seen } },
    async (request, reply) => {
      const { open } = await openAccount(request)
      const summary = await messages.mark(open, request.params.id, { seen: request.body.seen })
      return sendResource(request, reply, messageResource(open.row.id, summary))
    },
  )

  app.delete<OfMessage>('/messages/:id', { schema: { hide } }, async (request, reply) => {
    const { open } = await openAccount(request)
    await messages.remove(open, request.params.id)
    return reply.status(204).send()
  })

  app.get<OfMessage>('/sources/:id', { schema: { hide } }, async (request, reply) => {
    const { id } = request.params
    const raw = Buffer.from(await read(request, (open) => messages.raw(open, id)))
    const data = raw.toString(isUtf8(raw) ? 'utf8' : 'latin1')
    const fields = { id, downloadUrl: `/messages/${id}/download`, data }
    return sendResource(request, reply, { type: 'Source', path: `/sources/${id}`, fields })
  })

  app.get<OfMessage>('/messages/:id/download', { schema: { hide } }, async (request, reply) => {
    const { id } = request.params
    const raw = await read(request, (open) => messages.raw(open, id))
    return sendDownload(reply, raw, `${id}.eml`, 'message/rfc822')
  })

  app.get<{ Params: { id: string; attachment: string } }>(
    '/messages/:id/attachment/:attachment',
    { schema: { hide } },
    async (request, reply) => {
      const { id, attachment } = request.params
      const { filename, contentType, content } = await read(request, (open) =>
        messages.attachment(open, id, attachmentIndex(attachment)),
      )
      return sendDownload(reply, content, filename, contentType)
    },
  )
}
