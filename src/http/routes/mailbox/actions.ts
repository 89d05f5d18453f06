import formbody from '@fastify/formbody'
import type { FastifyRequest } from 'fastify'
import { SANDBOX_OUTCOMES } from '#core/billing/order.ts'
import { MayflyError } from '#core/errors.ts'
import { SUPPORT_KINDS, type SupportKind } from '#core/operating/support.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { pathIn } from '#locales/languages.ts'
import { preferredLanguage } from '#web/i18n/preferred-language.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { toMayflyError } from '../../errors.ts'
import { acceptedLanguages } from '../../pages/language-offer.ts'
import { isCrawler, knownLanguage } from '../../pages/page-request.ts'
import { sendForm } from '../../support-form.ts'
import { ACCOUNT_ACTIONS } from '../account/account-actions.ts'
import { type Act, type Action, askPath, type Fields, fieldsOf } from '../action.ts'
import { placeOrder } from '../billing/orders.ts'
import { simulatePayment } from '../billing/sandbox.ts'
import { askAgain, askDestination } from '../forwarding/forwarding.ts'
import { createFor, replaceSecret } from './addresses.ts'
import { showAgain } from './show-again.ts'

const filled = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)

/**
 * The secret that a form contains for the address it creates. Undefined if it already opens the browser's address, because
 * then the form came from the history and asks for another one in place of its own, or if it opens an address that is not
 * `wanted`. The new address replaces that one, `unwanted`, if it has no messages.
 */
async function secretOf(
  { auth, deps }: RouteContext,
  request: FastifyRequest,
  { secret: given }: Fields,
  isWanted: (open: OpenAddress) => boolean,
): Promise<{ secret?: string | undefined; unwanted?: OpenAddress }> {
  const secret = filled(given)
  const open = secret === undefined ? undefined : await deps.addresses.open(secret)
  if (!open) return { secret }
  const isCurrent = (await auth.open(request))?.open.row.id === open.row.id
  if (isCurrent) auth.setShown(request, open.address)
  if (isCurrent) return {}
  if (isWanted(open)) return { secret }
  return open.row.usedBytes > 0 || open.row.subscriptionId !== null ? {} : { unwanted: open }
}

const create: Act = async (context, request, reply, fields) => {
  const named = filled(fields.login)
  const login = fields.random === undefined ? named : undefined
  const domain = filled(fields.domain)
  // The visitor may have wanted something else since the first request: another name, or a random one instead of it.
  const isWanted = ({ address, row }: OpenAddress): boolean => {
    const [name, host] = address.split('@')
    return (
      (named === undefined || (name === named.toLowerCase()) === (login !== undefined)) &&
      (domain === undefined || host === domain.toLowerCase()) &&
      (row.lifetime === 'ten-minutes') === (fields.lifetime === 'ten-minutes')
    )
  }
  const { secret, unwanted } = await secretOf(context, request, fields, isWanted)
  const wanted = {
    ...(login === undefined ? {} : { login }),
    ...(domain === undefined ? {} : { domain }),
    ...(fields.lifetime === 'ten-minutes' ? { lifetime: 'ten-minutes' as const } : {}),
    ...(secret === undefined ? {} : { secret }),
    signedIn: fields.signedIn !== undefined,
    replace: true,
  }
  const { addresses } = context.deps
  // A refused form deletes nothing, except that an address must be removed before its name can be used again.
  const isSameName = unwanted !== undefined && unwanted.address.split('@')[0] === login?.toLowerCase()
  if (isSameName) await addresses.remove(unwanted)
  const created = await createFor(context, request, reply, wanted, isSameName ? filled(fields.secret) : undefined)
  if (unwanted && !isSameName) await addresses.remove(unwanted)
  await context.auth.setCookie(request, reply, created)
}

/** The form contains the new secret. Sent again after a lost response, it opens what it created. */
const replace: Act = async (context, request, reply, fields) => {
  const { auth, deps } = context
  const secret = filled(fields.secret)
  await replaceSecret(context, request, reply, secret).catch(async (error: unknown) => {
    const open = secret === undefined ? undefined : await deps.addresses.open(secret)
    if (!open || secret === undefined) throw error
    await auth.setCookie(request, reply, { secret, open })
  })
}

/** Creates an address again that this browser had before, or opens it if it still exists. */
const takeAgain: Act = async (context, request, reply, fields) => {
  const { auth, deps, earlier } = context
  const { address: wanted = '' } = fields
  const entry = earlier.list(request).find(({ address }) => address === wanted)
  if (!entry) throw new MayflyError('unauthorized')
  const open = await deps.addresses.open(entry.secret)
  if (open) return void (await auth.setCookie(request, reply, { secret: entry.secret, open }))
  const [login = '', domain = ''] = wanted.split('@')
  const { secret, unwanted } = await secretOf(context, request, fields, ({ address }) => address === wanted)
  const signedIn = fields.signedIn !== undefined
  const again = { login, domain, signedIn, replace: true, ...(secret === undefined ? {} : { secret }) }
  const created = await createFor(context, request, reply, again, entry.secret)
  if (unwanted) await deps.addresses.remove(unwanted)
  await auth.setCookie(request, reply, created)
}

const write = (kind: SupportKind): Action => ({
  async act(context, request, reply, { website, lang, ...fields }) {
    const form = { ...fields, kind, language: lang }
    await sendForm(context, request, reply, form, website)
  },
  done: `/${kind}?sent=1`,
  refused: `/${kind}`,
  keeps: true,
})

