import { isUint8Array } from 'node:util/types'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { visitorNetworks } from '#core/networks.ts'
import { OpenCounts, RETRY_AFTER } from './limits.ts'

/** Bytes and milliseconds. */
const LIMITS = {
  /** Unread bytes from which a client gets no further large response. The largest message has 25 MB. */
  maxPerClient: 50 * 1024 ** 2,
  /** Unread bytes of all clients beyond which the response that has been open for the longest time is cut off. */
  maxTotal: 200 * 1024 ** 2,
  /** Time without progress after which a response is cut off. */
  stalled: 30_000,
}

/** The number and size of connections limit what smaller responses can take. */
const LARGE = 64 * 1024

/**
 * Limits the memory of responses that clients are slow to read: a message can have many megabytes, and its bytes stay in
 * memory until the client has received them. Event streams and streamed files have their own limits. `isExempt`: only the
 * total counts.
 */
export function limitUnread(
  app: FastifyInstance,
  isExempt: (request: FastifyRequest) => boolean,
  { maxPerClient, maxTotal, stalled } = LIMITS,
): void {
  const counts = new OpenCounts(maxPerClient, Number.POSITIVE_INFINITY)
  /** Each open response with the function that ends its count. Oldest first. */
  const open = new Map<FastifyReply, () => void>()

  app.addHook('onSend', async (request, reply, payload) => {
    reply.raw.setTimeout(stalled)
    const bytes = sizeOf(payload)
    if (bytes < LARGE || reply.raw.closed) return
    const leave = counts.enter(isExempt(request) ? [] : visitorNetworks(request.ip), bytes)
    if (!leave) {
      reply.header('retry-after', RETRY_AFTER)
      throw new MayflyError('too_many_requests', 'Read the responses to your earlier requests first')
    }
    open.set(reply, leave)
    reply.raw.once('close', () => forget(reply))
    for (const oldest of open.keys()) {
      if (counts.total <= maxTotal || oldest === reply) break
      forget(oldest)
      oldest.raw.destroy()
    }
  })

  function forget(reply: FastifyReply): void {
    open.get(reply)?.()
    open.delete(reply)
  }
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return isUint8Array(payload) ? payload.byteLength : 0
}
