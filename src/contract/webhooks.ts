import { type Static, Type } from 'typebox'
import type { MessageSummaryJson } from './messages.ts'

const time = Type.String({ format: 'date-time' })

const fields = {
  id: Type.String(),
  url: Type.String(),
  state: Type.Enum(['on', 'failing', 'off'], {
    description: '`failing`: the last call did not get through; `off`: none did for so long that none is made any more',
  }),
  createdAt: time,
  deliveredAt: Type.Union([time, Type.Null()], { description: 'When the last call got through' }),
}

export const webhook = Type.Object(fields, { $id: 'Webhook' })
export type WebhookJson = Static<typeof webhook>

export const newWebhook = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        '`whsec_` and a key in Base64, for the signatures (Standard Webhooks): handed out here and never again',
    }),
  },
  { $id: 'NewWebhook' },
)
export type NewWebhookJson = Static<typeof newWebhook>

export const webhookList = Type.Object(
  {
    webhooks: Type.Array(Type.Unsafe<WebhookJson>({ $ref: 'Webhook#' }), { description: 'Oldest first' }),
    limits: Type.Object({
      webhooks: Type.Integer({ description: 'Webhooks that a subscription may have' }),
      offDays: Type.Integer({ description: 'After how long a time of nothing but failures one is switched off' }),
    }),
  },
  { $id: 'WebhookList' },
)
export type WebhookListJson = Static<typeof webhookList>

export const webhookRequest = Type.Object(
  { url: Type.String({ maxLength: 2000, description: 'https, on the public internet' }) },
  { additionalProperties: false, $id: 'WebhookRequest' },
)

export const webhookTest = Type.Object(
  {
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The HTTP status of the answer; null: there was none',
    }),
  },
  { $id: 'WebhookTest' },
)
export type WebhookTestJson = Static<typeof webhookTest>

export const webhookId = Type.Object({ id: Type.String({ description: 'The `id` of a webhook' }) })

/** The body of a call to a webhook. */
export const webhookEvent = Type.Union(
  [
    Type.Object({
      type: Type.Literal('message'),
      address: Type.String({ description: 'The address that the mail came to' }),
      message: Type.Unsafe<MessageSummaryJson>({ $ref: 'MessageSummary#' }),
    }),
    Type.Object({ type: Type.Literal('test') }),
  ],
  { $id: 'WebhookEvent' },
)
export type WebhookEventJson = Static<typeof webhookEvent>
