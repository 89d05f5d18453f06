import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { type Network, visitorNetworks } from '#core/networks.ts'
import type { Holder } from '#core/token-buckets.ts'
import type { Exemption, RequestBuckets } from './rates.ts'

/**
 * Takes from the buckets of the client's networks, or of another holder. Sets the `RateLimit-*` headers. Throws
 * `too_many_requests`.
 */
export function takeOrThrow(
  buckets: RequestBuckets,
  request: FastifyRequest,
  reply: FastifyReply,
  holder: Holder = visitorNetworks(request.ip),
): void {
  if (buckets.isExempt(request)) return
  const { allowed, remaining, reset, retryAfter } = buckets.take(holder)
  reply.headers({ 'ratelimit-limit': buckets.burst, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset })
  if (allowed) return
  reply.header('retry-after', retryAfter)
  throw new MayflyError('too_many_requests', `Try again in ${retryAfter} s`)
}

/** Returns the token that `takeOrThrow` took for a holder. */
export function giveBack(buckets: RequestBuckets, request: FastifyRequest, holder: Holder): void {
  if (!buckets.isExempt(request)) buckets.give(holder)
}

/** Seconds after which a retry makes sense if nobody knows when a place becomes free. */
export const RETRY_AFTER = 10

/** Counts what a client, the networks around it, and all clients together hold open. */
export class OpenCounts {
  /** Requests of clients without a limit of their own. */
  readonly isExempt: Exemption
  readonly #open = new Map<string, number>()
  readonly #maxPerClient: number
  readonly #maxTotal: number
  total = 0

  constructor(maxPerClient: number, maxTotal: number, isExempt: Exemption = () => false) {
    this.isExempt = isExempt
    this.#maxPerClient = maxPerClient
    this.#maxTotal = maxTotal
  }

  /**
   * Takes places if at least one is free. Returns a function that gives them back, or undefined if none is. Without
   * networks, only the total counts.
   */
  enter(networks: readonly Network[], count = 1): (() => void) | undefined {
    const isFull = networks.some(({ name, times }) => (this.#open.get(name) ?? 0) >= this.#maxPerClient * times)
    if (isFull || this.total >= this.#maxTotal) return undefined
    for (const { name } of networks) this.#open.set(name, (this.#open.get(name) ?? 0) + count)
    this.total += count
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.total -= count
      for (const { name } of networks) {
        const left = (this.#open.get(name) ?? count) - count
        if (left === 0) this.#open.delete(name)
        else this.#open.set(name, left)
      }
    }
  }
}
