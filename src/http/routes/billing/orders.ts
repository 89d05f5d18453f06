import type { FastifyReply, FastifyRequest } from 'fastify'
import { newOrder, order, orderId, orderRequest, type OrderRequestJson } from '#contract/orders.ts'
import { MayflyError } from '#core/errors.ts'
import { type Network, widestNetwork } from '#core/networks.ts'
import type { OrderForm } from '#features/billing/index.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { orderJson } from '../../json/orders.ts'
import { giveBack, takeOrThrow } from '../../limits/limits.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { isLocalRequest } from '../../request-origin.ts'
import { BODY_PROBLEMS, json, limitText, nothing, problems, ref } from '../../schema.ts'

const tags = ['Orders of the site']

/** How many networks may use up the orders of strangers for one email address. */
const NETWORKS = 10

/**
 * Counts orders of strangers for an email address: those of one network, and those of all. Strangers can name any
 * email address, and must keep neither its account nor a buyer on another network from ordering.
 */
const strangers = (emailKey: string, ip: string): Network[] => [
  { name: `${emailKey} ${widestNetwork(ip)}`, times: 1 },
  { name: emailKey, times: NETWORKS },
]

/**
 * Creates an order for the requesting browser. Without `email` it is for the account that is signed in. `shown`: the id
 * of the account that the form shows. Throws `not_signed_in` if another tab has signed out or in since. Invalid input
 * does not count for the limit.
 */
export async function placeOrder(
  { deps, account, options, rates }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Omit<OrderForm, 'email'> & { email: string | undefined },
  shown: string | undefined,
): Promise<{ id: string; url: string }> {
  const signedIn = await account.find(request)
  if (shown !== undefined && shown !== signedIn?.subscription.id) throw new MayflyError('not_signed_in')
  const email = form.email || (signedIn ? deps.account.email(signedIn) : '')
  const wanted = await deps.orders.check({ ...form, email }, signedIn?.subscription)
  if (options.sandboxIsLocal && !isLocalRequest(request, options)) throw new MayflyError('plan_invalid')
  const isOwn = signedIn?.subscription.emailKey === wanted.emailKey
  const holder = isOwn ? signedIn.subscription.id : strangers(wanted.emailKey, request.ip)
  takeOrThrow(rates.ordersOfEmail, request, reply, holder)
  try {
    takeOrThrow(rates.orders, request, reply)
  } catch (error) {
    giveBack(rates.ordersOfEmail, request, holder)
    throw error
  }
  return deps.orders.create(wanted, account.knowBrowser(request, reply), isOwn ? signedIn.sessionId : undefined)
}

/** Signs in the browser that paid the order. Changes nothing if somebody is signed in already. */
export async function openPaid(
  { account, deps }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<void> {
  if (await account.find(request)) return
  const userAgent = request.headers['user-agent'] ?? ''
  account.setCookie(reply, await deps.paidSignIn.open({ id, browser: account.browserOf(request), userAgent }))
}

export const orderRoutes: Routes = (app, context) => {
  const { auth, deps, options } = context

  app.post<{ Body: OrderRequestJson }>(
    '/orders',
    {
      schema: {
        tags,
        operationId: 'createOrder',
        summary: 'Order Premium',
        description: `Returns the URL of the checkout. ${limitText('order', options.rates.orders)} ${limitText('order', options.rates.ordersOfEmail, 'email address on each network')} All networks together get ${NETWORKS} times as many.`,
        security: [{}, { key: [] }, { account: [] }],
        body: ref(orderRequest),
        response: {
          201: json(newOrder, 'The order and the URL of its checkout'),
          ...problems(
            'forbidden_origin',
            'not_signed_in',
            'plan_invalid',
            'email_invalid',
            'email_ours',
            'already_renews',
            'payment_unavailable',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const { plan, years, email, account: shown, lang } = request.body
      const language = knownLanguage(lang, deps.languages)
      const made = await placeOrder(context, request, reply, { plan, years, email, language }, shown)
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
    async (request, reply) => orderJson(context, reply, request.params.id),
  )

  app.post<{ Params: { id: string } }>(
    '/orders/:id/session',
    {
      schema: {
        tags,
        operationId: 'signInByOrder',
        summary: 'Sign in the browser that placed and paid an order: sets the cookie',
        description:
          'Within a day after the payment, and only while the order alone pays for the subscription and nobody signed in by email. Each order has one session: a repetition returns it while it exists.',
        response: { 204: nothing('Signed in'), ...problems('sign_in_by_email', 'forbidden_origin') },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      await openPaid(context, request, reply, request.params.id)
      return reply.status(204).send()
    },
  )
}
