import type { FastifyRequest } from 'fastify'
import { SECOND } from '#core/time.ts'
import { TokenBuckets } from '#core/token-buckets.ts'

/** `burst` requests in a burst, then one per `seconds`. */
export interface RateLimit {
  burst: number
  seconds: number
}

/** `count` requests per second, also in a burst. */
export const perSecond = (count: number): RateLimit => ({ burst: count, seconds: 1 / count })

/** A value for each rate limit of the HTTP side. */
export interface Rates<T> {
  /** Requests of the API without a key, per client. */
  api: T
  /** Other requests, per client. */
  pages: T
  /** Remote images of messages, per client. Browsers request all of a message at the same time. */
  images: T
  /** Requests with an API key, per key. */
  keys: T
  /** Wrong API keys, per client. */
  wrongKeys: T
  /** Creation of addresses, per client. */
  creations: T
  /** Logins with a password, per client. */
  logins: T
  /** Logins with a wrong password, per address for all clients together. */
  failedLogins: T
  /** Forms to the operator, per client. */
  supportForms: T
  /** Requests for sign-in links, per client. */
  signIns: T
  /** Orders, per client. */
  orders: T
  /** Orders for one email address: of strangers per network, and of its account. */
  ordersOfEmail: T
  /** Payment events, per calling client. */
  paymentEvents: T
  /** New forwarding destinations, per client. */
  forwardAsks: T
  /** Checks of own domains, per subscriber. */
  domainChecks: T
  /** Test calls to webhooks, per subscriber. */
  webhookTests: T
  /** Checks that open the links of a message, per client or API key. */
  linkChecks: T
}

export type Rate = keyof Rates<unknown>

/** Whether a rate limit does not count a request. */
export type Exemption = (request: FastifyRequest) => boolean

export class RequestBuckets extends TokenBuckets {
  readonly isExempt: Exemption

  constructor({ burst, seconds }: RateLimit, isExempt: Exemption) {
    super(burst, seconds * SECOND, () => performance.now())
    this.isExempt = isExempt
  }
}

export function createBuckets(
  limits: Rates<RateLimit>,
  isExempt: (name: Rate, request: FastifyRequest) => boolean,
): Rates<RequestBuckets> {
  const entries = Object.entries(limits) as [Rate, RateLimit][]
  const buckets = entries.map(([name, limit]) => [
    name,
    new RequestBuckets(limit, (request) => isExempt(name, request)),
  ])
  return Object.fromEntries(buckets) as Rates<RequestBuckets>
}
