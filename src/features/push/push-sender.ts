import { isAccepted, type PushResponse } from '#core/push/push-hosts.ts'
import type { PushEndpoint, PushService, PushStore, WaitingPush } from '#core/push/push.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR, SECOND } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { createDispatcher, type Dispatcher, leaseFor } from '#lib/dispatcher.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PushKeysOf } from './push-keys.ts'

interface PushSenderDeps {
  store: PushStore
  service: Pick<PushService, 'send'>
  keys: PushKeysOf
  wrap: Pick<Wrap, 'unwrap'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** From 0 up to 1. */
  random: () => number
  /** An address or URL of the operator, which push services may contact (RFC 8292 2.1). */
  contact: string
  /** The timeout of a call, how long a push is retried, and the minimum time between two pushes, in milliseconds. */
  timeout: number
  retryFor: number
  gap: number
  /** Concurrent calls, in total and per host. */
  maxAtOnce: number
  maxPerHost: number
}

const BACK_OFF: BackOff = { first: 5 * SECOND, longest: HOUR / 2 }
/** The subscription no longer exists (RFC 8030 7.3). Push services also send 404. */
const GONE = new Set([404, 410])
/** The calls to a host that has never accepted a push, which may be no push service. Others are retried for `retryFor`. */
const CALLS_TO_UNKNOWN = 3
/** Push services keep a push for at most this long. */
const LONGEST_TTL = DAY

/** Whether a later attempt may succeed: there was no response, the service is overloaded, or it failed. */
const isTemporary = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500

/**
 * Sends pushes. Every node sends. A node leases a push for longer than a call may take. If the node dies, another node
 * takes the push after the lease. A push holds the ids of the latest message and of the subscription, and the number of unread
 * messages: what a browser needs to fetch the message itself.
 */
export function createPushSender(deps: PushSenderDeps): Dispatcher {
  const { store, clock, metrics } = deps

  const endpointOf = ({ id, sealed }: WaitingPush) => JSON.parse(deps.wrap.unwrap('push', sealed, id)) as PushEndpoint

  async function call(to: PushEndpoint, { id, messageId, unread, expiresAt }: WaitingPush): Promise<PushResponse> {
    const payload = JSON.stringify({ id: messageId, count: unread, subscription: id })
    const ttl = Math.min(LONGEST_TTL, Math.max(0, expiresAt - clock()))
    return deps.service.send(to, payload, await deps.keys(), { ttl, topic: id, contact: deps.contact })
  }

  async function finish(push: WaitingPush, host: string, response: PushResponse | null): Promise<string> {
    const now = clock()
    const status = response?.status ?? null
    if (response && isAccepted(host, response)) {
      await store.done(push, now, deps.gap)
      return 'delivered'
    }
    if (status !== null && GONE.has(status)) {
      await store.remove(push.addressId, push.id)
      return 'gone'
    }
    const dueAt = now + waitAfter(push.attempts, BACK_OFF, deps.random)
    const isRetried = push.pushedAt > 0 ? dueAt < push.queuedAt + deps.retryFor : push.attempts + 1 < CALLS_TO_UNKNOWN
    if (isTemporary(status) && isRetried) {
      await store.retry(push, dueAt)
      return 'failed'
    }
    // The host refuses, is not a push service, or has failed for too long. Without the removal, every message would
    // call it again.
    await store.remove(push.addressId, push.id)
    return 'given-up'
  }

  async function deliver(push: WaitingPush): Promise<void> {
    // The visitor has read or deleted the message already.
    if (push.unread === 0) return store.skip(push, clock())
    const began = clock()
    const to = endpointOf(push)
    const response = await call(to, push).catch(() => null)
    metrics.observe('push_seconds', (clock() - began) / SECOND)
    metrics.count('pushes', { outcome: await finish(push, new URL(to.endpoint).hostname, response) })
  }

  return createDispatcher({
    name: 'pushes',
    logger: deps.logger,
    take(options) {
      const now = clock()
      return store.take(now, now + leaseFor(deps.timeout), options)
    },
    destination: ({ hostKey }) => hostKey,
    run: deliver,
    onLook: async () => metrics.gauge('pushes_waiting', await store.waiting()),
    maxAtOnce: deps.maxAtOnce,
    maxPerDestination: deps.maxPerHost,
  })
}
