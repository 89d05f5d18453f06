import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  forwarding,
  forwardingChange,
  forwardingId,
  type ForwardingJson,
  forwardingList,
  forwardingLog,
  forwardingLogQuery,
  forwardingRequest,
  type ForwardingRequestJson,
} from '#contract/forwarding.ts'
import { MayflyError } from '#core/errors.ts'
import { HOUR } from '#core/time.ts'
import type { ForwardingView } from '#features/forwarding/index.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { forwardingJson, forwardingsJson, logJson } from '../../pages/forwarding-data.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Forwarding']
const security = [{ secret: [] }]
const ASK_PROBLEMS = ['destination_invalid', 'forwarding_exists', 'forwardings_full', 'forwarding_unavailable'] as const

/** Says when a retry makes sense if the service-wide limit is reached. That limit counts by the hour of the clock. */
async function orLater<T>(reply: FastifyReply, now: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof MayflyError && error.code === 'too_many_requests')
      reply.header('retry-after', Math.ceil((HOUR - (now % HOUR)) / 1000))
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
  const { open } = await auth.session(request)
  takeOrThrow(rates.forwardAsks, request, reply)
  return orLater(reply, deps.clock(), deps.forwardings.ask(open, destination, knownLanguage(lang, deps.languages)))
}

/** The same for the destination of a forwarding that has ended. */
export async function askAgain(
  { auth, deps, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<ForwardingView> {
  const { open } = await auth.session(request)
  takeOrThrow(rates.forwardAsks, request, reply)
  return orLater(reply, deps.clock(), deps.forwardings.restart(open, id))
}

/** Forwarding to real email addresses: what the owner sees and does. */
export const forwardingRoutes: Routes = (app, context) => {
  const { auth, deps } = context
  const { forwardings } = deps

  app.get(
    '/forwardings',
    {
      schema: {
        tags,
        security,
        operationId: 'listForwardings',
        summary: 'Where mail of the address is forwarded to',
        response: { 200: json(forwardingList, 'All of them, and what can be had'), ...problems('unauthorized') },
      },
    },
    async (request) => forwardingsJson(await forwardings.list((await auth.session(request)).open)),
  )

  app.post<{ Body: ForwardingRequestJson }>(
    '/forwardings',
    {
      schema: {
        tags,
        security,
        operationId: 'addForwarding',
        summary: 'Ask a real address whether mail may be forwarded to it',
        description:
          'Nothing is forwarded before the destination has agreed by the link in a mail. The answer is the same whether that ' +
          'mail goes out or not: a destination gets a few of them a day, and none where it never wants any. One each 30 ' +
          'seconds for each IP address, 5 at once.',
        body: ref(forwardingRequest),
        response: {
          202: json(forwarding, 'It waits for the destination'),
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
        summary: 'Pause a forwarding, or go on',
        params: forwardingId,
        body: ref(forwardingChange),
        response: {
          200: json(forwarding, 'The forwarding'),
          ...problems('unauthorized', 'forbidden_origin', 'forwarding_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { open } = await auth.session(request)
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
        summary: 'Ask the destination of a forwarding that has ended anew',
        description: 'As adding it, and with the same limits; it comes in the place of the old one.',
        params: forwardingId,
        response: {
          202: json(forwarding, 'It waits for the destination'),
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

  app.delete<{ Params: { id: string } }>(
    '/forwardings/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'endForwarding',
        summary: 'End a forwarding; one that has ended leaves the list',
        params: forwardingId,
        response: {
          204: nothing('Nothing more is forwarded by it'),
          ...problems('unauthorized', 'forbidden_origin', 'forwarding_not_found'),
        },
      },
    },
    async (request, reply) => {
      await forwardings.end((await auth.session(request)).open, request.params.id)
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
        summary: 'What was forwarded, and what was not and why',
        querystring: forwardingLogQuery,
        response: { 200: json(forwardingLog, 'A page of it, newest first'), ...problems('unauthorized') },
      },
    },
    async (request) => logJson(await forwardings.log((await auth.session(request)).open, request.query)),
  )
}
