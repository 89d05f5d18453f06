import { deliveryList } from '#contract/deliveries.ts'
import type { Routes } from '../../context.ts'
import { deliveriesJson } from '../../json/mailbox.ts'
import { json, problems } from '../../schema.ts'

export const deliveryRoutes: Routes = (app, { auth, deps }) => {
  app.get(
    '/deliveries',
    {
      schema: {
        tags: ['Messages'],
        security: [{ secret: [] }],
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description:
          'Returns received emails, and attempts that left no message, with the reply that the sending server got. Identical attempts are counted together. The list is kept as long as messages. ' +
          'A sender that was refused before it named this address is not in it.',
        response: { 200: json(deliveryList, 'The last deliveries'), ...problems('unauthorized') },
      },
    },
    async (request) => deliveriesJson(await deps.deliveries.list((await auth.requireAddress(request)).open)),
  )
}
