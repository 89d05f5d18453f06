import type { AccountJson } from '#contract/account.ts'
import type { AddressJson } from '#contract/addresses.ts'
import type { ApiKeyListJson, NewApiKeyJson } from '#contract/api-keys.ts'
import type { KeptAddressJson, KeptAddressListJson, KeptAddressRequestJson } from '#contract/kept-addresses.ts'
import type { OrderJson } from '#contract/orders.ts'
import type { OwnDomainJson } from '#contract/own-domains.ts'
import type { NewWebhookJson, WebhookListJson, WebhookTestJson } from '#contract/webhooks.ts'
import type { SandboxOutcome } from '#core/billing/order.ts'
import { call, json, leave } from './api.ts'

/** API calls of the subscriber's pages. */
export const accountApi = {
  signIn: (email: string, lang: string) => call('POST', '/account/sign-in', { email, lang }),
  openLink: (token: string) => leave('POST', '/account/session', { token }),
  enterCode: (code: string) => leave('POST', '/account/session', { code }),
  signOut: () => leave('DELETE', '/account/session'),
  account: () => json<AccountJson>(call('GET', '/account')),
  endSession: (id: string) => leave('DELETE', `/account/sessions/${id}`),
  portal: () => json<{ url: string }>(call('POST', '/account/portal')),
  erase: (email: string) => leave('DELETE', '/account', { email }),
  addresses: () => json<KeptAddressListJson>(call('GET', '/account/addresses')),
  keep: (request: KeptAddressRequestJson) => json<KeptAddressJson>(call('POST', '/account/addresses', request)),
  rename: (id: string, label: string | null) => call('PATCH', `/account/addresses/${id}`, { label }),
  open: (id: string) => json<AddressJson>(leave('POST', `/account/addresses/${id}/open`)),
  replaceSecret: (id: string) => leave('POST', `/account/addresses/${id}/secret`),
  remove: (id: string) => leave('DELETE', `/account/addresses/${id}`),
  openPaid: (order: string) => leave('POST', `/orders/${order}/session`),
  order: (id: string) => json<OrderJson>(call('GET', `/orders/${id}`)),
  simulatePayment: (id: string, outcome: SandboxOutcome) => call('POST', `/sandbox/${id}`, { outcome }),
  addDomain: (name: string) => json<OwnDomainJson>(call('POST', '/account/domains', { name })),
  checkDomain: (name: string) => json<OwnDomainJson>(call('POST', `/account/domains/${name}/check`)),
  setCatchAll: (name: string, catchAll: string | null) =>
    json<OwnDomainJson>(call('PATCH', `/account/domains/${name}`, { catchAll })),
  removeDomain: (name: string) => leave('DELETE', `/account/domains/${name}`),
  keys: () => json<ApiKeyListJson>(call('GET', '/account/keys')),
  makeKey: (label: string) => json<NewApiKeyJson>(call('POST', '/account/keys', { label })),
  revokeKey: (id: string) => call('DELETE', `/account/keys/${id}`),
  webhooks: () => json<WebhookListJson>(call('GET', '/account/webhooks')),
  addWebhook: (url: string) => json<NewWebhookJson>(call('POST', '/account/webhooks', { url })),
  testWebhook: (id: string) => json<WebhookTestJson>(call('POST', `/account/webhooks/${id}/test`)),
  removeWebhook: (id: string) => call('DELETE', `/account/webhooks/${id}`),
}
