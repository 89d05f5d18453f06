import type { FastifyRequest } from 'fastify'
import type { OrderJson } from '#contract/orders.ts'
import type { RouteContext } from './context.ts'

/** Returns an order as the requesting browser may see it. Throws `order_not_found`. */
export async function orderJson(
  { deps, account }: Pick<RouteContext, 'deps' | 'account'>,
  request: FastifyRequest,
  id: string,
): Promise<OrderJson> {
  const view = await deps.orders.view(id)
  const isPaid = view.state === 'paid' && !(await account.find(request))
  return { ...view, signsIn: isPaid && (await deps.paidSignIn.isPossible(id, account.browserOf(request))) }
}
