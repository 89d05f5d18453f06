import { type SANDBOX_OUTCOMES, sandboxRequest } from '#contract/orders.ts'
import type { Routes } from '../context.ts'
import { BODY_PROBLEMS, exactBody, nothing, problems, ref } from '../schema.ts'

/** The buttons of the built-in checkout; there only where it is on. */
export const sandboxRoutes: Routes = (app, { auth, deps }) => {
  app.post<{ Params: { order: string }; Body: { outcome: (typeof SANDBOX_OUTCOMES)[number] } }>(
    '/sandbox/:order',
    {
      preValidation: exactBody(sandboxRequest),
      schema: {
        tags: ['Orders of the site'],
        operationId: 'playOutcome',
        summary: 'Say what becomes of an order in the built-in checkout, which moves no money',
        body: ref(sandboxRequest),
        response: {
          204: nothing('Done as if a payment service had said so'),
          ...problems('forbidden_origin', 'not_found', 'order_not_found', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      await deps.sandbox(request.params.order, request.body.outcome)
      return reply.status(204).send()
    },
  )
}
