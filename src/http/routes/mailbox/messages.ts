import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  attachmentId,
  message,
  messageChange,
  messageId,
  messageList,
  messageQuery,
  messagesOfAddress,
  messageSummary,
} from '#contract/messages.ts'
import { parseDateTime } from '#core/date-time.ts'
import { MayflyError } from '#core/errors.ts'
import { timeOf } from '#core/mailbox/message-id.ts'
import { explainWait, type OpenAddress } from '#features/mailbox/index.ts'
import { countsAsVisit, otherAddress, unauthorized } from '../../auth/auth.ts'
import { guard, whileHeld } from '../../auth/guard.ts'
import type { Routes } from '../../context.ts'
import { sendDownload } from '../../download.ts'
import { explanationJson, listJson, messageJson, summaryJson } from '../../json/mailbox.ts'
import { enterOrThrow, hold } from '../../limits/held.ts'
import { answer, BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'
import { closedSignal } from '../../streams/sse.ts'

const tags = ['Messages']

/** When a message arrived. 0 for none. */
const arrivalOf = (id: string | undefined): number => (id === undefined ? 0 : timeOf(id))
const security = [{ secret: [] }]

export const messageRoutes: Routes = (app, context) => {
  const { auth, deps, earlier, keys, stopping } = context
  const { messages } = deps

  /**
   * Opens the address that a request names, by default the current one. Another window may have opened another address
   * meanwhile, so an earlier one of this browser counts too. Undefined if that is gone, with its messages.
   */
  async function openNamed(request: FastifyRequest, name: string | undefined): Promise<OpenAddress | undefined> {
    const opened = await auth.open(request)
    if (opened && (name ?? opened.open.address) === opened.open.address) return opened.open
    const before = auth.isOwnOrigin(request) && earlier.list(request).find(({ address }) => address === name)
    if (before) return deps.addresses.open(before.secret, countsAsVisit(request))
    throw opened ? otherAddress() : unauthorized(auth.credentialOf(request))
  }

  /** Reads from a message, which may have to wait for its turn. */
  async function read<T>(request: FastifyRequest, work: (open: OpenAddress) => Promise<T>): Promise<T> {
    const opened = await auth.requireAddress(request)
    return whileHeld([opened, ...keys.grants(request)], deps.clock, work(opened.open))
  }

  app.get<{ Querystring: Static<typeof messageQuery> }>(
    '/messages',
    {
      schema: {
        tags,
        security,
        operationId: 'listMessages',
        summary: 'List messages, or wait for one',
        description:
          'Returns messages that match all parameters, newest first. With `wait`, the response is held until enough messages match. If the time is over before that, the status is 200 too, and `explanation` says why.',
        querystring: messageQuery,
        response: { 200: json(messageList, 'A page of the inbox'), ...problems('invalid_request', 'unauthorized') },
      },
    },
    async (request, reply) => {
      const opened = await auth.requireAddress(request)
      const { open } = opened
      const { wait: seconds, count = 1, since, ...rest } = request.query
      const query = { ...rest, since: since === undefined ? undefined : parseDateTime(since) }
      if (seconds === undefined) return listJson(await messages.list(open, query, closedSignal(reply.raw)))
      const leave = enterOrThrow(context, request, reply)
      hold(request)
      const guarded = guard([opened, ...keys.grants(request)], deps)
      try {
        const signal = AbortSignal.any([closedSignal(reply.raw), stopping, guarded.signal])
        const result = await messages.wait(open, query, { seconds, count, signal })
        if (!(await guarded.holds())) throw new MayflyError('unauthorized')
        // A wait that was cut short, because the service stops, explains nothing.
        if (result.messages.length >= count || signal.aborted) return listJson(result)
        const [expiresAt, refused] = await Promise.all([
          deps.addresses.validUntil(open),
          deps.deliveries.failed(open, query.since ?? arrivalOf(query.after)),
        ])
        const ended = { ...result, refused, count, expiresAt, now: deps.clock() }
        return { ...listJson(result), explanation: explanationJson(explainWait(ended), ended) }
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
        summary: 'Get a message',
        description: 'Returns the summary, the text, the HTML and the headers. It does not mark the message as read.',
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
        description: 'Marks the message as read or unread.',
        params: messageId,
        body: messageChange,
        response: {
          200: json(messageSummary, 'The changed message'),
          ...problems('unauthorized', 'forbidden_origin', 'message_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { open } = await auth.requireAddress(request)
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
        summary: 'Delete a message',
        description: 'Deletes the message immediately. It cannot be restored.',
        params: messageId,
        response: {
          204: nothing('The message is deleted'),
          ...problems('unauthorized', 'forbidden_origin', 'message_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { open } = await auth.requireAddress(request)
      await messages.remove(open, request.params.id)
      return reply.status(204).send()
    },
  )

  app.post<{ Body: Static<typeof messagesOfAddress> }>(
    '/messages/delete',
    {
      schema: {
        tags,
        security,
        operationId: 'deleteMessages',
        summary: 'Delete several messages',
        description: 'Deletes up to 100 messages. Ids of messages that are gone are ignored.',
        body: ref(messagesOfAddress),
        response: {
          204: nothing('The messages are deleted'),
          ...problems('unauthorized', 'forbidden_origin', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const { ids, address } = request.body
      const open = await openNamed(request, address)
      if (open) await messages.removeAll(open, ids)
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
        summary: 'Get the source of a message',
        description: 'Returns the message in the format of RFC 5322, with its Return-Path and Received headers.',
        params: messageId,
        response: {
          200: answer('message/rfc822', 'The message as received, as a download'),
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
        summary: 'Download all attachments',
        description: 'Returns a ZIP file.',
        params: messageId,
        response: {
          200: answer('application/zip', 'The attachments in a ZIP file'),
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
        summary: 'Unsubscribe from the mailing list of a message',
        description:
          'Requires `unsubscribe.oneClick`, and `pass` in `authentication.dkim` (RFC 8058). The server sends the request, so the list does not learn your IP address.',
        params: messageId,
        response: {
          204: nothing('The server of the list accepted the request'),
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
        summary: 'Download an attachment',
        description: 'Always sent as a download, so that a browser does not run it.',
        params: attachmentId,
        response: {
          200: answer(
            'application/octet-stream',
            'The content of the attachment, with the media type that the sender gave',
          ),
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
