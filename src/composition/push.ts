import { configuredSite, firstDomain } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { DAY, SECOND } from '#core/time.ts'
import { createPushes, createPushKeys, createPushSender } from '#features/push/index.ts'
import { createPushService } from '#integrations/push-service.ts'
import { createWebhookPost } from '#integrations/webhook-post.ts'
import type { Base } from './base.ts'

/** The timeout of a call to a push service, how long a failed one is retried, and the time between two pushes. */
const TIMEOUT = 10 * SECOND
const RETRY_FOR = DAY
const GAP = 5 * SECOND

/** Tells browsers that a message arrived. */
export function composePush(config: Config, { clock, random, limits, logger, metrics, store, wrap }: Base) {
  const service = createPushService(createWebhookPost({ timeout: TIMEOUT, configuredSite: configuredSite(config) }))
  const keys = createPushKeys({ store, wrap })
  const pushSender = createPushSender({
    store: store.pushes,
    service,
    keys,
    wrap,
    clock,
    logger,
    metrics,
    random,
    contact: `mailto:postmaster@${firstDomain(config)}`,
    timeout: TIMEOUT,
    retryFor: RETRY_FOR,
    gap: GAP,
    maxAtOnce: limits.pushes,
    maxPerHost: limits.pushesPerHost,
  })
  const pushes = createPushes({
    store: store.pushes,
    service,
    keys,
    onQueued: pushSender.wake,
    wrap,
    clock,
    logger,
    metrics,
    maxBrowsers: limits.pushBrowsers,
    gap: GAP,
  })
  return { pushes, pushKeys: keys, pushSender }
}
