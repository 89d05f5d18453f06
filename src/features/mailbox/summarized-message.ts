import type { AddressId, SubscriptionId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { MessageKey, MessageRow } from '#core/mailbox/message-store.ts'
import { type MessageSummary, recipientsOf, type SummaryContent, unmarked } from '#core/mailbox/message.ts'
import type { QueuedCalls, WebhookCalls } from '#core/webhooks/webhook.ts'

/** A message whose first summary was just made. */
export interface SummarizedMessage {
  addressId: AddressId
  /** The subscription that keeps the address, or whose API key created it. */
  subscriptionId: SubscriptionId | null
  /** The recipient as the sender wrote it. */
  recipient: string
  summary: MessageSummary
}

/** Announces messages to webhooks. */
export interface WebhookAnnouncer {
  /** Returns the calls to queue in the transaction that stores the first summary. Rejects if the store fails. */
  callsFor(message: SummarizedMessage): Promise<WebhookCalls | undefined>
  /** Called when that transaction is durable, if it queued or dropped calls. */
  onStored(calls: QueuedCalls): void
}

/** Returns the part of a summary that is shown to the owner. */
export const shownOf = ({
  partial: _partial,
  origin: _origin,
  ...shown
}: SummaryContent): Omit<SummaryContent, 'partial' | 'origin'> & Pick<MessageSummary, 'recipients'> => ({
  ...shown,
  recipients: recipientsOf(shown),
})

export type NewlyKept = MessageKey & Pick<MessageRow, 'size'>
export type Owner = Pick<RecipientRow, 'subscriptionId' | 'keySubscriptionId'>

/** Returns what the webhooks of the owner get. `recipient`: as the sender wrote it. */
export const summarizedMessage = (
  { addressId, id, receivedAt, expiresAt, size }: NewlyKept,
  { subscriptionId, keySubscriptionId }: Owner,
  content: SummaryContent,
  recipient: string,
): SummarizedMessage => ({
  addressId,
  subscriptionId: subscriptionId ?? keySubscriptionId,
  recipient,
  summary: { ...shownOf(content), id, receivedAt, expiresAt, size, ...unmarked },
})
