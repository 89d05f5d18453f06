import type { AddressJson } from '#contract/addresses.ts'
import type { DeliveryListJson } from '#contract/deliveries.ts'
import type { MessageJson, MessageListJson, MessageSummaryJson, WaitExplanationJson } from '#contract/messages.ts'
import type { MessageContent, MessageSummary } from '#core/mailbox/message.ts'
import type { AddressView, DeliveriesView, EndedWait, MessagePage } from '#features/mailbox/index.ts'
import { timestamp, timestampOrNull } from './time.ts'

export const addressJson = (view: AddressView): AddressJson => ({
  ...view,
  expiresAt: timestamp(view.expiresAt),
  createdAt: timestamp(view.createdAt),
})

export const summaryJson = ({ head: _head, ...summary }: MessageSummary): MessageSummaryJson => ({
  ...summary,
  receivedAt: timestamp(summary.receivedAt),
  expiresAt: timestamp(summary.expiresAt),
})

export const listJson = ({ messages, next }: MessagePage): MessageListJson => ({
  messages: messages.map(summaryJson),
  next,
})

/** Attempts that an explanation lists. */
const REFUSED_MAX = 10

export const explanationJson = (
  text: string,
  { unmet, refused, expiresAt }: Pick<EndedWait, 'unmet' | 'refused' | 'expiresAt'>,
): WaitExplanationJson => ({
  text,
  unmatched: unmet.map((each) => ({ ...each, receivedAt: timestamp(each.receivedAt) })),
  refused: refused.slice(0, REFUSED_MAX).map(({ at, count, result, reply, server, senderDomain, size }) => ({
    at: timestamp(at),
    count,
    result,
    reply,
    server,
    senderDomain,
    size,
  })),
  expiresAt: timestamp(expiresAt),
})

export const deliveriesJson = ({ since, deliveries }: DeliveriesView): DeliveryListJson => ({
  since: timestamp(since),
  deliveries: deliveries.map((each) => ({ ...each, at: timestamp(each.at), firstAt: timestamp(each.firstAt) })),
})

export const messageJson = (summary: MessageSummary, content: MessageContent): MessageJson => ({
  ...summaryJson(summary),
  ...content,
  date: timestampOrNull(content.date),
})
