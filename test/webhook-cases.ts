import type { Subscription } from '#core/subscription.ts'
import { createApiKeys } from '#features/api-keys.ts'
import { createCallWebhook } from '#features/webhook-call.ts'
import { createWebhookSender } from '#features/webhook-sender.ts'
import { createWebhooks, type Webhooks } from '#features/webhooks.ts'
import { createWebhookPost } from '#integrations/webhook-post.ts'
import { createLogger } from '#telemetry/logger.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { openKeptCases } from './kept-cases.ts'
import { DAY, type HouseOptions, HOUR, MINUTE } from './use-cases.ts'
import { startReceiver } from './webhook-receiver.ts'

export const MAX_WEBHOOKS = 3
export const MAX_WAITING = 4
export const PER_HOST = 2
export const AT_ONCE = 5
export const OFF_DAYS = 3
export const MAX_KEYS = 2
export const MAX_KEY_ADDRESSES = 3
export const KEY_CACHE = 5000
/** Milliseconds for a call. */
const TIMEOUT = 1500
const ENDS = { grace: 7 * DAY, notice: 14 * DAY }

export type WebhookCases = Awaited<ReturnType<typeof openWebhookCases>>

/** The use cases of API keys and webhooks over a real database, with a real receiver on localhost and a clock that the test turns. */
export async function openWebhookCases(options: HouseOptions = {}) {
  const receiver = await startReceiver()
  const logger = createLogger('error')
  const metrics = createMetrics()
  // Made after the house that it is told by.
  const late: { webhooks?: Webhooks } = {}
  const told = () => ({
    announce: async (...mail: Parameters<Webhooks['announce']>) => late.webhooks?.announce(...mail),
  })
  const house = await openKeptCases({ ...options, webhooks: told })
  const { store, wrap, time } = house
  const clock = (): number => time.now
  const post = createWebhookPost({ timeout: TIMEOUT, configuredSite: 'http://localhost:3000' })
  const call = createCallWebhook(post, wrap, clock)

  const newSender = () =>
    createWebhookSender({
      deliveries: store.webhookDeliveries,
      webhooks: store.webhooks,
      call,
      wrap,
      clock,
      logger,
      metrics,
      // No round number comes of it.
      random: () => 1e-5,
      timeout: TIMEOUT,
      retryFor: DAY,
      offAfter: OFF_DAYS * DAY,
      maxAtOnce: AT_ONCE,
      maxPerHost: PER_HOST,
    })
  let sender = newSender()
  sender.start()
  const webhooks = (late.webhooks = createWebhooks({
    store: store.webhooks,
    deliveries: store.webhookDeliveries,
    keptAddresses: store.keptAddresses,
    subscriptions: store.subscriptions,
    post,
    call,
    onQueued: () => sender.wake(),
    wrap,
    clock,
    logger,
    metrics,
    rules: { ends: ENDS, maxWebhooks: MAX_WEBHOOKS, maxWaiting: MAX_WAITING, offDays: OFF_DAYS },
  }))
  const newKeys = () =>
    createApiKeys({
      store: store.apiKeys,
      addresses: store.addresses,
      subscriptions: store.subscriptions,
      names: house.names,
      claims: house.claims,
      bus: house.bus,
      ownDomains: async ({ id }) => [...house.owners].filter(([, owner]) => owner.id === id).map(([name]) => name),
      wrap,
      clock,
      rules: {
        ends: ENDS,
        maxKeys: MAX_KEYS,
        maxAddresses: MAX_KEY_ADDRESSES,
        maxLabelCharacters: 10,
        cacheTime: KEY_CACHE,
      },
    })

  return {
    ...house,
    receiver,
    metrics,
    webhooks,
    keys: newKeys(),
    /** Those of another node. */
    newKeys,

    /** Adds a webhook at a path of the receiver; answers its id and its secret. */
    hook: (subscription: Subscription, path: string) => webhooks.add(subscription, receiver.url(path)),

    /** Turns the clock and looks what is due. */
    later(milliseconds: number): void {
      time.now += milliseconds
      sender.wake()
    },

    /** As a stop and a start of the program do. */
    async restart(): Promise<void> {
      await sender.stop(MINUTE)
      sender = newSender()
      sender.start()
    },
    stopSending: () => sender.stop(HOUR),

    async close(): Promise<void> {
      await sender.stop(0)
      await receiver.close()
      await house.close()
    },
  }
}
