import type { AddressId, SubscriptionId } from '#core/ids.ts'
import type { MessageSummary } from '#core/mailbox/message.ts'

/** A message whose summary was just made. */
export interface SummarizedMessage {
  addressId: AddressId
  /** The subscription that keeps the address, or whose API key created it. */
  subscriptionId: SubscriptionId | null
  /** The recipient as the sender wrote it. */
  recipient: string
  summary: MessageSummary
}
