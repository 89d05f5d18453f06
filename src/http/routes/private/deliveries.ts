import type { Static } from 'typebox'
import { sealedDeliveryList } from '#contract/deliveries.ts'
import { privateAddressId } from '#contract/private-addresses.ts'
import { countsAsVisit } from '../../auth/auth.ts'
import type { Routes } from '../../context.ts'
import { sealedDeliveriesJson } from '../../json/private.ts'
import { json, problems } from '../../schema.ts'

/** Deliveries to fully private addresses, sealed as they are in the store. */
export const privateDeliveryRoutes: Routes = (app, { account, deps }) => {
  app.get<{ Params: Static<typeof privateAddressId> }>(
    '/account/private/:id/deliveries',
    {
      schema: {
        tags: ['Account of the site'],
        operationId: 'listSealedDeliveries',
        summary: 'List the sealed deliveries of a private address',
        description: 'Returns attempts that left no message. Only the browser with the key can open them.',
        params: privateAddressId,
        response: {
          200: json(sealedDeliveryList, 'The deliveries'),
          ...problems('not_signed_in', 'not_found'),
        },
      },
    },
    async (request) => {
      const { subscription } = await account.session(request)
      const address = await deps.privateAddresses.open(subscription, request.params.id, countsAsVisit(request))
      return sealedDeliveriesJson(await deps.privateDeliveries.list(address))
    },
  )
}
