import type { ApiKeyJson, ApiKeyListJson } from '#contract/api-keys.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import type { WebhookJson, WebhookListJson } from '#contract/webhooks.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import type { ApiKeyView } from '#features/account/index.ts'
import type { OwnDomainView } from '#features/own-domains/index.ts'
import type { WebhookView } from '#features/webhooks/index.ts'
import type { RouteContext } from './context.ts'
import { time, timeOrNull } from './json.ts'

export const keyJson = ({ createdAt, usedAt, ...view }: ApiKeyView): ApiKeyJson => ({
  ...view,
  createdAt: time(createdAt),
  usedAt: timeOrNull(usedAt),
})

export const webhookJson = ({ createdAt, deliveredAt, ...view }: WebhookView): WebhookJson => ({
  ...view,
  createdAt: time(createdAt),
  deliveredAt: timeOrNull(deliveredAt),
})

export const domainJson = ({ checkedAt, ...view }: OwnDomainView): OwnDomainJson => ({
  ...view,
  checkedAt: timeOrNull(checkedAt),
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
