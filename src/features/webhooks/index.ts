/** Webhooks: calls to subscribers' endpoints when a message arrives. */
export { createCallWebhook } from './webhook-call.ts'
export { createWebhookSender } from './webhook-sender.ts'
export { createWebhooks, type Webhooks, type WebhookView } from './webhooks.ts'
