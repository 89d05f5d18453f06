import type { Static } from 'typebox'
import { inboxStreamQuery } from '#contract/messages.ts'
import { shownTag } from '#core/mailbox/shown-tag.ts'
import { otherAddress, type RequestAddress, unauthorized } from '../../auth/auth.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { addressJson, summaryJson } from '../../json/mailbox.ts'
import { answer, commentsText, nothing, problems } from '../../schema.ts'
import { answerInbox, type FollowedInbox, lastSeen } from '../../streams/inbox-stream.ts'

function inboxOf(
  { secret, open }: RequestAddress,
  { deps: { addresses, deliveries, messages } }: RouteContext,
): FollowedInbox {
  return {
    revision: open.row.revision,
    visit: () => addresses.open(secret),
    watch: (wake) => messages.watch(open, wake),
    watchDeliveries: (wake) => deliveries.watch(open, wake),
    version: () => addresses.version(open),
    async changes(since) {
      const { messages: changed, deleted, address } = await messages.changes(open, since)
      if (!address) return undefined
      const news = changed.map(({ revision, summary }) => ({ revision, data: summaryJson(summary) }))
      return { messages: news, deleted, address: addressJson(address) }
    },
  }
}

export const eventRoutes: Routes = (app, context) => {
  const { auth, options } = context

  app.get<{ Querystring: Static<typeof inboxStreamQuery> }>(
    '/events',
    {
      schema: {
        tags: ['Messages'],
        security: [{ secret: [] }],
        operationId: 'streamEvents',
        summary: 'Stream changes of the inbox',
        description:
          'Server-Sent Events: `message` (a `MessageSummary` that is new or changed), `deleted` (an object with the `id`), ' +
          '`address` (an `Address`) and `deliveries` (empty; a delivery failed). A client that reconnects with `Last-Event-ID` misses nothing. ' +
          `${commentsText(options)} ` +
          'An open stream keeps an address with the lifetime `day`, unless its request has the header `X-Visit: no`. The stream ends when the address expires or is deleted, its secret is replaced, the API key is ' +
          'revoked or the browser is signed out; the last event is `end` (empty).',
        querystring: inboxStreamQuery,
        response: {
          200: answer('text/event-stream', 'The stream'),
          204: nothing('The address no longer exists. Do not reconnect.'),
          ...problems('invalid_request', 'unauthorized'),
        },
      },
    },
    async (request, reply) => {
      const opened = await auth.open(request)
      // EventSource reconnects forever, except after a 204.
      if (!opened && lastSeen(request) !== undefined && auth.credentialOf(request)) return reply.status(204).send()
      if (!opened) throw unauthorized(auth.credentialOf(request))
      const { address } = opened.open
      // A browser can't send headers for a stream. It reconnects with the revision of the address that the page shows.
      const { shown = shownTag(address) } = request.query
      auth.requireShown(request, address)
      if (shown !== shownTag(address)) throw otherAddress()
      await answerInbox(context, request, reply, opened, inboxOf(opened, context))
    },
  )
}
