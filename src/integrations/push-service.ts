import type { PushService } from '#core/push/push.ts'
import type { WebhookPost } from '#core/webhooks/webhook.ts'

/** Loaded when it is first needed, because that takes 0.1 s and 14 MB. */
const library = async () => (await import('web-push')).default

/** Encrypts with `web-push`, and sends as webhooks are sent: never to a private address. */
export function createPushService(post: WebhookPost): PushService {
  return {
    allows: (endpoint) => post.allows(endpoint),

    async send(to, payload, keys, { ttl, topic, contact }) {
      const { endpoint, headers, body } = (await library()).generateRequestDetails(to, payload, {
        vapidDetails: { subject: contact, ...keys },
        TTL: Math.floor(ttl / 1000),
        topic,
        urgency: 'high',
      })
      const allHeaders = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
      const ownHeaders = Object.fromEntries(allHeaders) as Record<string, string>
      const { status, location } = await post.send(endpoint, ownHeaders, body as Buffer)
      return { status, named: location !== undefined }
    },
  }
}
