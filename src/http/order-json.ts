import type { FastifyRequest } from 'fastify'
import type { OrderJson } from '#contract/orders.ts'
import type { RouteContext } from './context.ts'

/** Returns an order as the requesting browser may see it. Throws `order_not_found`. */
export async function orderJson(
  { deps, account }: Pick<RouteContext, 'deps' | 'account'>,
  request: FastifyRequest,
  id: string,
): Promise<OrderJson> {
  const signedIn = await account.find(request)
  const view = await deps.orders.view(id, signedIn?.subscription)
  const isPaid = view.state === 'paid' && !signedIn
  return { ...view, signsIn: isPaid && (await deps.paidSignIn.isPossible(id, account.browserOf(request))) }
}
