import { streamQuery } from '#contract/messages.ts'
import { MayflyError } from '#core/errors.ts'
import type { Session } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { addressJson, summaryJson } from '../../json.ts'
import { answer, nothing, problems } from '../../schema.ts'
import { type FollowedInbox, followInbox, lastSeen } from '../../streams/inbox-stream.ts'
import { answerStream } from '../../streams/stream.ts'

function inboxOf({ open }: Session, { deps: { deliveries, messages } }: RouteContext): FollowedInbox {
  return {
    revision: open.row.revision,
    watch: (wake) => messages.watch(open, wake),
    watchDeliveries: (wake) => deliveries.watch(open, wake),
    async changes(since) {
      const { messages: changed, deleted, address } = await messages.changes(open, since)
      if (!address) return undefined
      const news = changed.map(({ revision, summary }) => ({ revision, data: summaryJson(summary) }))
      return { messages: news, deleted, address: addressJson(address) }
    },
  }
}

export const eventRoutes: Routes = (app, context) => {
  const { auth, deps, options } = context

  app.get(
    '/events',
    {
      schema: {
        tags: ['Messages'],
        security: [{ secret: [] }],
        operationId: 'streamEvents',
        summary: 'Changes of the inbox as Server-Sent Events',
        description:
          'Events `message` (a summary, new or changed), `deleted` ({id}), `address` and `deliveries` (one failed; empty). `id` counts the changes of the inbox: ' +
          'a client that comes back with `Last-Event-ID` misses nothing. A comment every 25 seconds keeps the connection open. ' +
          'The stream ends with the address, and at once when its secret is replaced, the API key is revoked or the browser signed out.',
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
      const session = await auth.open(request)
      // EventSource reconnects forever, except after a 204.
      if (!session && since !== undefined && auth.credentialOf(request)) return reply.status(204).send()
      if (!session) throw new MayflyError('unauthorized')
      await answerStream(context, request, reply, session, async (stream) => {
        const visits = setInterval(
          () => void deps.addresses.open(session.secret).catch(() => {}),
          options.streamVisitInterval,
        )
        await followInbox(stream, inboxOf(session, context), since, context).finally(() => clearInterval(visits))
      })
    },
  )
}
