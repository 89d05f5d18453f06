import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HomeData, Tool } from '#contract/pages.ts'
import { ignoreStoreFault, undefinedFor } from '#core/errors.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import type { KeptAddressView, SignedIn } from '#features/account/index.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { signedInGrant } from '../auth/auth.ts'
import { type Grant, whileHeld } from '../auth/guard.ts'
import type { RouteContext } from '../context.ts'
import { ownDomainsOf } from '../domains.ts'
import { keptJson } from '../json/account.ts'
import { addressJson, deliveriesJson, listJson, messageJson } from '../json/mailbox.ts'
import { isCrawler, type PageRequest } from './page-request.ts'

/** A page request and its response. */
export interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  signedIn: SignedIn | undefined
}

/** HEAD shows nothing to a person, and a prefetched page may never be looked at. */
export const isLookedAt = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? '').includes('prefetch')

/** An address, and the grants that let this visit use it. */
interface Opened {
  open: OpenAddress
  grant: Grant
}

async function messageOf(
  { deps }: RouteContext,
  request: FastifyRequest,
  { open, grant }: Opened,
  id: string,
): Promise<HomeData['message']> {
  const { summary, content } = await whileHeld([grant], deps.clock, deps.messages.read(open, id, { outline: true }))
  const { html, ...rest } = messageJson(summary, content)
  const seen = summary.seen || isLookedAt(request)
  if (seen && !summary.seen) {
    // With a full disk, existing messages can still be shown.
    await deps.messages.mark(open, id, { seen: true }).catch(ignoreStoreFault)
  }
  return { ...rest, seen, hasHtml: html !== null }
}

/**
 * Returns the address of the cookie. For a subscriber without one: the first kept address that opens, which is then
 * stored in the cookie.
 */
async function addressOf(
  { account, auth, deps, earlier }: RouteContext,
  { request, reply, signedIn }: Visit,
  kept: readonly KeptAddressView[],
): Promise<Opened | undefined> {
  const current = await auth.open(request)
  auth.renewCookie(request, reply)
  if (current) {
    earlier.note(request, reply, current)
    return { open: current.open, grant: current }
  }
  if (!signedIn) return undefined
  for (const each of kept.filter(({ alive, private: isPrivate }) => alive && !isPrivate)) {
    // Undefined if its stored secret is damaged.
    const opening = deps.keptAddresses.open(signedIn.subscription, each.id)
    const opened = await opening.catch(undefinedFor('address_invalid'))
    if (!opened) continue
    await auth.setCookie(request, reply, opened)
    return { open: opened.open, grant: signedInGrant(request, signedIn, account.find) }
  }
  return undefined
}

/** Whether the address of the cookie is gone. An address of a subscription is still there for its signed-in owner. */
async function hasEnded(
  { auth, deps }: RouteContext,
  request: FastifyRequest,
  signedIn: SignedIn | undefined,
): Promise<boolean> {
  const credential = auth.credentialOf(request)
  if (!credential?.ofSession) return credential !== undefined
  if (credential.secret === undefined) return signedIn !== undefined
  return (await deps.addresses.open(credential.secret)) === undefined
}

/** The visitor's address with its messages, for the home page and its variants. */
export async function homeData(
  context: RouteContext,
  visit: Visit,
  { query, lang }: PageRequest,
  tool: Tool,
): Promise<HomeData> {
  const { deps, options } = context
  const { signedIn, request } = visit
  const { sold, addresses, storageBytes } = options.plans
  const list = signedIn ? await deps.keptAddresses.listAndRestore(signedIn.subscription) : []
  const shared = {
    tool,
    text: deps.library.page(tool, lang),
    kept: signedIn ? list.map(keptJson) : null,
    premium: sold.length > 0 ? { addresses, storageBytes } : null,
    domains: [
      ...(await ownDomainsOf(deps, signedIn)),
      ...deps.domains.flatMap(({ name, tier }) => (tier === 'free' || signedIn?.active ? [name] : [])),
    ],
  }
  const forTenMinutes = tool === 'ten-minute-mail'
  const opened = await addressOf(context, visit, forTenMinutes ? [] : list)
  const open = opened?.open
  const view = open && addressJson(await deps.addresses.view(open))
  // The ten-minute page does not show an address with a longer lifetime: it would be in the way of a new one.
  const other = forTenMinutes && view && view.lifetime !== 'ten-minutes' ? view.address : null
  if (!opened || !open || !view || other !== null) {
    return {
      ...shared,
      address: null,
      newSecret: null,
      other,
      ended: other === null && (await hasEnded(context, request, signedIn)),
      createOnLoad: other === null && !isCrawler(request),
      inbox: { messages: [], next: null },
      revision: 0,
      message: null,
      panel: null,
      forwarding: await deps.forwardings.stateOf(undefined),
    }
  }
  const message = query.message === undefined ? null : await messageOf(context, request, opened, query.message)
  const [page, forwarding, deliveries] = await Promise.all([
    deps.messages.list(open, { before: query.before }),
    deps.forwardings.stateOf(open),
    query.show === 'deliveries' ? deps.deliveries.list(open).then(deliveriesJson) : null,
  ])
  return {
    ...shared,
    address: view,
    newSecret: newSecret(),
    other: null,
    ended: false,
    createOnLoad: false,
    inbox: listJson(page),
    revision: open.row.revision,
    message,
    panel: query.ask === 'delete' ? 'question' : deliveries,
    forwarding,
  }
}
