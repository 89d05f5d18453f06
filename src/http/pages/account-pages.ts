import type { AccountTab, PagePayload } from '#contract/pages.ts'
import type { RouteContext } from '../context.ts'
import { accountJson, keptJson } from '../json.ts'
import { orderJson } from '../order-json.ts'
import type { Visit } from './home-data.ts'
import type { PageRequest } from './page-request.ts'

type Content<Name extends PagePayload['page']> = Pick<Extract<PagePayload, { page: Name }>, 'page' | 'data'>

/** A tab of the account of the signed-in subscriber, or the sign-in form. */
export const accountPage =
  (tab: AccountTab) =>
  async (
    { account, deps, tokens }: RouteContext,
    { path, query }: PageRequest,
    { request, reply, signedIn }: Visit,
  ): Promise<Content<'account'>> => {
    const link = query.link === undefined ? null : await deps.signIn.look(query.link, account.browserOf(request))
    // In a browser that is already signed in, only a link that it requested changes anything.
    const isPast = link?.state === 'over' || (signedIn && link?.state === 'elsewhere')
    if (isPast) tokens.forget(request, reply, path)
    const view = signedIn && (await deps.account.view(signedIn))
    return {
      page: 'account',
      data: {
        tab,
        account: view ? accountJson(view) : null,
        addresses: signedIn ? (await deps.keptAddresses.listAndRestore(signedIn.subscription)).map(keptJson) : [],
        premiumDomain: deps.domains.find(({ tier }) => tier === 'premium')?.name ?? null,
        ownDomains:
          (view?.limits.domains ?? 0) > 0 ||
          (signedIn !== undefined && (await deps.ownDomains.list(signedIn.subscription)).length > 0),
        link: isPast && signedIn ? null : link,
        sent: query.sent !== undefined,
      },
    }
  }

/** Returns the state of an order. Throws `order_not_found`. */
export const checkoutPage = async (
  context: RouteContext,
  { query }: PageRequest,
  { request }: Visit,
): Promise<Content<'checkout'>> => ({
  page: 'checkout',
  data: { order: await orderJson(context, request, query.order ?? '') },
})
