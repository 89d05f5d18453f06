import type { FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { countsAsVisit, type RequestAddress } from '../../../auth/auth.ts'
import type { RouteContext } from '../../../context.ts'

/** Opens the account of the token in a request. Throws `unauthorized`. */
type OpenAccount = (request: FastifyRequest) => Promise<RequestAddress>

export const accountOpener =
  ({ deps: { addresses, clock, compat } }: RouteContext): OpenAccount =>
  async (request) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined) throw new MayflyError('unauthorized', 'JWT Token not found')
    const access = compat.tokens.read(token)
    if (access && access.expiresAt <= clock()) throw new MayflyError('unauthorized', 'Expired JWT Token')
    const open = access && (await addresses.open(access.secret, countsAsVisit(request)))
    if (!open) throw new MayflyError('unauthorized', 'Invalid JWT Token')
    const { secret, expiresAt } = access
    return {
      secret,
      open,
      topics: [open.row.id],
      validUntil: async () => Math.min(expiresAt, await addresses.validUntil(open)),
    }
  }
