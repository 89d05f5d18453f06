import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  attachmentId,
  message,
  messageChange,
  messageId,
  messageIds,
  messageList,
  messageQuery,
  messageSummary,
} from '#contract/messages.ts'
import { MayflyError } from '#core/errors.ts'
import { explainWait, type OpenAddress } from '#features/mailbox/index.ts'
import { guard, whileHeld } from '../../auth/guard.ts'
import type { Routes } from '../../context.ts'
import { sendDownload } from '../../download.ts'
import { explanationJson, listJson, messageJson, summaryJson } from '../../json.ts'
import { enterOrThrow } from '../../limits/limits.ts'
import { answer, BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'
import { closedSignal } from '../../streams/sse.ts'

const tags = ['Messages']
const security = [{ secret: [] }]

export const messageRoutes: Routes = (app, { auth, deps, keys, streams, stopping }) => {
  const { messages } = deps

  /** Reads from a message, which may have to wait for its turn. */
  async function read<T>(request: FastifyRequest, work: (open: OpenAddress) => Promise<T>): Promise<T> {
    const session = await auth.session(request)
    return whileHeld([session, ...keys.grants(request)], deps.clock, work(session.open))
  }

  app.get<{ Querystring: Static<typeof messageQuery> }>(
    '/messages',
    {
      schema: {
        tags,
        security,
        operationId: 'listMessages',
        summary: 'List messages, newest first, or wait for one',
        description: 'A wait that ends without enough matching messages returns 200 with an `explanation`.',
        querystring: messageQuery,
        response: { 200: json(messageList, 'A page of the inbox'), ...problems('invalid_request', 'unauthorized') },
      },
    },
    async (request, reply) => {
      const session = await auth.session(request)
      const { open } = session
      const { wait: seconds, count = 1, since, ...rest } = request.query
      const query = { ...rest, since: since === undefined ? undefined : Date.parse(since) }
      if (seconds === undefined) return listJson(await messages.list(open, query))
      const leave = enterOrThrow(streams, request, reply)
      const guarded = guard([session, ...keys.grants(request)], deps)
      try {
        const ended = AbortSignal.any([closedSignal(reply.raw), stopping, guarded.signal])
        const result = await messages.wait(open, query, { seconds, count, signal: ended })
        if (!(await guarded.holds())) throw new MayflyError('unauthorized')
        if (result.messages.length >= count) return listJson(result)
        const expiresAt = await deps.addresses.holdsUntil(open)
        const text = explainWait({ ...result, seconds, count, expiresAt, now: deps.clock() })
        return { ...listJson(result), explanation: explanationJson(text, result.unmet, expiresAt) }
      } finally {
        guarded.stop()
        leave()
      }
    },
  )

  app.get<{ Params: Static<typeof messageId> }>(
    '/messages/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'getMessage',
        summary: 'A message',
        params: messageId,
        response: {
          200: json(message, 'The message'),
          ...problems('unauthorized', 'message_not_found', 'message_damaged'),
        },
      },
    },
    async (request) => {
      const { summary, content } = await read(request, (open) => messages.read(open, request.params.id))
      return messageJson(summary, content)
    },
  )

  app.patch<{ Params: Static<typeof messageId>; Body: Static<typeof messageChange> }>(
    '/messages/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'markMessage',
        summary: 'Mark a message',
        params: messageId,
        body: messageChange,
        response: {
          200: json(messageSummary, 'The message as it is now'),
          ...problems('unauthorized', 'forbidden_origin', 'message_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { open } = await auth.session(request)
      return summaryJson(await messages.mark(open, request.params.id, request.body))
    },
  )

  app.delete<{ Params: Static<typeof messageId> }>(
    '/messages/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'deleteMessage',
        summary: 'Delete a message, at once',
        params: messageId,
        response: {
          204: nothing('It is gone'),
          ...problems('unauthorized', 'forbidden_origin', 'message_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { open } = await auth.session(request)
      await messages.remove(open, request.params.id)
      return reply.status(204).send()
    },
  )

  app.post<{ Body: Static<typeof messageIds> }>(
    '/messages/delete',
    {
      schema: {
        tags,
        security,
        operationId: 'deleteMessages',
        summary: 'Delete several messages, at once',
        body: ref(messageIds),
        response: { 204: nothing('They are gone'), ...problems('unauthorized', 'forbidden_origin', ...BODY_PROBLEMS) },
      },
    },
    async (request, reply) => {
      const { open } = await auth.session(request)
      await messages.removeAll(open, request.body.ids)
      return reply.status(204).send()
    },
  )

  app.get<{ Params: Static<typeof messageId> }>(
    '/messages/:id/raw',
    {
      schema: {
        tags,
        security,
        operationId: 'getRawMessage',
        summary: 'The message as received (message/rfc822)',
        params: messageId,
        response: {
          200: answer('message/rfc822', 'The mail, as a download'),
          ...problems('unauthorized', 'message_not_found', 'message_damaged'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const raw = await read(request, (open) => messages.raw(open, id))
      return sendDownload(reply, raw, `${id}.eml`, 'message/rfc822')
    },
  )

  app.get<{ Params: Static<typeof messageId> }>(
    '/messages/:id/attachments',
    {
      schema: {
        tags,
        security,
        operationId: 'getAttachments',
        summary: 'All attachments in a ZIP file',
        params: messageId,
        response: {
          200: answer('application/zip', 'The attachments, as a download'),
          ...problems('unauthorized', 'message_not_found', 'message_damaged', 'attachment_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const archive = await read(request, (open) => messages.archive(open, id))
      return sendDownload(reply, archive, `${id}.zip`, 'application/zip')
    },
  )

  app.post<{ Params: Static<typeof messageId> }>(
    '/messages/:id/unsubscribe',
    {
      schema: {
        tags,
        security,
        operationId: 'unsubscribe',
        summary: 'Leave the mailing list of a message (RFC 8058)',
        description:
          'The server sends the request, so the list does not learn your IP address. Possible if `unsubscribe.oneClick` is true and `authentication.dkim` is `pass`',
        params: messageId,
        response: {
          204: nothing('The list accepted it'),
          ...problems(
            'unauthorized',
            'forbidden_origin',
            'message_not_found',
            'message_damaged',
            'unsubscribe_unavailable',
            'unsubscribe_failed',
          ),
        },
      },
    },
    async (request, reply) => {
      await read(request, (open) => deps.unsubscribe(open, request.params.id))
      return reply.status(204).send()
    },
  )

  app.get<{ Params: Static<typeof attachmentId> }>(
    '/messages/:id/attachments/:index',
    {
      schema: {
        tags,
        security,
        operationId: 'getAttachment',
        summary: 'An attachment, as a download',
        params: attachmentId,
        response: {
          200: answer('application/octet-stream', 'The bytes, under the type that the mail names'),
          ...problems(
            'invalid_request',
            'unauthorized',
            'message_not_found',
            'message_damaged',
            'attachment_not_found',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id, index } = request.params
      const { filename, contentType, content } = await read(request, (open) => messages.attachment(open, id, index))
      return sendDownload(reply, content, filename, contentType)
    },
  )
}
