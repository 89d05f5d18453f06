import type { FastifyReply } from 'fastify'
import type { OrderJson } from '#contract/orders.ts'
import type { RouteContext } from '../context.ts'

/**
 * Returns an order as the requesting browser may see it. While the payment is on its way, renews the cookies of the browser
 * and the order: a bank debit takes days. Throws `order_not_found`.
 */
export async function orderJson(
  { deps, account, tokens }: Pick<RouteContext, 'deps' | 'account' | 'tokens'>,
  reply: FastifyReply,
  id: string,
): Promise<OrderJson> {
  const { request } = reply
  const signedIn = await account.find(request)
  const view = await deps.orders.view(id, signedIn?.subscription)
  if ((view.state === 'open' || view.state === 'pending') && account.browserOf(request) !== undefined) {
    account.knowBrowser(request, reply)
    const shown = tokens.give(request, { lang: '', path: '/checkout', query: {} })
    if (shown.query.order === id) tokens.keep(reply, '/checkout', 'order', id)
  }
  const isPaid = view.state === 'paid' && !signedIn
  return { ...view, signsIn: isPaid && (await deps.paidSignIn.isPossible(id, account.browserOf(request))) }
}
