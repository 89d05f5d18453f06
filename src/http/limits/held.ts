import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { visitorNetworks } from '#core/networks.ts'
import type { RouteContext } from '../context.ts'
import { RETRY_AFTER } from './limits.ts'

const held = new WeakSet<FastifyRequest>()

/** Marks a request as held until a message arrives: how long it takes says nothing about the service. */
export const hold = (request: FastifyRequest): void => void held.add(request)

export const isHeld = (request: FastifyRequest): boolean => held.has(request)

/** An API key may hold so many times what an IP address may: one key serves all machines of a test suite. */
export const PLACES_OF_KEY = 10

/**
 * Takes a place for a stream or a held response: of the API key in the request, else of the client. Throws
 * `too_many_requests`.
 */
export function enterOrThrow(
  { streams, keys }: Pick<RouteContext, 'streams' | 'keys'>,
  request: FastifyRequest,
  reply: FastifyReply,
): () => void {
  const key = keys.holder(request)
  const holders = key ? [{ name: key.keyId, times: PLACES_OF_KEY }] : visitorNetworks(request.ip)
  const leave = streams.enter(streams.isExempt(request) ? [] : holders)
  if (leave) return leave
  reply.header('retry-after', RETRY_AFTER)
  throw new MayflyError('too_many_requests', 'Too many open streams')
}
