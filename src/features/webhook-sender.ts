import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger, Metrics } from '#core/ports.ts'
import type { WaitingDelivery, WebhookDeliveryStore, WebhookStore } from '#core/webhook.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type BackOff, waitAfter } from './back-off.ts'
import { type CallWebhook, isSuccess } from './webhook-call.ts'

export interface WebhookSender {
  /** Begins to call what is due. */
  start(): void
  /** Looks now whether something is due. */
  wake(): void
  /** Calls that are under way get `grace` milliseconds; the others wait for the next start. */
  stop(grace: number): Promise<void>
}

export interface WebhookSenderDeps {
  deliveries: WebhookDeliveryStore
  webhooks: Pick<WebhookStore, 'remove' | 'switchOff'>
  call: CallWebhook
  wrap: Pick<Wrap, 'unwrap'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** From 0 up to 1. */
  random: () => number
  /** How long a call may take, how long it is tried, and how long nothing but failures is borne, in milliseconds. */
  timeout: number
  retryFor: number
  offAfter: number
  /** Calls at one time, in all and to one host. */
  maxAtOnce: number
  maxPerHost: number
}

const SECOND = 1000
/** How often it is looked what is due. */
const LOOK_INTERVAL = 2 * SECOND
const BACK_OFF: BackOff = { first: 5 * SECOND, longest: 3600 * SECOND }
const GONE = 410

/** Every node calls: who takes a delivery has it for as long as a call may take, and if he dies another takes it after that. */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { deliveries, webhooks, clock, logger, metrics } = deps
  /** Calls that are under way, to each host. */
  const busy = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let started = false
  let stopped = false
  let again = false
  let current: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function failed(delivery: WaitingDelivery, status: number | null): Promise<void> {
    const { webhook, attempts, createdAt } = delivery
    const now = clock()
    if (status === GONE) {
      await webhooks.remove(webhook.subscriptionId, webhook.id)
      metrics.count('webhook_calls', { outcome: 'gone' })
      return
    }
    const dueAt = now + waitAfter(attempts, BACK_OFF, deps.random)
    const givenUp = dueAt >= createdAt + deps.retryFor
    await deliveries.failed(delivery, now, givenUp ? null : dueAt)
    metrics.count('webhook_calls', { outcome: givenUp ? 'given-up' : 'failed' })
    if (await webhooks.switchOff(webhook.id, now - deps.offAfter)) logger.info({ status }, 'webhook switched off')
  }

  async function deliver(delivery: WaitingDelivery): Promise<void> {
    const began = clock()
    const { webhook, id, sealed } = delivery
    const status = await Promise.try(() => deps.call(webhook, id, deps.wrap.unwrap('webhook', sealed))).catch(
      () => null,
    )
    metrics.observe('webhook_call_seconds', (clock() - began) / SECOND)
    if (!isSuccess(status)) return failed(delivery, status)
    await deliveries.delivered(delivery, clock())
    metrics.count('webhook_calls', { outcome: 'delivered' })
  }

  /** One that can't be written down comes again when its lease ends. */
  const attempt = (delivery: WaitingDelivery): Promise<void> =>
    deliver(delivery).catch((error: unknown) => {
      if (!stopped) logger.error({ err: error }, 'webhook call not written down')
    })

  function begin(delivery: WaitingDelivery): void {
    const { hostKey } = delivery.webhook
    busy.set(hostKey, (busy.get(hostKey) ?? 0) + 1)
    const job = attempt(delivery).finally(() => {
      underWay.delete(job)
      const left = (busy.get(hostKey) ?? 1) - 1
      if (left === 0) busy.delete(hostKey)
      else busy.set(hostKey, left)
      wake()
    })
    underWay.add(job)
  }

  /** Begins one call to each host that has room for another: a slow one holds up itself alone. */
  async function take(): Promise<void> {
    const limit = deps.maxAtOnce - underWay.size
    if (limit <= 0) return
    const except = [...busy].filter(([, calls]) => calls >= deps.maxPerHost).map(([hostKey]) => hostKey)
    const now = clock()
    const due = await deliveries.take(now, now + 2 * deps.timeout, { limit, except })
    due.forEach(begin)
    again ||= due.length > 0
  }

  async function rounds(): Promise<void> {
    try {
      while (again && !stopped) {
        again = false
        // oxlint-disable-next-line no-await-in-loop -- what was queued meanwhile is seen by the next look
        await take()
      }
    } catch (error) {
      logger.error({ err: error }, 'webhooks failed')
    } finally {
      current = undefined
    }
  }

  function wake(): void {
    again = true
    if (started && !stopped) current ??= rounds()
  }

  async function look(): Promise<void> {
    wake()
    await current
    await deliveries.waiting().then(
      (count) => metrics.gauge('webhook_calls_waiting', count),
      (error: unknown) => logger.error({ err: error }, 'webhooks failed'),
    )
    if (!stopped) timer = setTimeout(() => void look(), LOOK_INTERVAL)
  }

  return {
    wake,
    start() {
      started = true
      void look()
    },
    async stop(grace) {
      stopped = true
      clearTimeout(timer)
      await Promise.race([Promise.all([current, ...underWay]), sleep(grace, undefined, { ref: false })])
    },
  }
}
