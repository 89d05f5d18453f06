import { createPublicKey } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'
import type { AddressId, MessageId } from '#core/ids.ts'
import { knownPushService } from '#core/push/push-hosts.ts'
import type { PushEndpoint, PushService, PushStore, PushSubscription } from '#core/push/push.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PushKeysOf } from './push-keys.ts'

/** The browsers that are told when a message arrives at an address. */
export interface Pushes {
  /** The public VAPID key, with which a browser subscribes. */
  publicKey(): Promise<string>
  list({ row }: OpenAddress): Promise<Pick<PushSubscription, 'id' | 'createdAt'>[]>
  /**
   * Adds the browser, or renews it. The subscription ends with the session `sessionId` of a subscriber. Throws
   * `push_invalid`, or `unauthorized` if the address is gone.
   */
  subscribe(
    { row }: OpenAddress,
    endpoint: PushEndpoint,
    sessionId: string | null,
  ): Promise<Pick<PushSubscription, 'id' | 'createdAt'>>
  /** Removes a browser. Does nothing for an unknown id. */
  remove({ row }: OpenAddress, id: string): Promise<void>
  /**
   * Removes a browser without the secret of the address. Only the browser and the holders of the address know the id,
   * which is a keyed hash. Does nothing for an unknown one.
   */
  forget(id: string): Promise<void>
  /** Queues the pushes for a message that was stored. Never rejects: the message is in the inbox without them. */
  announce(addressId: AddressId, messageId: MessageId): Promise<void>
}

export interface PushesDeps {
  store: PushStore
  service: Pick<PushService, 'allows'>
  keys: PushKeysOf
  /** Called after pushes were queued. */
  onQueued(): void
  wrap: Pick<Wrap, 'wrap' | 'hash'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** The maximum number of browsers for one address. */
  maxBrowsers: number
  /** The minimum time between two pushes to one browser for one address, in milliseconds. */
  gap: number
}

const AUTH_BYTES = 16
const POINT_BYTES = 65
/** Stands for all hosts that are not known as push services. No host has this name. */
const OTHER_HOSTS = 'others'

/** Whether a text is the Base64url of a point on P-256 (RFC 8291 3.1). */
function isPoint(text: string): boolean {
  const point = Buffer.from(text, 'base64url')
  if (point.length !== POINT_BYTES || point[0] !== 4) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never })
    return true
  } catch {
    return false
  }
}

export function createPushes({ store, service, keys, wrap, clock, ...deps }: PushesDeps): Pushes {
  return {
    publicKey: async () => (await keys()).publicKey,

    list: ({ row }) => store.list(row.id, clock()),

    async subscribe({ row }, { endpoint, keys: { p256dh, auth } }, sessionId) {
      const url = URL.parse(endpoint)
      const isComplete = isPoint(p256dh) && Buffer.from(auth, 'base64url').length === AUTH_BYTES
      if (!url || !isComplete || !(await service.allows(url.href))) throw new MayflyError('push_invalid')
      const id = wrap.hash('push', `${row.id} ${url.href}`)
      const now = clock()
      const subscription: PushSubscription = {
        id,
        addressId: row.id,
        sealed: wrap.wrap('push', JSON.stringify({ endpoint: url.href, keys: { p256dh, auth } }), id),
        hostKey: wrap.hash('push', knownPushService(url.hostname) ?? OTHER_HOSTS),
        sessionId,
        createdAt: now,
      }
      // The look-up of the push service took a while.
      if (!(await store.subscribe(subscription, deps.maxBrowsers, now, row.secretId)))
        throw new MayflyError('unauthorized')
      return { id, createdAt: now }
    },

    remove: ({ row }, id) => store.remove(row.id, id),
    forget: (id) => store.forget(id),

    async announce(addressId, messageId) {
      try {
        if ((await store.queue(addressId, messageId, clock(), deps.gap)) > 0) deps.onQueued()
      } catch (error) {
        deps.metrics.count('pushes', { outcome: 'dropped' })
        deps.logger.error({ err: error }, 'pushes not queued')
      }
    },
  }
}
