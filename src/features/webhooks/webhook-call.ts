import { createHmac } from 'node:crypto'
import type { Webhook, WebhookPost } from '#core/webhooks/webhook.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** Calls a webhook. Returns the HTTP status. Rejects if there was no response. */
export type CallWebhook = (webhook: Webhook, id: string, body: string) => Promise<number>

export const SECRET_PREFIX = 'whsec_'

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** The signature `v1` of Standard Webhooks: HMAC-SHA256 over id, time in seconds and body. */
const signatureOf = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64')}`

/** Calls webhooks according to https://www.standardwebhooks.com. */
export function createCallWebhook(
  post: Pick<WebhookPost, 'send'>,
  wrap: Pick<Wrap, 'unwrap'>,
  clock: () => number,
): CallWebhook {
  return async ({ id: webhook, sealedUrl, sealedSecret }, id, body) => {
    const seconds = Math.floor(clock() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Mayfly-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(wrap.unwrap('webhook secret', sealedSecret, webhook), id, seconds, body),
    }
    return (await post.send(wrap.unwrap('webhook url', sealedUrl, webhook), headers, body)).status
  }
}
