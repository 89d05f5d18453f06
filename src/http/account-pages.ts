import type { PagePayload } from '#contract/pages.ts'
import type { RouteContext } from './context.ts'
import type { Visit } from './home-data.ts'
import { accountJson, keptJson } from './json.ts'
import type { PageRequest } from './page-request.ts'

type Content<Name extends PagePayload['page']> = Pick<Extract<PagePayload, { page: Name }>, 'page' | 'data'>

/** The account of who is signed in; for others the way to sign in. */
export async function accountPage(
  { deps }: RouteContext,
  { query }: PageRequest,
  { signedIn }: Visit,
): Promise<Content<'account'>> {
  return {
    page: 'account',
    data: {
      account: signedIn ? accountJson(await deps.account.view(signedIn)) : null,
      addresses: signedIn ? (await deps.keptAddresses.list(signedIn.subscription)).map(keptJson) : [],
      linkOf: (query.link !== undefined && (await deps.signIn.whose(query.link))) || null,
      sent: query.sent !== undefined,
    },
  }
}

/** How an order stands; throws `order_not_found`. */
export const checkoutPage = async ({ deps }: RouteContext, { query }: PageRequest): Promise<Content<'checkout'>> => ({
  page: 'checkout',
  data: { order: await deps.orders.view(query.order ?? '') },
})
