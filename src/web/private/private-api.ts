import type { SealedDeliveryListJson } from '#contract/deliveries.ts'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { PrivateAddressRequestJson, ProxiedUrlsJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { call, json, messageActionsApi } from '../api/api.ts'
import { download } from '../api/download.ts'

type Bytes = Uint8Array<ArrayBuffer>

const at = (id: string, message: string): string => `/account/private/${id}/messages/${message}`

/** API calls for fully private addresses. No secret and no private key is sent. */
export const privateApi = {
  create: (request: PrivateAddressRequestJson) =>
    json<KeptAddressJson>(call('POST', '/account/private-addresses', request)),
  messages: (id: string, before?: string) =>
    json<SealedMessageListJson>(call('GET', `/account/private/${id}/messages${before ? `?before=${before}` : ''}`)),
  body: async (id: string, message: string): Promise<Bytes> =>
    new Uint8Array(await (await download(`/api/v1${at(id, message)}/body`)).arrayBuffer()),
  keepSummary: (id: string, message: string, sealed: Bytes) =>
    call('PUT', `${at(id, message)}/summary`, undefined, {
      headers: { 'content-type': 'application/octet-stream' },
      body: sealed,
    }),
  deliveries: (id: string) => json<SealedDeliveryListJson>(call('GET', `/account/private/${id}/deliveries`)),
  changes: (id: string) => messageActionsApi(`/account/private/${id}`),

  /** Maps remote image URLs to proxy URLs, up to the limit for one message. */
  async proxied(all: readonly string[]): Promise<Map<string, string>> {
    const requested = all.slice(0, REMOTE_URLS_MAX)
    const { urls } = await json<ProxiedUrlsJson>(call('POST', '/account/private/remote', { urls: requested }))
    return new Map(requested.flatMap((url, i) => (urls[i] ? [[url, urls[i]] as const] : [])))
  },
}
export type PrivateApi = typeof privateApi

export { toBase64Url } from '#mail/bytes.ts'
