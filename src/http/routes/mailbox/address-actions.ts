import type { FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import type { RouteContext } from '../../context.ts'
import { type Act, type Action, askPath, type Fields, filled } from '../form-action.ts'
import { createFor, replaceSecret } from './addresses.ts'

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

/** The forms of addresses and their messages, without JavaScript. */
export const ADDRESS_ACTIONS: Record<string, Action> = {
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
}
