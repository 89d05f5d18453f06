import type { Static } from 'typebox'
import { newWebhook, webhookId, webhookList, webhookRequest, webhookTest } from '#contract/webhooks.ts'
import { MayflyError } from '#core/errors.ts'
import { isLocalSite } from '#core/local-site.ts'
import type { Routes } from '../context.ts'
import { webhookJson, webhooksOf } from '../json/account.ts'
import { takeOrThrow } from '../limits/limits.ts'
import { isLocalRequest } from '../request-origin.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../schema.ts'

const tags = ['Account of the site']

type Params = Static<typeof webhookId>

/** The webhooks of a subscriber. */
export const webhookRoutes: Routes = (app, context) => {
  const { account, options, rates } = context
  const { webhooks } = context.deps

  app.get(
    '/account/webhooks',
    {
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Returns the URLs that are called for each message.',
        response: { 200: json(webhookList, 'The webhooks and their limits'), ...problems('not_signed_in') },
      },
    },
    async (request) => webhooksOf(context, (await account.session(request)).subscription),
  )

  app.post<{ Body: Static<typeof webhookRequest> }>(
    '/account/webhooks',
    {
      schema: {
        tags,
        operationId: 'addWebhook',
        description:
          'Each message to one of your addresses is posted to it, except to fully private ones. If you add a URL again, its webhook gets a new key.',
        summary: 'Add a webhook',
        body: ref(webhookRequest),
        response: {
          201: json(newWebhook, 'The webhook and the key of its signatures'),
          ...problems(
            'not_signed_in',
            'forbidden_origin',
            'premium_required',
            'email_unconfirmed',
            'webhook_invalid',
            'webhooks_full',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      takeOrThrow(rates.webhookTests, request, reply, subscription.id)
      // Only clients on this machine may let webhooks call programs on it.
      const url = URL.parse(request.body.url.trim())
      if (url && isLocalSite(url.href) && !isLocalRequest(request, options)) throw new MayflyError('webhook_invalid')
      const { secret, ...view } = await webhooks.add(subscription, request.body.url)
      return reply.status(201).send({ ...webhookJson(view), secret })
    },
  )

  app.post<{ Params: Params }>(
    '/account/webhooks/:id/test',
    {
      schema: {
        tags,
        operationId: 'testWebhook',
        description: 'Posts a test to it now. If that succeeds, the webhook is on again.',
        summary: 'Test a webhook',
        params: webhookId,
        response: {
          200: json(webhookTest, 'The result'),
          ...problems('not_signed_in', 'forbidden_origin', 'premium_required', 'webhook_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      takeOrThrow(rates.webhookTests, request, reply, subscription.id)
      return { status: await webhooks.test(subscription, request.params.id) }
    },
  )

  app.delete<{ Params: Params }>(
    '/account/webhooks/:id',
    {
      schema: {
        tags,
        operationId: 'removeWebhook',
        summary: 'Remove a webhook',
        description: 'Removes the webhook and its pending calls.',
        params: webhookId,
        response: {
          204: nothing('The webhook is no longer called'),
          ...problems('not_signed_in', 'forbidden_origin', 'webhook_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      await webhooks.remove(subscription, request.params.id)
      return reply.status(204).send()
    },
  )
}
