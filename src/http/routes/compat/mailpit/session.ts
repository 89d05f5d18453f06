import type { FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import { countsAsVisit, type RequestAddress } from '../../../auth/auth.ts'
import type { RouteContext } from '../../../context.ts'
import { isLocalRequest } from '../../../request-origin.ts'

/** Opens the mailbox of a request. Throws `unauthorized`. */
type OpenMailbox = (request: FastifyRequest) => Promise<RequestAddress>

/** Returns user and password (RFC 7617). Undefined without this kind of credentials. */
function basicOf({ headers }: FastifyRequest): { user: string; password: string } | undefined {
  const [, encoded] = /^Basic +(\S*)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return { user: text.slice(0, Math.max(0, colon)), password: text.slice(colon + 1) }
}

/**
 * Users are addresses, with their secrets as passwords. Without credentials, programs on this machine get the mailbox of
 * all logins without an address, if there is one.
 */
export function mailboxOpener({ deps: { addresses, compat }, options }: RouteContext): OpenMailbox {
  async function opened(request: FastifyRequest): Promise<OpenedAddress | undefined> {
    const { authorization } = request.headers
    if (authorization === undefined)
      return compat.catchAll && isLocalRequest(request, options) ? compat.catchAll.open() : undefined
    const basic = basicOf(request)
    const open = basic && (await addresses.open(basic.password, countsAsVisit(request)))
    return open && open.address === basic.user.trim().toLowerCase() ? { secret: basic.password, open } : undefined
  }

  return async (request) => {
    const mailbox = await opened(request)
    if (!mailbox) throw new MayflyError('unauthorized')
    const { open } = mailbox
    return { ...mailbox, topics: [open.row.id], validUntil: () => addresses.validUntil(open) }
  }
}
