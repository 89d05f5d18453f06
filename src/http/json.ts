import type { AddressJson } from '#contract/addresses.ts'
import type { MessageJson, MessageListJson, MessageSummaryJson } from '#contract/messages.ts'
import type { MessageContent, MessageSummary } from '#core/message.ts'
import type { AddressView } from '#features/addresses.ts'
import type { MessagePage } from '#features/messages.ts'

/** RFC 3339, UTC. */
const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const addressJson = (view: AddressView): AddressJson => ({
  ...view,
  expiresAt: time(view.expiresAt),
  createdAt: time(view.createdAt),
})

export const summaryJson = (summary: MessageSummary): MessageSummaryJson => ({
  ...summary,
  receivedAt: time(summary.receivedAt),
})

export const listJson = ({ messages, next }: MessagePage): MessageListJson => ({
  messages: messages.map(summaryJson),
  next,
})

export const messageJson = (summary: MessageSummary, content: MessageContent): MessageJson => ({
  ...summaryJson(summary),
  ...content,
})
