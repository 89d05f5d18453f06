import { configuredSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { EndRules } from '#core/billing/subscription.ts'
import { createCallWebhook, createWebhookSender, createWebhooks } from '#features/webhooks/index.ts'
import { createWebhookPost } from '#integrations/webhook-post.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { PremiumBase } from './base.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** The wiring diagram of subscribers' webhooks: a part of that of Premium. */
export function assembleWebhooks(
  config: Config,
  { clock, logger, metrics, store, wrap, ends }: PremiumBase & { wrap: Wrap; ends: EndRules },
) {
  const timeout = config.WEBHOOK_SECONDS * SECOND
  const post = createWebhookPost({ timeout, configuredSite: configuredSite(config) })
  const call = createCallWebhook(post, wrap, clock)
  const sender = createWebhookSender({
    deliveries: store.webhookDeliveries,
    webhooks: store.webhooks,
    call,
    wrap,
    clock,
    logger,
    metrics,
    random: Math.random,
    timeout,
    retryFor: config.WEBHOOK_RETRY_HOURS * HOUR,
    offAfter: config.WEBHOOK_OFF_DAYS * DAY,
    maxAtOnce: config.WEBHOOKS_AT_ONCE_MAX,
    maxPerHost: config.WEBHOOKS_PER_HOST_MAX,
  })
  const webhooks = createWebhooks({
    store: store.webhooks,
    deliveries: store.webhookDeliveries,
    keptAddresses: store.keptAddresses,
    subscriptions: store.subscriptions,
    post,
    call,
    onQueued: sender.wake,
    wrap,
    clock,
    logger,
    metrics,
    rules: {
      ends,
      maxWebhooks: config.PREMIUM_WEBHOOKS_MAX,
      maxWaiting: config.WEBHOOK_WAITING_MAX,
      offDays: config.WEBHOOK_OFF_DAYS,
    },
  })
  return { webhooks, webhookSender: sender }
}
