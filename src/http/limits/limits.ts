import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { visitorNetworks } from '#core/networks.ts'
import type { Holder, TokenBuckets } from '#core/token-buckets.ts'

/** Takes from the buckets of the client's networks, or of another holder; tells it in `RateLimit-*` headers, throws `too_many_requests`. */
export function takeOrThrow(
  buckets: TokenBuckets,
  request: FastifyRequest,
  reply: FastifyReply,
  holder: Holder = visitorNetworks(request.ip),
): void {
  if (buckets.spares(request)) return
  const { allowed, remaining, reset, retryAfter } = buckets.take(holder)
  reply.headers({ 'ratelimit-limit': buckets.burst, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset })
  if (allowed) return
  reply.header('retry-after', retryAfter)
  throw new MayflyError('too_many_requests', `Try again in ${retryAfter} s`)
}

/** Counts what one client, the networks around it, and all together hold open. */
export class OpenCounts {
  /** Whom the cap of one client does not hold. */
  spares: (request: FastifyRequest) => boolean = () => false
  readonly #open = new Map<string, number>()
  readonly #maxPerClient: number
  readonly #maxTotal: number
  total = 0

  constructor(maxPerClient: number, maxTotal: number) {
    this.#maxPerClient = maxPerClient
    this.#maxTotal = maxTotal
  }

  /** Returns a function that gives the place back; undefined where there is none. Without `ip` only the total counts. */
  enter(ip: string | undefined): (() => void) | undefined {
    const networks = ip === undefined ? [] : visitorNetworks(ip)
    const isFull = networks.some(({ name, times }) => (this.#open.get(name) ?? 0) >= this.#maxPerClient * times)
    if (isFull || this.total >= this.#maxTotal) return undefined
    for (const { name } of networks) this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    this.total++
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.total--
      for (const { name } of networks) {
        const left = (this.#open.get(name) ?? 1) - 1
        if (left === 0) this.#open.delete(name)
        else this.#open.set(name, left)
      }
    }
  }
}

/** Seconds after which it is worth looking whether a place is free: nobody knows when. */
const STREAM_RETRY_AFTER = 10

/** Takes a place for a stream or a held answer; throws `too_many_requests`. */
export function enterOrThrow(streams: OpenCounts, request: FastifyRequest, reply: FastifyReply): () => void {
  const leave = streams.enter(streams.spares(request) ? undefined : request.ip)
  if (leave) return leave
  reply.header('retry-after', STREAM_RETRY_AFTER)
  throw new MayflyError('too_many_requests', 'Too many open streams')
}
