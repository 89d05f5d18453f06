import type { FastifyReply, FastifyRequest } from 'fastify'
import { newOrder, order, orderId, orderRequest, type OrderRequestJson } from '#contract/orders.ts'
import { MayflyError } from '#core/errors.ts'
import type { OrderForm } from '#features/billing/index.ts'
import { isLocalRequest } from '../../asked.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { BODY_PROBLEMS, json, problems, ref } from '../../schema.ts'

const tags = ['Orders of the site']

/** Creates an order for the requesting browser. Invalid input does not count for the limit. */
export async function placeOrder(
  { deps, account, options, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: OrderForm,
): Promise<{ id: string; url: string }> {
  const wanted = deps.orders.check(form)
  if (options.sandboxIsLocal && !isLocalRequest(request, options)) throw new MayflyError('plan_invalid')
  takeOrThrow(rates.orders, request, reply)
  return deps.orders.create(wanted, account.knowBrowser(request, reply))
}

export const orderRoutes: Routes = (app, context) => {
  const { auth, deps } = context

  app.post<{ Body: OrderRequestJson }>(
    '/orders',
    {
      schema: {
        tags,
        operationId: 'createOrder',
        summary: 'Order Premium',
        description: 'Returns the URL of the checkout. One order per 30 seconds and IP address, 5 at once.',
        body: ref(orderRequest),
        response: {
          201: json(newOrder, 'The order and the URL of its checkout'),
          ...problems('forbidden_origin', 'plan_invalid', 'email_invalid', 'payment_unavailable', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const { plan, years, email, lang } = request.body
      const language = knownLanguage(lang, deps.languages)
      const made = await placeOrder(context, request, reply, { plan, years, email, language })
      return reply.status(201).send(made)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/orders/:id',
    {
      schema: {
        tags,
        operationId: 'getOrder',
        params: orderId,
        description: 'Returns the order and its state.',
        summary: 'Get an order',
        response: { 200: json(order, 'The order'), ...problems('order_not_found') },
      },
    },
    async ({ params }) => deps.orders.view(params.id),
  )
}
