import type { FastifyReply } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { whileHeld } from '../../../auth/guard.ts'
import type { RouteContext } from '../../../context.ts'
import { closedSignal } from '../../../streams/sse.ts'
import { createMailSearch } from './find.ts'
import { mailboxOpener } from './session.ts'

export interface OfMessage {
  Params: { id: string }
  Querystring: Partial<Record<'query' | 'tz', string | string[]>>
}

/** Reads from the message of the request of `reply`, which may have to wait for its turn. */
type ReadMessage = <T>(
  reply: FastifyReply,
  id: string,
  work: (open: OpenAddress, id: string) => Promise<T>,
) => Promise<T>

export function messageReader(context: RouteContext): ReadMessage {
  const { deps, keys } = context
  const openMailbox = mailboxOpener(context)
  const search = createMailSearch(deps.messages, deps.clock)

  /** `latest` is the newest message, or the newest that matches `query`. */
  async function idOf(open: OpenAddress, id: string, { request, raw }: FastifyReply): Promise<string> {
    if (id !== 'latest') return id
    const { query, tz } = request.query as OfMessage['Querystring']
    // As in Mailpit, the first of several values counts.
    const [first = '', zone] = [query, tz].map((each) => [each].flat()[0])
    const newest = await search(open, { query: first, tz: zone, signal: closedSignal(raw) }).newest()
    if (!newest) throw new MayflyError('not_found', 'Message not found')
    return newest.id
  }

  return async (reply, id, work) => {
    const { request } = reply
    const opened = await openMailbox(request)
    const { open } = opened
    const result = idOf(open, id, reply).then((found) => work(open, found))
    return whileHeld([opened, ...keys.grants(request)], deps.clock, result)
  }
}
