import type { FastifyRequest } from 'fastify'
import type { RouteContext, Routes } from '../context.ts'
import { streamQuery } from '#contract/messages.ts'
import { addressJson, summaryJson } from '../json.ts'
import { enterOrThrow } from '../limits.ts'
import { answer, nothing, problems } from '../schema.ts'
import { beginStream, type EventStream } from '../sse.ts'
import type { Session } from '../auth.ts'

/**
 * The revision that the client has seen: `Last-Event-ID`, which browsers send when they come back. One that the inbox has not
 * reached is none: waiting for it, the client would be told nothing.
 */
function lastSeen(request: FastifyRequest): number | undefined {
  const given = request.headers['last-event-id'] ?? (request.query as { lastEventId?: string }).lastEventId
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

/**
 * Writes what changed since the last revision sent, whenever the inbox changes. What happens now and what was missed go the
 * same way, so a reconnect misses nothing. Ends when the address has ended or either side closes.
 */
async function follow(
  stream: EventStream,
  { open }: Session,
  since: number | undefined,
  { deps, options, stopping }: RouteContext,
) {
  const { messages } = deps
  let revision = since === undefined || since > open.row.revision ? open.row.revision : since
  let wake = Promise.withResolvers<void>()
  const stopWatching = messages.watch(open, () => wake.resolve())
  const keepAlive = setInterval(() => {
    stream.comment()
    // And looks: a node that died between storing a mail and telling of it told nobody.
    wake.resolve()
  }, options.streamKeepAlive)
  const ended = AbortSignal.any([stream.closed, stopping])
  const onEnd = (): void => wake.resolve()
  ended.addEventListener('abort', onEnd)
  let shown = ''
  try {
    while (!ended.aborted) {
      // Armed before the look, so that a change during it wakes the next round.
      wake = Promise.withResolvers<void>()
      // oxlint-disable-next-line no-await-in-loop -- look, tell, wait
      const changes = await messages.changes(open, revision)
      if (!changes.address) return
      const events = [
        ...changes.messages.map(({ revision: id, summary }) => ({
          id,
          event: 'message',
          data: summaryJson(summary) as object,
        })),
        ...changes.deleted.map(({ revision: id, id: message }) => ({
          id,
          event: 'deleted',
          data: { id: message } as object,
        })),
      ].toSorted((a, b) => a.id - b.id)
      for (const { id, event, data } of events) {
        stream.send(event, (revision = Math.max(revision, id)), data)
        // oxlint-disable-next-line no-await-in-loop
        await stream.flushed()
      }
      const address = addressJson(changes.address)
      const text = JSON.stringify(address)
      if (text !== shown) stream.send('address', revision, address)
      shown = text
      // oxlint-disable-next-line no-await-in-loop
      if (!ended.aborted) await wake.promise
    }
  } finally {
    ended.removeEventListener('abort', onEnd)
    clearInterval(keepAlive)
    stopWatching()
  }
}

export const eventRoutes: Routes = (app, context) => {
  const { auth, deps, options, streams } = context

  app.get(
    '/events',
    {
      schema: {
        tags: ['Messages'],
        security: [{ secret: [] }],
        operationId: 'streamEvents',
        summary: 'Changes of the inbox as Server-Sent Events',
        description:
          'Events `message` (a summary, new or changed), `deleted` ({id}) and `address`. `id` counts the changes of the inbox: ' +
          'a client that comes back with `Last-Event-ID` misses nothing. A comment every 25 seconds keeps the connection open. ' +
          'The stream ends with the address.',
        querystring: streamQuery,
        response: {
          200: answer('text/event-stream', 'The stream'),
          204: nothing('To a client that comes back: the address has ended, do not come again'),
          ...problems('invalid_request', 'unauthorized'),
        },
      },
    },
    async (request, reply) => {
      const since = lastSeen(request)
      const credential = auth.secretOf(request)
      // EventSource comes back for ever, except after a 204.
      if (since !== undefined && credential && !(await deps.addresses.open(credential.secret)))
        return reply.status(204).send()
      const session = await auth.session(request)
      if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
      const leave = enterOrThrow(streams, request, reply)
      deps.metrics.gauge('http_streams_open', streams.total)
      reply.hijack()
      const headers = Object.fromEntries(
        Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
      )
      const stream = beginStream(reply.raw, headers, options.streamBufferBytes)
      const visits = setInterval(
        () => void deps.addresses.open(session.secret).catch(() => {}),
        options.streamVisitInterval,
      )
      try {
        await follow(stream, session, since, context)
      } catch (error) {
        deps.logger.warn({ err: error }, 'event stream failed')
      } finally {
        clearInterval(visits)
        stream.close()
        leave()
        deps.metrics.gauge('http_streams_open', streams.total)
      }
    },
  )
}
