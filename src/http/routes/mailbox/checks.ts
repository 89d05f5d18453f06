import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { checksQuery, messageChecks } from '#contract/checks.ts'
import { messageId } from '#contract/messages.ts'
import type { LinksWanted } from '#core/mailbox/checks.ts'
import type { CheckOptions } from '#features/mailbox/index.ts'
import { whileHeld } from '../../auth/guard.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { isLocalRequest } from '../../request-origin.ts'
import { json, problems } from '../../schema.ts'
import { closedSignal } from '../../streams/sse.ts'

/** Returns the options of a check for a request, and counts it if it opens links. Throws `too_many_requests`. */
export function checkOptions(
  { keys, options, rates, stopping }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  links: LinksWanted = 'list',
): CheckOptions {
  if (links !== 'list') takeOrThrow(rates.linkChecks, request, reply, keys.holder(request)?.keyId)
  const signal = AbortSignal.any([closedSignal(reply.raw), stopping])
  return { links, local: isLocalRequest(request, options), signal }
}

export const checkRoutes: Routes = (app, context) => {
  const { auth, deps, keys } = context
  app.get<{ Params: Static<typeof messageId>; Querystring: Static<typeof checksQuery> }>(
    '/messages/:id/checks',
    {
      schema: {
        tags: ['Testing'],
        security: [{ secret: [] }],
        operationId: 'checkMessage',
        summary: 'Check a message before you send it to many',
        description:
          'Returns the links, the HTML and CSS that mail clients do not support, the size, the text part, List-Unsubscribe, SPF, DKIM and DMARC. ' +
          'With `links=check` it also opens the links from this server, and takes up to 30 seconds: 10 times in a burst, then twice a minute. A check from the same machine may open links to it. ' +
          'Messages of fully private addresses cannot be checked, because the server cannot read them.',
        params: messageId,
        querystring: checksQuery,
        response: {
          200: json(messageChecks, 'The results'),
          ...problems('invalid_request', 'unauthorized', 'message_not_found', 'message_damaged'),
        },
      },
    },
    async (request, reply) => {
      const opened = await auth.requireAddress(request)
      const options = checkOptions(context, request, reply, request.query.links)
      const checked = deps.checkMessage(opened.open, request.params.id, options)
      return whileHeld([opened, ...keys.grants(request)], deps.clock, checked)
    },
  )
}
