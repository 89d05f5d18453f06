import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'

/**
 * Whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, for that is what one visitor has (RFC 6177). Proxies may
 * write the port behind it, which changes with each connection; all for whom they write no address are one.
 */
export function clientKey(ip: string): string {
  const text = ip.replace(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/, '$1$2')
  if (isIP(text) === 0) return 'unknown'
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

export interface Taken {
  allowed: boolean
  remaining: number
  /** Seconds until the bucket is full, and, where nothing was left, until there is one again. */
  reset: number
  retryAfter: number
}

/** Token buckets: `burst` at once, then one each `interval` milliseconds, for every key. */
export class TokenBuckets {
  readonly burst: number
  /** The key of a client; where buckets are shared it does not say who it is. */
  nameOf: (client: string) => string = (client) => client
  /** Called with the key of each token that is given. */
  onTaken: (key: string) => void = () => {}
  readonly #interval: number
  readonly #clock: Clock
  /** When the bucket of a key will be full; a key that is not there is full. */
  readonly #fullAt = new Map<string, number>()

  constructor(burst: number, interval: number, clock: Clock) {
    this.burst = burst
    this.#interval = interval
    this.#clock = clock
  }

  take(key: string): Taken {
    const now = this.#clock()
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? 0)
    const missing = (fullAt - now) / this.#interval
    const allowed = missing + 1 <= this.burst
    if (allowed) {
      this.#remember(key, fullAt + this.#interval, now)
      this.onTaken(key)
    }
    const seconds = (milliseconds: number): number => Math.max(0, Math.ceil(milliseconds / 1000))
    return {
      allowed,
      remaining: Math.max(0, Math.floor(this.burst - missing - (allowed ? 1 : 0))),
      reset: seconds(fullAt - now + (allowed ? this.#interval : 0)),
      retryAfter: allowed ? 0 : Math.max(1, seconds((missing + 1 - this.burst) * this.#interval)),
    }
  }

  /** Counts tokens that were given elsewhere; they may be more than there are. */
  debit(key: string, tokens: number): void {
    const now = this.#clock()
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? 0)
    this.#remember(key, fullAt + tokens * this.#interval, now)
  }

  #remember(key: string, fullAt: number, now: number): void {
    // Full buckets stand first, for the map is kept in the order of the last use.
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    for (const [oldest, at] of this.#fullAt) {
      if (at > now) break
      this.#fullAt.delete(oldest)
    }
  }
}

/** Takes from the bucket of the client, or of another key; tells it in `RateLimit-*` headers, throws `too_many_requests`. */
export function takeOrThrow(
  buckets: TokenBuckets,
  request: FastifyRequest,
  reply: FastifyReply,
  key = clientKey(request.ip),
): void {
  const { allowed, remaining, reset, retryAfter } = buckets.take(buckets.nameOf(key))
  reply.headers({ 'ratelimit-limit': buckets.burst, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset })
  if (allowed) return
  reply.header('retry-after', retryAfter)
  throw new MayflyError('too_many_requests', `Try again in ${retryAfter} s`)
}

/** Counts what one client, and all together, hold open. */
export class OpenCounts {
  readonly #perClient = new Map<string, number>()
  readonly #maxPerClient: number
  readonly #maxTotal: number
  total = 0

  constructor(maxPerClient: number, maxTotal: number) {
    this.#maxPerClient = maxPerClient
    this.#maxTotal = maxTotal
  }

  /** Answers a function that gives the place back; undefined where there is none. */
  enter(ip: string): (() => void) | undefined {
    const key = clientKey(ip)
    const own = this.#perClient.get(key) ?? 0
    if (own >= this.#maxPerClient || this.total >= this.#maxTotal) return undefined
    this.#perClient.set(key, own + 1)
    this.total++
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.total--
      const left = (this.#perClient.get(key) ?? 1) - 1
      if (left === 0) this.#perClient.delete(key)
      else this.#perClient.set(key, left)
    }
  }
}

/** Seconds after which it is worth looking whether a place is free: nobody knows when. */
const STREAM_RETRY_AFTER = 10

/** Takes a place for a stream or a held answer; throws `too_many_requests`. */
export function enterOrThrow(streams: OpenCounts, request: FastifyRequest, reply: FastifyReply): () => void {
  const leave = streams.enter(request.ip)
  if (leave) return leave
  reply.header('retry-after', STREAM_RETRY_AFTER)
  throw new MayflyError('too_many_requests', 'Too many open streams')
}
