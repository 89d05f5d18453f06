import { configuredSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { DAY } from '#core/time.ts'
import { createCallWebhook, createWebhookSender, createWebhooks } from '#features/webhooks/index.ts'
import { createWebhookPost } from '#integrations/webhook-post.ts'
import type { Base } from './base.ts'

/** How long a failed call is retried. */
const RETRY_FOR = DAY

/** Subscribers' webhooks. */
export function composeWebhooks(config: Config, { clock, random, limits, logger, metrics, store, wrap, ends }: Base) {
  const timeout = config.webhooks.timeout
  const post = createWebhookPost({ timeout, configuredSite: configuredSite(config) })
  const call = createCallWebhook(post, wrap, clock)
  const sender = createWebhookSender({
    queue: store.webhookCalls,
    webhooks: store.webhooks,
    subscriptions: store.subscriptions,
    rules: ends,
    call,
    wrap,
    clock,
    logger,
    metrics,
    random,
    timeout,
    retryFor: RETRY_FOR,
    offAfter: config.webhooks.offDays * DAY,
    maxAtOnce: limits.webhookCalls,
    maxPerHost: limits.webhookCallsPerHost,
  })
  const webhooks = createWebhooks({
    store: store.webhooks,
    keptAddresses: store.keptAddresses,
    subscriptions: store.subscriptions,
    post,
    call,
    onQueued: sender.wake,
    wrap,
    clock,
    metrics,
    rules: {
      ends,
      maxWebhooks: config.premium.webhooks,
      maxWaiting: limits.webhookCallsWaiting,
      offDays: config.webhooks.offDays,
    },
  })
  return { webhooks, webhookSender: sender }
}
