import type { ForwardingData } from '#contract/pages.ts'
import type { ConsentLink } from '#features/forwarding/index.ts'
import type { RouteContext } from '../context.ts'
import { forwardingsJson, logJson } from '../json/forwarding.ts'
import { timestampOrNull } from '../json/time.ts'
import type { Visit } from './home-data.ts'
import type { Content, PageRequest } from './page-request.ts'

const NOTHING: ForwardingData = { address: null, lifetime: null, premium: null, forwardings: null, log: null }

/** The forwarding destinations of the visitor's address. */
export async function forwardingPage(
  { auth, deps, options }: RouteContext,
  { query }: PageRequest,
  { request }: Visit,
): Promise<Content<'forwarding'>> {
  const open = (await auth.open(request))?.open
  if (!open) return { page: 'forwarding', data: NOTHING }
  const [list, log] = await Promise.all([
    deps.forwardings.list(open),
    deps.forwardings.log(open, { before: query.before }),
  ])
  return {
    page: 'forwarding',
    data: {
      address: open.address,
      lifetime: open.row.lifetime,
      premium:
        options.plans.sold.length > 0 && list.max < options.premiumDestinations ? options.premiumDestinations : null,
      forwardings: forwardingsJson(list),
      log: logJson(log),
    },
  }
}

const DONE = ['confirmed', 'declined', 'never', 'stopped'] as const

/** Returns the consent link in a URL, or undefined. */
export function linkOf({ confirm, stop }: Record<string, string | undefined>): ConsentLink | undefined {
  if (stop !== undefined) return { kind: 'stop', token: stop }
  return confirm === undefined ? undefined : { kind: 'confirm', token: confirm }
}

/** The page on which a destination decides about forwarded mail. */
export async function forwardedPage({ deps }: RouteContext, { query }: PageRequest): Promise<Content<'forwarded'>> {
  // A link without a token counts as expired.
  const given = linkOf(query) ?? { kind: 'stop', token: '' }
  const view = await deps.forwardingConsent.view(given)
  const { link, live, route, until, days } = view
  return {
    page: 'forwarded',
    data: {
      link,
      token: link === 'over' ? null : given.token,
      live,
      address: route?.address ?? null,
      destination: route?.destination ?? null,
      until: timestampOrNull(until),
      days,
      done: (link === 'over' ? undefined : DONE.find((each) => each === query.done)) ?? null,
    },
  }
}
