import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  forwarding,
  forwardingChange,
  forwardingId,
  type ForwardingJson,
  forwardingList,
  forwardingLog,
  forwardingEndQuery,
  forwardingLogQuery,
  forwardingRequest,
  type ForwardingRequestJson,
} from '#contract/forwarding.ts'
import { LimitReached } from '#core/errors.ts'
import { SECOND } from '#core/time.ts'
import type { ForwardingView } from '#features/forwarding/index.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { forwardingJson, forwardingsJson, logJson } from '../../json/forwarding.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { BODY_PROBLEMS, json, limitText, nothing, problems, ref } from '../../schema.ts'

const tags = ['Forwarding']
const security = [{ secret: [] }]
const ASK_PROBLEMS = ['destination_invalid', 'forwarding_exists', 'forwardings_full', 'forwarding_unavailable'] as const

/** Sets `Retry-After` if a limit of the whole service is reached. */
async function orLater<T>(reply: FastifyReply, now: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof LimitReached) reply.header('retry-after', Math.ceil((error.until - now) / SECOND))
    throw error
  }
}

/** Asks a destination for consent. Each call counts for the client's limit, because it may send an email. */
export async function askDestination(
  { auth, deps, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { destination, lang }: ForwardingRequestJson,
): Promise<ForwardingView> {
  const { open } = await auth.requireAddress(request)
  takeOrThrow(rates.forwardAsks, request, reply)
  return orLater(reply, deps.clock(), deps.forwardings.ask(open, destination, knownLanguage(lang, deps.languages)))
}

/** Asks the destination of an ended forwarding again. Counts like `askDestination`. */
export async function askAgain(
  { auth, deps, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<ForwardingView> {
  const { open } = await auth.requireAddress(request)
  takeOrThrow(rates.forwardAsks, request, reply)
  return orLater(reply, deps.clock(), deps.forwardings.restart(open, id))
}

/** Forwarding to real email addresses: what the owner sees and does. */
export const forwardingRoutes: Routes = (app, context) => {
  const { auth, deps, options } = context
  const { forwardings } = deps

  app.get(
    '/forwardings',
    {
      schema: {
        tags,
        security,
        operationId: 'listForwardings',
        summary: 'List forwardings',
        description: 'Returns the forwardings of the address and what is available to it.',
        response: { 200: json(forwardingList, 'The forwardings'), ...problems('unauthorized') },
      },
    },
    async (request) => forwardingsJson(await forwardings.list((await auth.requireAddress(request)).open)),
  )

  app.post<{ Body: ForwardingRequestJson }>(
    '/forwardings',
    {
      schema: {
        tags,
        security,
        operationId: 'addForwarding',
        summary: 'Add a forwarding',
        description:
          'Sends an email to the destination. Messages are forwarded after it has agreed by the link in this email. The response is ' +
          'the same if no email is sent, because the destination declined or got several today. ' +
          limitText('request', options.rates.forwardAsks),
        body: ref(forwardingRequest),
        response: {
          202: json(forwarding, 'The forwarding, which waits for the destination'),
          ...problems('unauthorized', 'forbidden_origin', 'email_invalid', ...ASK_PROBLEMS, ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply): Promise<ForwardingJson> => {
      const asked = await askDestination(context, request, reply, request.body)
      reply.status(202)
      return forwardingJson(asked)
    },
  )

  app.patch<{ Params: { id: string }; Body: { paused: boolean } }>(
    '/forwardings/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'pauseForwarding',
        summary: 'Pause or resume a forwarding',
        description: 'While it is paused, messages stay in the inbox only.',
        params: forwardingId,
        body: ref(forwardingChange),
        response: {
          200: json(forwarding, 'The forwarding'),
          ...problems('unauthorized', 'forbidden_origin', 'forwarding_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { open } = await auth.requireAddress(request)
      return forwardingJson(await forwardings.setPaused(open, request.params.id, request.body.paused))
    },
  )

  app.post<{ Params: { id: string } }>(
    '/forwardings/:id/restart',
    {
      schema: {
        tags,
        security,
        operationId: 'restartForwarding',
        summary: 'Restart a forwarding that has ended',
        description:
          'Asks the destination again, like adding it and with the same limits. The new forwarding replaces the old one.',
        params: forwardingId,
        response: {
          202: json(forwarding, 'The forwarding, which waits for the destination'),
          ...problems('unauthorized', 'forbidden_origin', 'forwarding_not_found', ...ASK_PROBLEMS),
        },
      },
    },
    async (request, reply): Promise<ForwardingJson> => {
      const asked = await askAgain(context, request, reply, request.params.id)
      reply.status(202)
      return forwardingJson(asked)
    },
  )

  app.delete<{ Params: { id: string }; Querystring: { remove?: boolean } }>(
    '/forwardings/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'endForwarding',
        summary: 'End a forwarding',
        description: 'Ends a forwarding. Removes one that has already ended from the list, unless `remove` is false.',
        params: forwardingId,
        querystring: forwardingEndQuery,
        response: {
          204: nothing('The forwarding has ended. One that had already ended is removed from the list.'),
          ...problems('unauthorized', 'forbidden_origin', 'forwarding_not_found'),
        },
      },
    },
    async (request, reply) => {
      await forwardings.end((await auth.requireAddress(request)).open, request.params.id, request.query.remove)
      return reply.status(204).send()
    },
  )

  app.get<{ Querystring: { before?: string } }>(
    '/forwardings/log',
    {
      schema: {
        tags,
        security,
        operationId: 'listForwarded',
        summary: 'List forwarded messages',
        description: 'Returns what was forwarded, and what was not and why.',
        querystring: forwardingLogQuery,
        response: { 200: json(forwardingLog, 'A page of the log, newest first'), ...problems('unauthorized') },
      },
    },
    async (request) => logJson(await forwardings.log((await auth.requireAddress(request)).open, request.query)),
  )
}
