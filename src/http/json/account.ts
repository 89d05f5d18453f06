import type { AccountJson } from '#contract/account.ts'
import type { ApiKeyJson, ApiKeyListJson } from '#contract/api-keys.ts'
import type { KeptAddressJson, KeptAddressListJson } from '#contract/kept-addresses.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import type { WebhookJson, WebhookListJson } from '#contract/webhooks.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import type { AccountView, ApiKeyView, KeptAddressView } from '#features/account/index.ts'
import type { OwnDomainView } from '#features/own-domains/index.ts'
import type { WebhookView } from '#features/webhooks/index.ts'
import type { RouteContext } from '../context.ts'
import { timestamp, timestampOrNull } from './time.ts'

export const keptJson = ({ createdAt, expiresAt, ...view }: KeptAddressView): KeptAddressJson => ({
  ...view,
  createdAt: timestamp(createdAt),
  expiresAt: timestampOrNull(expiresAt),
})

export const keptListJson = (views: readonly KeptAddressView[]): KeptAddressListJson => ({
  addresses: views.map(keptJson),
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
  paidUntil: timestampOrNull(paidUntil),
  renewsAt: timestampOrNull(renewsAt),
  endsAt: timestampOrNull(endsAt),
  lapsesAt: timestampOrNull(lapsesAt),
  payments: payments.map(({ plan, total, state, provider, paidAt }) => ({
    plan,
    total,
    state,
    provider,
    paidAt: timestamp(paidAt),
  })),
  sessions: sessions.map((session) => ({
    ...session,
    createdAt: timestamp(session.createdAt),
    seenAt: timestamp(session.seenAt),
  })),
})

export const keyJson = ({ createdAt, usedAt, ...view }: ApiKeyView): ApiKeyJson => ({
  ...view,
  createdAt: timestamp(createdAt),
  usedAt: timestampOrNull(usedAt),
})

export const webhookJson = ({ createdAt, deliveredAt, ...view }: WebhookView): WebhookJson => ({
  ...view,
  createdAt: timestamp(createdAt),
  deliveredAt: timestampOrNull(deliveredAt),
})

export const domainJson = ({ checkedAt, ...view }: OwnDomainView): OwnDomainJson => ({
  ...view,
  checkedAt: timestampOrNull(checkedAt),
})

type Context = Pick<RouteContext, 'deps' | 'options'>

/** The API keys of a subscriber and their limits. */
export async function keysOf(
  { deps: { apiKeys }, options }: Context,
  subscription: Subscription,
): Promise<ApiKeyListJson> {
  const { maxKeys, maxAddresses, cacheTime } = apiKeys.rules
  return {
    keys: (await apiKeys.list(subscription)).map(keyJson),
    limits: {
      keys: maxKeys,
      requestsPerSecond: options.rates.keys.burst,
      addresses: maxAddresses,
      revocationSeconds: cacheTime / 1000,
    },
  }
}

/** The webhooks of a subscriber and their limits. */
export async function webhooksOf(
  { deps: { webhooks } }: Context,
  subscription: Subscription,
): Promise<WebhookListJson> {
  const { maxWebhooks, offDays } = webhooks.rules
  return {
    webhooks: (await webhooks.list(subscription)).map(webhookJson),
    limits: { webhooks: maxWebhooks, offDays },
  }
}