const order: Act = async (context, request, reply, { plan, years, email, account, lang }) => {
  const form = { plan, years: filled(years) === undefined ? undefined : Number(years), email, language: lang }
  return (await placeOrder(context, request, reply, form, account)).url
}

const sandbox: Act = async (context, request, _reply, { order: id = '', outcome, lang }) => {
  const chosen = SANDBOX_OUTCOMES.find((each) => each === outcome)
  if (!chosen) throw new MayflyError('invalid_request')
  await simulatePayment(context, request, id, chosen)
  return pathIn(lang, `/checkout?${new URLSearchParams({ order: id }).toString()}`)
}

const FORWARDING = { done: '/forwarding', refused: '/forwarding' }

const ACTIONS: Record<string, Action> = {
  create: { act: create },
  change: { act: create, refused: '/change' },
  delete: {
    async act({ auth, deps }, request, reply, { confirmed, lang, path }) {
      const { open } = await auth.requireAddress(request)
      if (confirmed === undefined) return askPath(lang, path)
      await deps.addresses.remove(open)
      auth.clearCookie(reply)
      return undefined
    },
  },
  'take-again': { act: takeAgain, refused: '/change' },
  /** Removes one address from the list of earlier ones, or all but the current one. */
  forget: {
    async act({ auth, earlier }, request, reply, { address }) {
      const current = (await auth.open(request))?.open.address
      // The list of the page does not have the address that it shows.
      if (address === undefined && current !== undefined) auth.requireShown(request, current)
      earlier.forget(request, reply, (each) => (address === undefined ? each !== current : each === address))
    },
    done: '/change',
    refused: '/change',
  },
  'replace-secret': { act: replace },
  extend: {
    async act({ auth, deps }, request) {
      await deps.addresses.extend((await auth.requireAddress(request)).open)
    },
  },
  'delete-message': {
    async act({ auth, deps }, request, _reply, { id = '', confirmed, lang, path }) {
      const { open } = await auth.requireAddress(request)
      if (confirmed === undefined) return askPath(lang, path, { message: (await deps.messages.find(open, id)).id })
      await deps.messages.remove(open, id)
      return undefined
    },
  },
  forward: {
    async act(context, request, reply, { destination = '', lang }) {
      await askDestination(context, request, reply, { destination, lang })
    },
    ...FORWARDING,
    keeps: true,
  },
  'forwarding-pause': {
    async act({ auth, deps }, request, _reply, { id = '', paused }) {
      await deps.forwardings.setPaused((await auth.requireAddress(request)).open, id, paused === 'true')
    },
    ...FORWARDING,
  },
  'forwarding-restart': {
    async act(context, request, reply, { id = '' }) {
      await askAgain(context, request, reply, id)
    },
    ...FORWARDING,
  },
  'forwarding-end': {
    async act({ auth, deps }, request, _reply, { id = '' }) {
      await deps.forwardings.end((await auth.requireAddress(request)).open, id)
    },
    ...FORWARDING,
  },
  order: { act: order, refused: '/premium', keeps: true },
  sandbox: { act: sandbox, refused: '/premium' },
  ...ACCOUNT_ACTIONS,
  ...Object.fromEntries(SUPPORT_KINDS.map((kind) => [kind, write(kind)])),
}

/** Pages that a form may name as its own. Anything else would be an open redirect. */
const TOOLS: ReadonlySet<string | undefined> = new Set(['/', '/10-minute-mail', '/email-generator', '/change'])

/**
 * Forms of the pages without JavaScript: perform the action, then redirect to a page (303), with the reason after a
 * refusal.
 */
export const actionRoutes: Routes = (app, context) => {
  const { auth, deps, options } = context
  void app.register(formbody, { bodyLimit: Math.max(options.maxBodyBytes, options.maxSupportBytes) })

  for (const [name, { act, done = '/', refused = '/', keeps = false }] of Object.entries(ACTIONS)) {
    // The page of a refused form has this URL (`showAgain`). Reloaded or opened again, it leads to the form.
    app.get(`/actions/${name}`, { schema: { hide: true } }, async ({ headers }, reply) => {
      const accepted = acceptedLanguages(headers['accept-language'] ?? '')
      const lang = knownLanguage(preferredLanguage(headers.cookie ?? '', accepted), deps.languages)
      return reply.redirect(pathIn(lang, refused), 303)
    })

    const bodyLimit = keeps ? options.maxSupportBytes : options.maxBodyBytes
    app.post(`/actions/${name}`, { bodyLimit, schema: { hide: true } }, async (request, reply) => {
      const fields = fieldsOf(request.body)
      auth.setShown(request, fields.shown)
      const own = TOOLS.has(fields.path) ? fields.path : undefined
      const lang = knownLanguage(fields.lang, deps.languages)
      try {
        auth.requireOwnOrigin(request)
        if (isCrawler(request)) throw new MayflyError('forbidden_origin')
        const elsewhere = await act(context, request, reply, { ...fields, lang, path: own })
        return await reply.redirect(elsewhere ?? pathIn(lang, own ?? done), 303)
      } catch (error) {
        const { code } = toMayflyError(error)
        if (code === 'internal') throw error
        const retry = reply.getHeader('retry-after')
        const query = { error: code, ...(retry === undefined ? {} : { retry: String(retry) }) }
        const page = own ?? refused
        if (keeps && code !== 'forbidden_origin')
          return showAgain(context, request, reply, { lang, path: page, query }, fields)
        return reply.redirect(pathIn(lang, `${page}?${new URLSearchParams(query).toString()}`), 303)
      }
    })
  }
}
