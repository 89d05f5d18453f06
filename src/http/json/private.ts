import type { SealedDeliveryListJson } from '#contract/deliveries.ts'
import type { SealedMessageJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import type { SealedDeliveries, SealedMessage, SealedPage } from '#features/private/index.ts'
import { timestamp } from './time.ts'

export const sealedDeliveriesJson = ({ since, failed, deleted }: SealedDeliveries): SealedDeliveryListJson => ({
  since: timestamp(since),
  failed: failed.map(({ id, sealed }) => ({ id, sealed: Buffer.from(sealed).toString('base64url') })),
  deleted: deleted.map(timestamp),
})

export const sealedJson = ({ receivedAt, expiresAt, summary, ...rest }: SealedMessage): SealedMessageJson => ({
  ...rest,
  receivedAt: timestamp(receivedAt),
  expiresAt: timestamp(expiresAt),
  summary: summary && Buffer.from(summary).toString('base64url'),
})

export const sealedListJson = ({ messages, next }: SealedPage): SealedMessageListJson => ({
  messages: messages.map(sealedJson),
  next,
})
