import type { AddressId, SubscriptionId } from '#core/ids.ts'
import type { MessageSummary, SummaryContent } from '#core/mailbox/message.ts'

/** A message whose summary was just made. */
export interface SummarizedMessage {
  addressId: AddressId
  /** The subscription that keeps the address, or whose API key created it. */
  subscriptionId: SubscriptionId | null
  /** The recipient as the sender wrote it. */
  recipient: string
  summary: MessageSummary
}

/** Returns the part of a summary that is shown to the owner. */
export const shownOf = ({
  partial: _partial,
  origin: _origin,
  ...shown
}: SummaryContent): Omit<SummaryContent, 'partial' | 'origin'> => shown
