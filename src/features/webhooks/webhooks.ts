import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { type KeptAddressStore, keptRow } from '#core/account/kept-address.ts'
import {
  type EndRules,
  isActive,
  requireActive,
  requireConfirmed,
  type Subscription,
  type SubscriptionStore,
} from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Webhook, WebhookCalls, WebhookPost, WebhookStore } from '#core/webhooks/webhook.ts'
import type { SummarizedMessage, WebhookAnnouncer } from '#features/mailbox/index.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type CallWebhook, isSuccess, SECRET_PREFIX } from './webhook-call.ts'

/** Times are milliseconds since the epoch. */
export interface WebhookView {
  id: string
  url: string
  state: 'on' | 'failing' | 'off'
  createdAt: number
  deliveredAt: number | null
}

/**
 * The webhooks of a subscriber, which are called for every message. Methods that take an id throw `webhook_not_found`
 * if it is unknown.
 */
export interface Webhooks {
  readonly rules: WebhookRules
  list(subscription: Subscription): Promise<WebhookView[]>
  /**
   * Adds a webhook. Its secret is returned only here. If the subscription has this URL, its webhook gets a new secret: the
   * response with the former may have been lost. Throws `premium_required`, `webhook_invalid`, `webhooks_full`.
   */
  add(subscription: Subscription, url: string): Promise<WebhookView & { secret: string }>
  remove(subscription: Subscription, id: string): Promise<void>
  /**
   * Calls the webhook now. Returns the HTTP status, or null if there was no response. A successful call switches the
   * webhook on. Throws `premium_required`.
   */
  test(subscription: Subscription, id: string): Promise<number | null>
  /** Announces each message to the webhooks of its subscriber. */
  readonly announcer: WebhookAnnouncer
}

interface WebhookRules {
  ends: EndRules
  maxWebhooks: number
  /** Calls that may wait for one webhook. */
  maxWaiting: number
  /** After how many days without a successful call a webhook is switched off. */
  offDays: number
}

interface WebhooksDeps {
  store: WebhookStore
  keptAddresses: Pick<KeptAddressStore, 'find'>
  subscriptions: Pick<SubscriptionStore, 'find'>
  post: Pick<WebhookPost, 'allows'>
  call: CallWebhook
  /** Called after calls were queued. */
  onQueued(): void
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  rules: WebhookRules
}

const SECRET_BYTES = 32
const URL_MAX_LENGTH = 2000

/** Returns the address of a recipient: case folded, without `+anything`. */
function addressOf(recipient: string): string {
  const at = recipient.lastIndexOf('@')
  return `${recipientLogin(recipient.slice(0, at)) ?? ''}@${domainToASCII(recipient.slice(at + 1))}`
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, wrap, clock, metrics, rules } = deps

  const viewOf = ({ id, sealedUrl, off, failingSince, createdAt, deliveredAt }: Webhook): WebhookView => ({
    id,
    url: wrap.unwrapOrEmpty('webhook url', sealedUrl, id),
    state: off ? 'off' : failingSince === null ? 'on' : 'failing',
    createdAt,
    deliveredAt,
  })

  async function callsFor(
    { addressId, recipient, summary }: SummarizedMessage,
    id: SubscriptionId,
  ): Promise<WebhookCalls | undefined> {
    const webhooks = (await store.list(id)).filter(({ off }) => !off)
    const subscription = webhooks.length > 0 ? await deps.subscriptions.find(id) : undefined
    const now = clock()
    if (!subscription || !isActive(subscription, rules.ends, now)) return undefined
    const kept = await deps.keptAddresses.find(id, addressId, now)
    const address = (kept && wrap.unwrapOrEmpty('address', kept.sealedName, keptRow(kept))) || addressOf(recipient)
    const { head: _head, ...shown } = summary
    const receivedAt = new Date(summary.receivedAt).toISOString()
    const expiresAt = new Date(summary.expiresAt).toISOString()
    const body = JSON.stringify({ type: 'message', address, message: { ...shown, receivedAt, expiresAt } })
    const list = webhooks.map((webhook) => {
      // Derived from webhook and message, so that the endpoint recognizes a call that is sent twice.
      const call = `msg_${wrap.hash('webhook', `${webhook.id} ${addressId} ${summary.id}`)}`
      return {
        id: call,
        webhookId: webhook.id,
        addressId,
        messageId: summary.id,
        sealed: wrap.wrap('webhook', body, call),
        createdAt: now,
      }
    })
    return { list, max: rules.maxWaiting }
  }

  return {
    rules,

    list: async ({ id }) => (await store.list(id)).map(viewOf),

    async add(subscription, text) {
      requireActive(subscription, rules.ends, clock())
      requireConfirmed(subscription)
      const url = URL.parse(text.trim())
      if (!url || url.href.length > URL_MAX_LENGTH || !(await deps.post.allows(url.href)))
        throw new MayflyError('webhook_invalid')
      url.hash = ''
      const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
      const known = (await store.list(subscription.id)).find((each) => viewOf(each).url === url.href)
      if (known && (await store.replaceSecret(known.id, wrap.wrap('webhook secret', secret, known.id))))
        return { ...viewOf({ ...known, failingSince: null, off: false }), secret }
      const id = randomId()
      const webhook: Webhook = {
        id,
        subscriptionId: subscription.id,
        sealedUrl: wrap.wrap('webhook url', url.href, id),
        sealedSecret: wrap.wrap('webhook secret', secret, id),
        hostKey: wrap.hash('webhook url', url.hostname),
        createdAt: clock(),
        deliveredAt: null,
        failingSince: null,
        off: false,
      }
      if (!(await store.add(webhook, rules.maxWebhooks))) throw new MayflyError('webhooks_full')
      return { ...viewOf(webhook), secret }
    },

    async remove(subscription, id) {
      if (!(await store.remove(subscription.id, id))) throw new MayflyError('webhook_not_found')
    },

    async test(subscription, id) {
      requireActive(subscription, rules.ends, clock())
      const webhook = await store.find(subscription.id, id)
      if (!webhook) throw new MayflyError('webhook_not_found')
      const status = await deps.call(webhook, `msg_${randomId()}`, JSON.stringify({ type: 'test' })).catch(() => null)
      if (isSuccess(status)) await store.recordSuccess(id, clock())
      return status
    },

    announcer: {
      callsFor: async (message) =>
        message.subscriptionId === null ? undefined : callsFor(message, message.subscriptionId),
      onStored({ queued, dropped }) {
        if (dropped > 0) metrics.count('webhook_calls', { outcome: 'dropped' }, dropped)
        if (queued > 0) deps.onQueued()
      },
    },
  }
}
