/**
 * Calls to the endpoints that subscribers name when something arrives.
 */
export { createCallWebhook } from './webhook-call.ts'
export { createWebhookSender } from './webhook-sender.ts'
export { createWebhooks, type Webhooks, type WebhookView } from './webhooks.ts'
