import { type Static, Type } from 'typebox'
import type { MessageSummaryJson } from './messages.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

const fields = {
  id: Type.String({ description: 'The id of the webhook' }),
  url: Type.String({ description: 'The URL that is called' }),
  state: Type.Enum(['on', 'failing', 'off'], {
    description:
      '`on`: the last call succeeded. `failing`: the last call failed. `off`: all calls failed for so long that the webhook is off.',
  }),
  createdAt: time('When it was added'),
  deliveredAt: Type.Union([time('A time'), Type.Null()], { description: 'When the last successful call was' }),
}

export const webhook = Type.Object(fields, { $id: 'Webhook', description: 'A webhook' })
export type WebhookJson = Static<typeof webhook>

export const newWebhook = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'The key of the signatures (Standard Webhooks): `whsec_` and Base64. It is returned only here.',
    }),
  },
  { $id: 'NewWebhook', description: 'A new webhook and its key' },
)
export type NewWebhookJson = Static<typeof newWebhook>

export const webhookList = Type.Object(
  {
    webhooks: Type.Array(Type.Unsafe<WebhookJson>({ $ref: 'Webhook#' }), { description: 'The webhooks, oldest first' }),
    limits: Type.Object(
      {
        webhooks: Type.Integer({ description: 'The maximum number of webhooks' }),
        offDays: Type.Integer({ description: 'A webhook is switched off if all calls fail for this many days' }),
      },
      { description: 'The limits of the subscription' },
    ),
  },
  { $id: 'WebhookList', description: 'The webhooks and their limits' },
)
export type WebhookListJson = Static<typeof webhookList>

export const webhookRequest = Type.Object(
  { url: Type.String({ maxLength: 2000, description: 'An https URL on the public internet' }) },
  {
    additionalProperties: false,
    $id: 'WebhookRequest',
    description: 'The webhook to add',
    examples: [{ url: 'https://example.org/mail' }],
  },
)

export const webhookTest = Type.Object(
  {
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The HTTP status of the response. Null if there was none.',
    }),
  },
  { $id: 'WebhookTest', description: 'The result of a test' },
)
export type WebhookTestJson = Static<typeof webhookTest>

export const webhookId = Type.Object({ id: Type.String({ description: 'The `id` of the webhook' }) })

/** The body of a call to a webhook. */
export const webhookEvent = Type.Union(
  [
    Type.Object({
      type: Type.Literal('message', { description: 'A message arrived' }),
      address: Type.String({ description: 'The address that received the message' }),
      message: Type.Unsafe<MessageSummaryJson>({ $ref: 'MessageSummary#' }),
    }),
    Type.Object({ type: Type.Literal('test', { description: 'A test' }) }),
  ],
  { $id: 'WebhookEvent', description: 'The body of a call to a webhook' },
)
