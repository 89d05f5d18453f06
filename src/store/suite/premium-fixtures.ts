import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiKey } from '#core/account/api-key.ts'
import type { KeptAddress } from '#core/account/kept-address.ts'
import type { Order } from '#core/billing/order.ts'
import type { Payment, PaymentSource, Settlement, Subscription } from '#core/billing/subscription.ts'
import type { NewEmail } from '#core/email/email.ts'
import type { NewAddress } from '#core/mailbox/address.ts'
import type { MessageKey, NewSummary } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import type { NewWebhookCall, QueuedCalls, Webhook } from '#core/webhooks/webhook.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'

export const MONTH = 30 * DAY

const bytes = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

export const newOrder = (fields: Partial<Order> = {}): Order => ({
  id: key(),
  emailKey: key(),
  sealedEmail: bytes(60),
  language: 'en',
  provider: 'stripe',
  plan: 'month',
  years: 1,
  total: { amount: 900, currency: 'USD' },
  state: 'open',
  providerRef: null,
  browserHash: key(),
  sessionId: null,
  createdAt: NOW,
  ...fields,
})

export const newSubscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: key(),
  emailKey: key(),
  sealedEmail: bytes(60),
  language: 'en',
  createdAt: NOW,
  plan: null,
  paidUntil: 0,
  renews: false,
  failingSince: null,
  noticeAt: null,
  lapsed: false,
  confirmed: false,
  revision: 0,
  ...fields,
})

/** Creates a subscription in the store. */
export const subscribed = (store: Store, fields: Partial<Subscription> = {}): Promise<Subscription> =>
  store.subscriptions.ensure(newSubscription(fields))

export const newEmail = (fields: Partial<NewEmail> = {}): NewEmail => ({
  id: key(),
  sealed: bytes(100),
  createdAt: NOW,
  ...fields,
})

export const newApiKey = (subscriptionId: string, fields: Partial<ApiKey> = {}): ApiKey => ({
  id: key(),
  tokenHash: key(),
  subscriptionId,
  sealedLabel: bytes(30),
  createdAt: NOW,
  usedAt: null,
  ...fields,
})

export const newWebhook = (subscriptionId: string, fields: Partial<Webhook> = {}): Webhook => ({
  id: key(),
  subscriptionId,
  sealedUrl: bytes(60),
  sealedSecret: bytes(60),
  hostKey: key(),
  createdAt: NOW,
  deliveredAt: null,
  failingSince: null,
  off: false,
  ...fields,
})

/** A call without the message that it announces. */
type NewCall = Omit<NewWebhookCall, 'addressId' | 'messageId'>

export const newCall = (webhookId: string, fields: Partial<NewCall> = {}): NewCall => ({
  id: key(),
  webhookId,
  sealed: bytes(100),
  createdAt: NOW,
  ...fields,
})

/** A first summary that announces its message with these calls. */
export const newSummary = (message: MessageKey, calls: readonly NewCall[], max = 10): NewSummary => ({
  ...message,
  sealedSummary: bytes(50),
  onlyIfNone: true,
  calls: {
    list: calls.map((call) => ({ ...call, addressId: message.addressId, messageId: message.id })),
    max,
  },
})

/** Queues calls, each with the first summary of a new message. */
export async function queueCalls(store: Store, calls: readonly NewCall[], max?: number): Promise<QueuedCalls> {
  const { id } = await claimed(store)
  const messages = calls.map(() => newMessage(id))
  await store.messages.append(messages)
  return store.messages.attachSummaries(messages.map((message, i) => newSummary(message, calls.slice(i, i + 1), max)))
}

export const newSource = (fields: Partial<PaymentSource> = {}): PaymentSource => ({
  provider: 'stripe',
  ref: `sub_${key()}`,
  orderId: key(),
  customer: 'cus_1',
  plan: 'month',
  renews: true,
  failingSince: null,
  ...fields,
})

export const newPayment = ({ provider, ref, plan }: PaymentSource, fields: Partial<Payment> = {}): Payment => ({
  provider,
  id: `in_${key()}`,
  ref,
  plan,
  total: { amount: 900, currency: 'USD' },
  state: 'paid',
  paidAt: NOW,
  pays: { until: NOW + MONTH },
  ...fields,
})

/** Returns a settlement with one payment of a new source and a new event. */
export function newSettlement(
  { id, revision }: Pick<Subscription, 'id' | 'revision'>,
  fields: Partial<Settlement> = {},
): Settlement {
  const source = fields.source ?? newSource()
  return {
    subscriptionId: id,
    revision,
    event: { provider: source.provider, id: `evt_${key()}`, receivedAt: NOW },
    source,
    payments: [newPayment(source)],
    order: null,
    change: { plan: 'month', paidUntil: NOW + MONTH, renews: true },
    emails: [],
    ...fields,
  }
}

/** Settles and expects success. */
export async function settled(store: Store, settlement: Settlement): Promise<Settlement> {
  expect(await store.subscriptions.settle(settlement)).toBe('settled')
  return settlement
}

export const newKeptAddress = (
  subscriptionId: string,
  { id, nameKey }: Pick<NewAddress, 'id' | 'nameKey'>,
  fields: Partial<KeptAddress> = {},
): KeptAddress => ({
  addressId: id,
  subscriptionId,
  nameKey,
  sealedName: bytes(60),
  sealedLabel: null,
  sealedSecret: bytes(60),
  createdAt: NOW,
  ...fields,
})
