import { type EndRules, isActive, type SubscriptionStore } from '#core/billing/subscription.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR, SECOND } from '#core/time.ts'
import type { WaitingCall, WebhookCallStore, WebhookStore } from '#core/webhooks/webhook.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { createDispatcher, type Dispatcher, leaseFor } from '#lib/dispatcher.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type CallWebhook, isSuccess } from './webhook-call.ts'

interface WebhookSenderDeps {
  queue: WebhookCallStore
  webhooks: Pick<WebhookStore, 'remove' | 'switchOff'>
  subscriptions: Pick<SubscriptionStore, 'find'>
  call: CallWebhook
  wrap: Pick<Wrap, 'unwrap'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** From 0 up to 1. */
  random: () => number
  /**
   * The timeout of a call, how long a call is retried, and how long all calls of a webhook may fail before it is
   * switched off. All in milliseconds.
   */
  timeout: number
  retryFor: number
  offAfter: number
  rules: EndRules
  /** Concurrent calls, in total and per host. */
  maxAtOnce: number
  maxPerHost: number
}

const BACK_OFF: BackOff = { first: 5 * SECOND, longest: HOUR }
const GONE = 410

/**
 * Sends webhook calls. Every node sends. A node leases a call for longer than it may take. If the node dies, another
 * node takes the call after the lease.
 */
export function createWebhookSender(deps: WebhookSenderDeps): Dispatcher {
  const { queue, webhooks, clock, logger, metrics } = deps

  async function recordFailure(call: WaitingCall, status: number | null): Promise<void> {
    const { webhook, attempts, createdAt } = call
    const now = clock()
    if (status === GONE) {
      await webhooks.remove(webhook.subscriptionId, webhook.id)
      metrics.count('webhook_calls', { outcome: 'gone' })
      return
    }
    const dueAt = now + waitAfter(attempts, BACK_OFF, deps.random)
    const givenUp = dueAt >= createdAt + deps.retryFor
    await queue.recordFailure(call, now, givenUp ? null : dueAt)
    metrics.count('webhook_calls', { outcome: givenUp ? 'given-up' : 'failed' })
    if (await webhooks.switchOff(webhook.id, now - deps.offAfter)) logger.info({ status }, 'webhook switched off')
  }

  async function send(call: WaitingCall): Promise<void> {
    const began = clock()
    const { webhook, id, sealed } = call
    const subscription = await deps.subscriptions.find(webhook.subscriptionId)
    if (!subscription || !isActive(subscription, deps.rules, began)) return queue.drop(id)
    const status = await Promise.try(() => deps.call(webhook, id, deps.wrap.unwrap('webhook', sealed, id))).catch(
      () => null,
    )
    metrics.observe('webhook_call_seconds', (clock() - began) / SECOND)
    if (!isSuccess(status)) return recordFailure(call, status)
    await queue.recordSuccess(call, clock())
    metrics.count('webhook_calls', { outcome: 'delivered' })
  }

  return createDispatcher({
    name: 'webhooks',
    logger,
    take(options) {
      const now = clock()
      return queue.take(now, now + leaseFor(deps.timeout), options)
    },
    destination: ({ webhook }) => webhook.hostKey,
    run: send,
    onLook: async () => metrics.gauge('webhook_calls_waiting', await queue.waiting()),
    maxAtOnce: deps.maxAtOnce,
    maxPerDestination: deps.maxPerHost,
  })
}
