import type { FastifyRequest } from 'fastify'
import { sandboxOrder, sandboxRequest } from '#contract/orders.ts'
import type { SandboxOutcome } from '#core/billing/order.ts'
import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { isLocalRequest } from '../../request-origin.ts'
import { BODY_PROBLEMS, nothing, problems, ref } from '../../schema.ts'

/** Throws `not_found` if the built-in checkout is disabled, or enabled for this machine only. */
export async function simulatePayment(
  { deps, options }: RouteContext,
  request: FastifyRequest,
  order: string,
  outcome: SandboxOutcome,
): Promise<void> {
  if (options.sandboxIsLocal && !isLocalRequest(request, options)) throw new MayflyError('not_found')
  await deps.simulatePayment(order, outcome)
}

/** The buttons of the built-in checkout, if it is enabled. */
export const sandboxRoutes: Routes = (app, context) => {
  const { auth } = context
  app.post<{ Params: { order: string }; Body: { outcome: SandboxOutcome } }>(
    '/sandbox/:order',
    {
      schema: {
        tags: ['Orders of the site'],
        operationId: 'simulatePayment',
        summary: 'Simulate the result of a payment',
        description: 'For the built-in test checkout, in which no money moves.',
        params: sandboxOrder,
        body: ref(sandboxRequest),
        response: {
          204: nothing('The order has this result'),
          ...problems('forbidden_origin', 'not_found', 'order_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      await simulatePayment(context, request, request.params.order, request.body.outcome)
      return reply.status(204).send()
    },
  )
}
