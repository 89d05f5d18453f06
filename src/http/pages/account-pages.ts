import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { AccountData, AccountTab } from '#contract/pages.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import type { RouteContext } from '../context.ts'
import { domainJson, keysOf, webhooksOf, accountJson, keptJson } from '../json/account.ts'
import { orderJson } from '../json/orders.ts'
import type { Visit } from './home-data.ts'
import { type Content, isSent, type PageRequest } from './page-request.ts'

async function developerOf(
  context: RouteContext,
  subscription: Subscription,
): Promise<NonNullable<AccountData['developer']>> {
  const [keys, webhooks] = await Promise.all([keysOf(context, subscription), webhooksOf(context, subscription)])
  return { keys, webhooks }
}

function askedOf(addresses: KeptAddressJson[], { ask, address }: PageRequest['query']): AccountData['asked'] {
  const found = addresses.find(({ id }) => id === address)
  const isReplaceable = found?.alive && !found.private
  return found && (ask === 'delete' || (ask === 'replace' && isReplaceable))
    ? { id: found.id, address: found.address, ask }
    : null
}

/** A tab of the account of the signed-in subscriber, or the sign-in form. */
export const accountPage =
  (tab: AccountTab) =>
  async (
    context: RouteContext,
    page: PageRequest,
    { request, reply, signedIn }: Visit,
  ): Promise<Content<'account'>> => {
    const { account, deps, tokens } = context
    const { path, query } = page
    const link =
      query.link === undefined
        ? null
        : await deps.signIn.view(query.link, account.browserOf(request), account.tokenOf(request))
    // In a browser that is already signed in, only a link that it requested changes anything.
    const isPast = link?.state === 'over' || (signedIn && link?.state === 'elsewhere')
    if (isPast) tokens.forget(request, reply, path)
    const { subscription } = signedIn ?? {}
    const { apiKeys, webhooks } = deps
    const mayDevelop = apiKeys.rules.maxKeys > 0 || webhooks.rules.maxWebhooks > 0
    const [view, kept, domains, developer] = await Promise.all([
      signedIn && deps.account.view(signedIn),
      subscription && deps.keptAddresses.listAndRestore(subscription),
      subscription && deps.ownDomains.list(subscription),
      subscription && (tab === 'developer' || !mayDevelop) ? developerOf(context, subscription) : null,
    ])
    const addresses = (kept ?? []).map(keptJson)
    return {
      page: 'account',
      data: {
        tab,
        account: view ? accountJson(view) : null,
        addresses,
        asked: askedOf(addresses, query),
        domains: tab === 'domains' && domains ? domains.map(domainJson) : null,
        developer: tab === 'developer' ? developer : null,
        premiumDomain: deps.domains.find(({ tier }) => tier === 'premium')?.name ?? null,
        ownDomains: (view?.limits.domains ?? 0) > 0 || (domains ?? []).length > 0,
        keysOrWebhooks:
          mayDevelop || [...(developer?.keys.keys ?? []), ...(developer?.webhooks.webhooks ?? [])].length > 0,
        link: isPast && signedIn ? null : link,
        sent: isSent(page),
      },
    }
  }

/** Returns the state of an order. Throws `order_not_found`. */
export const checkoutPage = async (
  context: RouteContext,
  { query }: PageRequest,
  { reply }: Visit,
): Promise<Content<'checkout'>> => ({
  page: 'checkout',
  data: { order: await orderJson(context, reply, query.order ?? '') },
})
