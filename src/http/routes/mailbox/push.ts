import { pushId, pushRequest, type PushRequestJson, pushState, pushSubscription } from '#contract/push.ts'
import type { Routes } from '../../context.ts'
import { timestamp } from '../../json/time.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../../schema.ts'

const tags = ['Push']
const security = [{ secret: [] }]

/** Push subscriptions of an address. */
export const pushRoutes: Routes = (app, { account, auth, deps: { pushes } }) => {
  app.get(
    '/address/push',
    {
      schema: {
        tags,
        security,
        operationId: 'getPush',
        summary: 'List push subscriptions',
        description: 'Returns the browsers that are told of new messages, and the key with which a browser subscribes.',
        response: { 200: json(pushState, 'The key and the browsers'), ...problems('unauthorized') },
      },
    },
    async (request) => {
      const { open } = await auth.requireAddress(request)
      const [publicKey, all] = await Promise.all([pushes.publicKey(), pushes.list(open)])
      return { publicKey, subscriptions: all.map(({ id, createdAt }) => ({ id, createdAt: timestamp(createdAt) })) }
    },
  )

  app.post<{ Body: PushRequestJson }>(
    '/address/push',
    {
      schema: {
        tags,
        security,
        operationId: 'addPush',
        summary: 'Add a push subscription',
        description:
          'Tells a browser by Web Push (RFC 8030) when a message arrives, at most once in 5 seconds. The encrypted payload is ' +
          '`{ "id": ID, "count": UNREAD, "subscription": ID }`: the id of the latest message, the number of unread ones, and the ' +
          'id of the subscription. The subscription ends with the address, and when the secret is replaced. An address has up to 10 browsers; a further one replaces the oldest.',
        body: ref(pushRequest),
        response: {
          201: json(pushSubscription, 'The subscription'),
          ...problems('unauthorized', 'forbidden_origin', 'push_invalid', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const { open } = await auth.requireAddress(request)
      // A browser that has the address by its session loses it when it is signed out.
      const signedIn = open.row.subscriptionId === null ? undefined : await account.find(request)
      const sessionId = signedIn?.subscription.id === open.row.subscriptionId ? (signedIn?.sessionId ?? null) : null
      const { endpoint, keys } = request.body
      const { id, createdAt } = await pushes.subscribe(open, { endpoint, keys }, sessionId)
      reply.status(201)
      return { id, createdAt: timestamp(createdAt) }
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/address/push/:id',
    {
      schema: {
        tags,
        security,
        operationId: 'removePush',
        summary: 'Remove a push subscription',
        description: 'The browser is no longer told of new messages. Also succeeds if there is no such subscription.',
        params: pushId,
        response: { 204: nothing('The subscription is removed'), ...problems('unauthorized', 'forbidden_origin') },
      },
    },
    async (request, reply) => {
      await pushes.remove((await auth.requireAddress(request)).open, request.params.id)
      return reply.status(204).send()
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/push/:id',
    {
      schema: {
        tags,
        security: [{}],
        operationId: 'forgetPush',
        summary: 'Remove a push subscription without the secret',
        description:
          'For a browser that no longer has the address: the id, which nobody can guess, is enough. Also succeeds if there is no such subscription.',
        params: pushId,
        response: { 204: nothing('The subscription is removed'), ...problems() },
      },
    },
    async (request, reply) => {
      await pushes.forget(request.params.id)
      return reply.status(204).send()
    },
  )
}
