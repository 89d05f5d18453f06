import type { AccountJson } from '#contract/account.ts'
import type { AddressJson } from '#contract/addresses.ts'
import type { DeliveryListJson, SealedDeliveryListJson } from '#contract/deliveries.ts'
import type { KeptAddressJson, KeptAddressListJson } from '#contract/kept-addresses.ts'
import type { MessageJson, MessageListJson, MessageSummaryJson, WaitExplanationJson } from '#contract/messages.ts'
import type { SealedMessageJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import type { MessageContent, MessageSummary } from '#core/mailbox/message.ts'
import type { AccountView, KeptAddressView } from '#features/account/index.ts'
import type { AddressView, DeliveriesView, EndedWait, MessagePage } from '#features/mailbox/index.ts'
import type { SealedDeliveries, SealedMessage, SealedPage } from '#features/private/index.ts'

/** RFC 3339, UTC. */
export const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : time(milliseconds)

export const addressJson = (view: AddressView): AddressJson => ({
  ...view,
  expiresAt: time(view.expiresAt),
  createdAt: time(view.createdAt),
})

export const keptJson = ({ createdAt, expiresAt, ...view }: KeptAddressView): KeptAddressJson => ({
  ...view,
  createdAt: time(createdAt),
  expiresAt: timeOrNull(expiresAt),
})

export const keptListJson = (views: readonly KeptAddressView[]): KeptAddressListJson => ({
  addresses: views.map(keptJson),
})

export const summaryJson = ({ head: _head, ...summary }: MessageSummary): MessageSummaryJson => ({
  ...summary,
  receivedAt: time(summary.receivedAt),
  expiresAt: time(summary.expiresAt),
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
  unmatched: unmet.map((each) => ({ ...each, receivedAt: time(each.receivedAt) })),
  refused: refused.slice(0, REFUSED_MAX).map(({ at, count, result, reply, server, senderDomain, size }) => ({
    at: time(at),
    count,
    result,
    reply,
    server,
    senderDomain,
    size,
  })),
  expiresAt: time(expiresAt),
})

export const deliveriesJson = ({ since, deliveries }: DeliveriesView): DeliveryListJson => ({
  since: time(since),
  deliveries: deliveries.map((each) => ({ ...each, at: time(each.at), firstAt: time(each.firstAt) })),
})

export const sealedDeliveriesJson = ({ since, failed, deleted }: SealedDeliveries): SealedDeliveryListJson => ({
  since: time(since),
  failed: failed.map(({ id, sealed }) => ({ id, sealed: Buffer.from(sealed).toString('base64url') })),
  deleted: deleted.map(time),
})

export const messageJson = (summary: MessageSummary, content: MessageContent): MessageJson => ({
  ...summaryJson(summary),
  ...content,
  date: timeOrNull(content.date),
})

export const accountJson = ({
  paidUntil,
  renewsAt,
  endsAt,
  lapsesAt,
  payments,
  sessions,
  ...view
}: AccountView): AccountJson => ({
  ...view,
  paidUntil: timeOrNull(paidUntil),
  renewsAt: timeOrNull(renewsAt),
  endsAt: timeOrNull(endsAt),
  lapsesAt: timeOrNull(lapsesAt),
  payments: payments.map(({ plan, total, state, provider, paidAt }) => ({
    plan,
    total,
    state,
    provider,
    paidAt: time(paidAt),
  })),
  sessions: sessions.map((session) => ({
    ...session,
    createdAt: time(session.createdAt),
    seenAt: time(session.seenAt),
  })),
})

export const sealedJson = ({ receivedAt, expiresAt, summary, ...rest }: SealedMessage): SealedMessageJson => ({
  ...rest,
  receivedAt: time(receivedAt),
  expiresAt: time(expiresAt),
  summary: summary && Buffer.from(summary).toString('base64url'),
})

export const sealedListJson = ({ messages, next }: SealedPage): SealedMessageListJson => ({
  messages: messages.map(sealedJson),
  next,
})
