import type { FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { whileHeld } from '../../../auth/guard.ts'
import type { RouteContext } from '../../../context.ts'
import { findMessages } from './find.ts'
import { mailboxOpener } from './session.ts'

export interface OfMessage {
  Params: { id: string }
  Querystring: { query?: string }
}

/** Reads from the message of a request, which may have to wait for its turn. */
type ReadMessage = <T>(
  request: FastifyRequest<{ Querystring: { query?: string } }>,
  id: string,
  work: (open: OpenAddress, id: string) => Promise<T>,
) => Promise<T>

export function messageReader(context: RouteContext): ReadMessage {
  const { deps, keys } = context
  const openMailbox = mailboxOpener(context)

  /** `latest` is the newest message, or the newest that matches `query`. */
  async function idOf(
    open: OpenAddress,
    { id, query = '' }: { id: string; query?: string | undefined },
  ): Promise<string> {
    if (id !== 'latest') return id
    const [newest] = (await findMessages(deps.messages, open, { query })).matching
    if (!newest) throw new MayflyError('not_found', 'Message not found')
    return newest.id
  }

  return async (request, id, work) => {
    const opened = await openMailbox(request)
    const { open } = opened
    const result = idOf(open, { id, query: request.query.query }).then((found) => work(open, found))
    return whileHeld([opened, ...keys.grants(request)], deps.clock, result)
  }
}
